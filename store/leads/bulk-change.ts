import { contentOf } from "../../domain/leads/import.ts";
import { applyLeadPatch, differences, type LeadContent, MAX_TAGS } from "../../domain/leads/lead.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { suppressAddress, unsuppressAddress } from "../suppression/suppress.ts";
import { eraseLead } from "./erase-lead.ts";
import { addLeadsToList, removeLeadsFromList } from "./list-members.ts";
import { removeUntouched } from "./untouched.ts";

/** A bulk action on leads, in the form that a job stores. */
export type BulkAction =
  | { action: "bulkDelete" | "suppress" | "unsuppress" }
  | { action: "bulkAddTags" | "bulkRemoveTags"; tags: string[] }
  | { action: "addMembers" | "removeMembers"; listId: string }
  | { action: "undoImport"; importId: string; listId: string | null };

/** The outcome for one lead: done, or refused with an error code and message. */
export type Done = { changed: boolean; error: null } | { changed: false; error: { code: string; message: string } };
const DONE: Done = { changed: true, error: null };
const UNCHANGED: Done = { changed: false, error: null };

/** Changes the leads of one page, in the running transaction, and returns their outcomes by id. */
export type PageChange = (leads: Lead[]) => Promise<Map<string, Done>>;

/**
 * How many leads one transaction handles. The number is small where each lead causes many writes, and where a conflict
 * with a claim repeats the whole page.
 */
export const PAGE_OF: Record<BulkAction["action"], number> = {
  bulkDelete: 20,
  suppress: 50,
  unsuppress: 50,
  bulkAddTags: 200,
  bulkRemoveTags: 200,
  addMembers: 500,
  removeMembers: 500,
  undoImport: 200,
};

/** The function that changes one page of leads. It throws LIST_NOT_FOUND when the list no longer exists. */
export function pageChangeOf(bulk: BulkAction, actor: string): PageChange {
  switch (bulk.action) {
    case "bulkDelete":
      return (leads) => one(leads, async (lead) => eraseLead(lead).then(() => true));
    case "suppress":
      return (leads) =>
        one(leads, (lead) =>
          eachAddress(lead, (email) => suppressAddress(lead.workspaceId, email, "MANUAL", { actor })),
        );
    case "unsuppress":
      return (leads) =>
        one(leads, (lead) => eachAddress(lead, (email) => unsuppressAddress(lead.workspaceId, email, actor)));
    case "bulkAddTags":
      return (leads) => retag(leads, actor, (before) => [...new Set([...before, ...bulk.tags])]);
    case "bulkRemoveTags":
      return (leads) => retag(leads, actor, (before) => before.filter((tag) => !bulk.tags.includes(tag)));
    case "addMembers":
      return (leads) => members(leads, bulk.listId, addLeadsToList, false);
    case "removeMembers":
      return (leads) => members(leads, bulk.listId, removeLeadsFromList, true);
    case "undoImport":
      return (leads) => undo(leads, bulk);
  }
}

async function one(leads: readonly Lead[], change: (lead: Lead) => Promise<boolean>): Promise<Map<string, Done>> {
  const outcomes = new Map<string, Done>();
  for (const lead of leads) outcomes.set(lead._id, (await change(lead)) ? DONE : UNCHANGED);
  return outcomes;
}

/** Applies a change to every address of a lead. The result for the primary address shows whether the lead changed. */
async function eachAddress(
  { email, secondaryEmails }: Lead,
  change: (email: string) => Promise<boolean>,
): Promise<boolean> {
  const isChanged = await change(email);
  for (const other of secondaryEmails) await change(other);
  return isChanged;
}

async function undo(
  leads: readonly Lead[],
  imported: { importId: string; listId: string | null },
): Promise<Map<string, Done>> {
  const untouched = await removeUntouched(leads, imported);
  return new Map(leads.map(({ _id }) => [_id, untouched.has(_id) ? DONE : UNCHANGED]));
}

async function members(
  leads: readonly Lead[],
  listId: string,
  change: typeof addLeadsToList,
  wasMember: boolean,
): Promise<Map<string, Done>> {
  const [first] = leads;
  if (first === undefined) return new Map();
  await change(
    first.workspaceId,
    listId,
    leads.map(({ _id }) => _id),
  );
  return new Map(leads.map(({ _id, listIds }) => [_id, listIds.includes(listId) === wasMember ? DONE : UNCHANGED]));
}

const TOO_MANY: Done = { changed: false, error: { code: "TOO_BIG", message: `A lead has at most ${MAX_TAGS} tags` } };

async function retag(
  leads: readonly Lead[],
  actor: string,
  tagsOf: (before: string[]) => string[],
): Promise<Map<string, Done>> {
  const results = new Map<string, Done>();
  const changed = leads.flatMap((lead) => {
    const before = contentOf(lead);
    const tags = tagsOf(lead.tags);
    const isTooMany = tags.length > Math.max(MAX_TAGS, lead.tags.length);
    const changes = isTooMany ? null : differences(before, applyLeadPatch(before, { tags }));
    results.set(lead._id, isTooMany ? TOO_MANY : changes === null ? UNCHANGED : DONE);
    return changes === null ? [] : [{ lead, changes }];
  });
  const [first] = changed;
  if (first === undefined) return results;
  const { ActivityEvent, Lead } = scoped(first.lead.workspaceId);
  const at = new Date();
  await Lead.bulk(changed.map(({ lead, changes }) => ({ update: lead._id, set: changes })));
  await ActivityEvent.bulk(
    changed.map(({ lead, changes }) => ({
      insert: {
        _id: newId("evt"),
        type: "LEAD_UPDATED",
        at,
        leadId: lead._id,
        campaignId: null,
        recipientId: null,
        actor,
        data: { fields: changedFieldNames(changes) },
      },
    })),
  );
  return results;
}

/** The names of the changed fields for the history, without internal fields. */
export function changedFieldNames(changes: Partial<LeadContent>): string[] {
  const inside = new Set(["searchWords", "facets"]);
  return Object.keys(changes).filter((field) => !inside.has(field));
}
