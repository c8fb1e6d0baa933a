import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import type { ProspectPerson } from "../../domain/lead-search/prospect.ts";
import { KNOWN_INDEX } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addToList, copyItems, loadKnown, removeFromList, whileKnowing } from "../../store/lead-search/known.ts";
import type { Context } from "../context.ts";
import { flag, pageOf, paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { prospectIds } from "./fields.ts";
import { findList, listId } from "./lists.ts";
import { Prospect, prospectOf } from "./record.ts";
import { SOURCE_ERRORS, sourceOf } from "./source.ts";

const count = (what: string) => z.number().int().describe(what);
const itemCount = count("How many people are in the list now");

export const add = operation({
  summary: "Add people that a search found to a prospect list. Costs no credits and adds no one twice",
  scope: "lead_search:lists",
  errors: [...SOURCE_ERRORS, "LIMIT_EXCEEDED", "LIST_NOT_FOUND"],
  input: z.strictObject({ listId, prospectIds }),
  output: z.object({
    added: count("People who were added"),
    alreadyPresent: count("People already in the list"),
    notFound: z.array(z.string()).describe("Ids that match no prospect"),
    itemCount,
  }),
  async run(ctx, { listId, prospectIds }) {
    await findList(ctx.workspaceId, listId);
    const wanted = [...new Set(prospectIds)];
    const people = await peopleOf(ctx, wanted);
    const { added, alreadyPresent, list } = await whileKnowing(() => addToList(ctx.workspaceId, listId, people));
    const there = new Set(people.map(({ id }) => id));
    return { added, alreadyPresent, notFound: wanted.filter((id) => !there.has(id)), itemCount: list.itemCount };
  },
});

export const list = operation({
  summary: "List the people of a prospect list, with their revealed data",
  scope: "lead_search:lists",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({
    listId,
    ...paging,
    sort: BY_CREATION.sort,
    emailRevealed: flag.optional().describe("true: only people with a revealed email; false: the others"),
    phoneRevealed: flag.optional().describe("true: only people with a revealed phone; false: the others"),
  }),
  output: pageOf(Prospect),
  async run({ workspaceId }, { listId, sort, emailRevealed, phoneRevealed, ...page }) {
    await findList(workspaceId, listId);
    const skip = skipOf(page);
    const is = (wanted: boolean | undefined) =>
      wanted === undefined ? undefined : wanted ? "revealed" : trusted({ $ne: "revealed" });
    const [emailStatus, phoneStatus] = [is(emailRevealed), is(phoneRevealed)];
    const filter = {
      listIds: listId,
      ...(emailStatus !== undefined && { emailStatus }),
      ...(phoneStatus !== undefined && { phoneStatus }),
    };
    const { KnownProspect } = scoped(workspaceId);
    const [items, total] = await Promise.all([
      KnownProspect.find(filter, {
        sort: BY_CREATION.orderOf(sort),
        skip,
        limit: page.pageSize,
        hint: KNOWN_INDEX.list,
      }),
      KnownProspect.count(filter, { hint: KNOWN_INDEX.list }),
    ]);
    return { items: items.map((known) => prospectOf(known.person, known)), total, ...page };
  },
});

export const remove = operation({
  summary: "Remove people from a prospect list. Data that was revealed about them stays revealed",
  scope: "lead_search:lists",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({ listId, prospectIds }),
  output: z.object({ removed: count("People who were removed"), itemCount }),
  async run({ workspaceId }, { listId, prospectIds }) {
    const { removed, list } = await inTransaction(() => removeFromList(workspaceId, listId, prospectIds));
    return { removed, itemCount: list.itemCount };
  },
});

const PAGE = 500;

export const copy = operation({
  summary: "Copy or move people from one prospect list to another",
  scope: "lead_search:lists",
  errors: ["LIMIT_EXCEEDED", "LIST_NOT_FOUND"],
  input: z.strictObject({
    fromListId: listId.describe("The id of the prospect list to copy from: `srl_…`"),
    toListId: listId.describe("The id of the prospect list to copy to: `srl_…`"),
    mode: z.enum(["COPY", "MOVE"]).default("COPY").describe("MOVE also removes them from the first list. Default COPY"),
    prospectIds: prospectIds.optional().describe("1 to 200 ids of prospects; by default the whole list"),
  }),
  output: z.object({
    copied: count("People added to the second list"),
    alreadyPresent: count("People already in the list"),
    removedFromSource: count("People removed from the first list"),
  }),
  async run({ workspaceId }, { fromListId, toListId, mode, prospectIds }) {
    if (fromListId === toListId) throw invalid("toListId", "must differ from fromListId");
    await findList(workspaceId, fromListId);
    await findList(workspaceId, toListId);
    const lists = { fromListId, toListId, isMove: mode === "MOVE" };
    const wanted = prospectIds === undefined ? await allOf(workspaceId, fromListId) : [...new Set(prospectIds)];
    const sum = { copied: 0, alreadyPresent: 0, removedFromSource: 0 };
    for (let start = 0; start < wanted.length; start += PAGE) {
      const done = await inTransaction(() => copyItems(workspaceId, lists, wanted.slice(start, start + PAGE)));
      sum.copied += done.copied;
      sum.alreadyPresent += done.alreadyPresent;
      sum.removedFromSource += done.removedFromSource;
    }
    return sum;
  },
});

async function allOf(workspaceId: string, listId: string): Promise<string[]> {
  const by = { select: { prospectId: 1 as const }, hint: KNOWN_INDEX.list };
  const found = await scoped(workspaceId).KnownProspect.read({ listIds: listId }, { sort: { _id: -1 }, ...by });
  return found.map(({ prospectId }) => prospectId);
}

/** People by id, from the workspace if it has revealed them, else from the source. */
async function peopleOf(ctx: Context, prospectIds: readonly string[]): Promise<ProspectPerson[]> {
  const known = await loadKnown(ctx.workspaceId, prospectIds);
  const unknown = prospectIds.filter((id) => !known.has(id));
  const found = unknown.length === 0 ? [] : await sourceOf(ctx).find(unknown);
  return [...[...known.values()].map(({ person }) => person), ...found];
}
