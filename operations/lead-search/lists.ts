import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { KNOWN_INDEX } from "../../models/lead-search/known-prospect.ts";
import type { SearchList as Stored } from "../../models/lead-search/search-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { longText, name, nullable, pageFrom, pageOf, paging, record, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";

export const listId = z.string().max(64).describe("The id of the prospect list: `srl_…`");

const SearchList = record({
  name: z.string().describe("The name"),
  description: nullable(z.string()).describe("A longer note"),
  itemCount: z.number().int().describe("How many people are in the list"),
  revealedEmails: z.number().int().describe("People whose email address is revealed"),
  revealedPhones: z.number().int().describe("People whose phone number is revealed"),
}).meta({ id: "SearchList", description: "A list of prospects" });

export const list = operation({
  summary: "List the prospect lists of the workspace, newest first",
  scope: "lead_search:lists",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    search: search.optional().describe("Only lists whose name contains this text"),
  }),
  output: pageOf(SearchList),
  async run({ workspaceId }, { search, sort, ...page }) {
    const { SearchList } = scoped(workspaceId);
    const named = search === undefined ? {} : { _id: trusted({ $in: await findNamed(SearchList, search, ["name"]) }) };
    const found = await pageFrom(SearchList, named, page, { sort: BY_CREATION.orderOf(sort) });
    return { ...found, items: await Promise.all(found.items.map(inFull)) };
  },
});

export const create = operation({
  summary: "Create an empty prospect list",
  scope: "lead_search:lists",
  errors: ["LIMIT_EXCEEDED"],
  input: z.strictObject({
    name: name.describe("The name, 1 to 200 characters"),
    description: longText.nullable().optional().describe("A longer note, at most 2,000 characters"),
  }),
  output: SearchList,
  async run({ workspaceId }, { name, description = null }) {
    const { SearchList } = scoped(workspaceId);
    await refuseBeyondLimit(workspaceId, "searchLists", await SearchList.count());
    return {
      ...(await SearchList.insert({ _id: newId("srl"), name, description })),
      revealedEmails: 0,
      revealedPhones: 0,
    };
  },
});

/** @throws AppError LIST_NOT_FOUND */
export async function findList(workspaceId: string, listId: string): Promise<Stored> {
  const found = await scoped(workspaceId).SearchList.get(listId);
  if (found === null) throw new AppError("LIST_NOT_FOUND", "No prospect list has this id");
  return found;
}

/** Counts revealed people in the index, so the count is right no matter who revealed them. */
async function inFull(list: Stored) {
  const { KnownProspect } = scoped(list.workspaceId);
  const [revealedEmails, revealedPhones] = await Promise.all([
    KnownProspect.count({ listIds: list._id, emailStatus: "revealed" }, { hint: KNOWN_INDEX.email }),
    KnownProspect.count({ listIds: list._id, phoneStatus: "revealed" }, { hint: KNOWN_INDEX.phone }),
  ]);
  return { ...list, revealedEmails, revealedPhones };
}
