import { z } from "zod";
import { contentOf } from "../../domain/leads/import.ts";
import { applyLeadPatch, differences, MAX_TAGS } from "../../domain/leads/lead.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ids, tag } from "../fields.ts";
import { operation } from "../operation.ts";
import { Bulk } from "../recipients/record.ts";
import { DONE, type Done, forEachLead, namesOf, UNCHANGED } from "./bulk.ts";

const input = z.strictObject({ ids, tags: z.array(tag).min(1).max(MAX_TAGS).describe("1 to 50 tags") });
const PAGE = 200;
const TOO_MANY: Done = { changed: false, error: { code: "TOO_BIG", message: `A lead has at most ${MAX_TAGS} tags` } };

/** Alphabetical order as people sort: case and accents come second. */
const ALPHABET = new Intl.Collator("en");

export const list = operation({
  summary: "Every tag that a lead of the workspace has, alphabetically",
  scope: "leads:read",
  input: z.strictObject({}),
  output: z.array(z.string()),
  run: async ({ workspaceId }) =>
    (await scoped(workspaceId).Lead.textsOf("tags", { workspaceId: 1, tags: 1, _id: -1 })).toSorted(ALPHABET.compare),
});

export const bulkAddTags = operation({
  summary: "Add tags to leads. A lead that would have too many keeps those it has",
  scope: "leads:write",
  input,
  output: Bulk,
  run: ({ workspaceId, credentialId }, { ids, tags }) =>
    forEachLead(workspaceId, ids, PAGE, (leads) => retag(leads, credentialId, (before) => [...new Set([...before, ...tags])])),
});

export const bulkRemoveTags = operation({
  summary: "Remove tags from leads",
  scope: "leads:write",
  input,
  output: Bulk,
  run: ({ workspaceId, credentialId }, { ids, tags }) =>
    forEachLead(workspaceId, ids, PAGE, (leads) => retag(leads, credentialId, (before) => before.filter((one) => !tags.includes(one)))),
});

async function retag(leads: Lead[], actor: string, tagsOf: (before: string[]) => string[]): Promise<Map<string, Done>> {
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
        ...{ _id: newId("evt"), type: "LEAD_UPDATED", at, leadId: lead._id, campaignId: null, recipientId: null, actor },
        data: { fields: namesOf(changes) },
      },
    })),
  );
  return results;
}
