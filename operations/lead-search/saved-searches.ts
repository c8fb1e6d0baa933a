import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { SavedSearch as Stored } from "../../models/lead-search/saved-search.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import type { Declaration } from "../declaration.ts";
import { name, optionalTime, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { prospectFilters } from "./fields.ts";

export const savedSearchId = z.string().max(64).describe("The id of the saved search: `svs_…`");

const SavedSearch = record({
  name: z.string().describe("The name"),
  filters: z.record(z.string(), z.array(z.string())).describe("The filters of the search"),
  lastRunAt: optionalTime.describe("When its results were last added to a list"),
}).meta({ id: "SavedSearch", description: "Filters of a people search, saved for reuse" });

const list = operation({
  summary: "List the saved searches of the workspace, newest first",
  scope: "lead_search:lists",
  input: z.strictObject({ ...paging, sort: BY_CREATION.sort }),
  output: pageOf(SavedSearch),
  run: ({ workspaceId }, { sort, ...page }) =>
    pageFrom(scoped(workspaceId).SavedSearch, {}, page, { sort: BY_CREATION.orderOf(sort) }),
});

const get = operation({
  summary: "Read one saved search",
  scope: "lead_search:lists",
  errors: ["SAVED_SEARCH_NOT_FOUND"],
  input: z.strictObject({ savedSearchId }),
  output: SavedSearch,
  run: ({ workspaceId }, { savedSearchId }) => findSavedSearch(workspaceId, savedSearchId),
});

const save = operation({
  summary: "Save the filters of a search under a name",
  scope: "lead_search:lists",
  errors: ["LIMIT_EXCEEDED"],
  input: z.strictObject({ name: name.describe("The name, 1 to 200 characters"), filters: prospectFilters }),
  output: SavedSearch,
  async run({ workspaceId }, { name, filters }) {
    const { SavedSearch } = scoped(workspaceId);
    await refuseBeyondLimit(workspaceId, "savedSearches", await SavedSearch.count());
    return SavedSearch.insert({ _id: newId("svs"), name, filters });
  },
});

const remove = operation({
  summary: "Delete a saved search. Lists filled from it stay",
  scope: "lead_search:lists",
  errors: ["SAVED_SEARCH_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ savedSearchId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { savedSearchId }) {
    if ((await scoped(workspaceId).SavedSearch.deleteOne({ _id: savedSearchId })) === 0) throw notFound();
    return { id: savedSearchId, deleted: true as const };
  },
});

/** @throws AppError SAVED_SEARCH_NOT_FOUND */
export async function findSavedSearch(workspaceId: string, savedSearchId: string): Promise<Stored> {
  const found = await scoped(workspaceId).SavedSearch.get(savedSearchId);
  if (found === null) throw notFound();
  return found;
}

function notFound(): AppError {
  return new AppError("SAVED_SEARCH_NOT_FOUND", "No saved search has this id");
}

export const savedSearchesDeclaration = {
  verbs: {
    "leadSearch.listSavedSearches": list,
    "leadSearch.getSavedSearch": get,
    "leadSearch.saveSearch": save,
    "leadSearch.deleteSavedSearch": remove,
  },
  routes: [
    ["get", "/lead-search/saved-searches", list],
    ["post", "/lead-search/saved-searches", save, 201],
    ["get", "/lead-search/saved-searches/:savedSearchId", get],
    ["delete", "/lead-search/saved-searches/:savedSearchId", remove],
  ],
  tools: {
    lead_search: {
      lead_search_saved_searches: {
        operation: list,
        title: "Saved searches",
        readOnly: true,
        when: "Returns the savedSearchId that lead_search_add_search_to_list takes.",
      },
      lead_search_get_saved_search: {
        operation: get,
        title: "Get a saved search",
        readOnly: true,
        when: "Its filters are those of lead_search_browse; lead_search_saved_searches returns the id.",
      },
      lead_search_save_search: {
        operation: save,
        title: "Save a search",
        when: "Takes the filters of lead_search_browse, to add the results to a list later.",
      },
      lead_search_delete_saved_search: {
        operation: remove,
        title: "Delete a saved search",
        destructive: true,
        idempotent: true,
        when: "Deletes only name and filters; lead_search_saved_searches returns the id.",
      },
    },
  },
  examples: {
    people: [
      {
        at: "post /lead-search/saved-searches",
        title: "Save a search for later",
        body: { name: "Sales in Berlin", filters: { titles: ["Head of Sales"], locations: ["Berlin"] } },
      },
    ],
  },
} as const satisfies Declaration;
