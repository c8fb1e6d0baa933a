import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { addSearch, addSearchStatus } from "./add-search.ts";
import * as listItems from "./items.ts";
import * as searchLists from "./lists.ts";
import { toLeads } from "./to-leads.ts";

export const prospectListsDeclaration = {
  verbs: {
    "leadSearch.listLists": searchLists.list,
    "leadSearch.createList": searchLists.create,
    "leadSearch.addToList": listItems.add,
    "leadSearch.listItems": listItems.list,
    "leadSearch.removeFromList": listItems.remove,
    "leadSearch.copyToList": listItems.copy,
    "leadSearch.makeLeads": toLeads,
    "leadSearch.addSearch": addSearch,
    "leadSearch.getAddSearch": addSearchStatus,
  },
  routes: [
    ["get", "/lead-search/lists", searchLists.list],
    ["post", "/lead-search/lists", searchLists.create, 201],
    ["get", "/lead-search/lists/:listId/items", listItems.list],
    ["post", "/lead-search/lists/:listId/items", listItems.add],
    ["post", "/lead-search/lists/:listId/items/remove", listItems.remove],
    ["post", "/lead-search/lists/:listId/add-search", addSearch, 202],
    ["get", "/lead-search/add-search/:jobId", addSearchStatus],
    ["post", "/lead-search/lists/:fromListId/copy", listItems.copy],
    ["post", "/lead-search/lists/:fromListId/leads", toLeads, 202],
  ],
  tools: {
    lead_search: {
      lead_search_lists: {
        operation: searchLists.list,
        title: "Prospect lists",
        readOnly: true,
        when: "Returns the listId of the other tools here; lead_lists has the lists of leads.",
      },
      lead_search_create_list: {
        operation: searchLists.create,
        title: "Create a prospect list",
        when: "lead_search_add_to_list fills it by ids, lead_search_add_search_to_list by a search.",
      },
      lead_search_add_to_list: {
        operation: listItems.add,
        title: "Add to a prospect list",
        idempotent: true,
        when: "lead_search_browse returns the ids.",
      },
      lead_search_list_items: {
        operation: listItems.list,
        title: "People of a prospect list",
        readOnly: true,
        untrusted: true,
        when: "Shows revealed values; lead_search_reveal_list reveals the rest.",
      },
      lead_search_remove_from_list: {
        operation: listItems.remove,
        title: "Remove from a prospect list",
        destructive: true,
        idempotent: true,
        when: "Changes only the membership; lead_search_list_items returns the ids.",
      },
      lead_search_copy_to_list: {
        operation: choice(
          "lead_search:lists",
          "Copy or move people to another prospect list, or create leads from them",
          { copy: listItems.copy, makeLeads: toLeads },
          "copy",
          { given: "leadListId", action: "makeLeads" },
        ),
        title: "Copy prospects",
        destructive: true,
        when: "With leadListId, a job creates leads for campaigns from people with a revealed email address.",
      },
      lead_search_add_search_to_list: {
        operation: addSearch,
        title: "Add a search to a list",
        openWorld: true,
        when: "lead_search_add_search_status shows its progress.",
      },
      lead_search_add_search_status: {
        operation: addSearchStatus,
        title: "Status of an added search",
        readOnly: true,
        when: "The jobId comes from lead_search_add_search_to_list.",
      },
    },
  },
  examples: {
    lists: [
      { at: "post /lead-search/lists", title: "Create a prospect list", body: { name: "Sales in Berlin" } },
      { at: "post /lead-search/lists", title: "Create a second list", body: { name: "Later" } },
    ],
    people: [
      {
        at: "post /lead-search/lists/:listId/items",
        title: "Add people to a list",
        body: { prospectIds: [ids.prospectId] },
      },
      {
        at: "post /lead-search/lists/:listId/add-search",
        title: "Add all results of a search",
        body: { filters: { titles: ["Head of Sales"] }, maxItems: 500 },
      },
      {
        at: "post /lead-search/lists/:listId/items/remove",
        title: "Remove people from a list",
        body: { prospectIds: [ids.prospectId] },
      },
      {
        at: "post /lead-search/lists/:fromListId/copy",
        title: "Move all people to another list",
        body: { toListId: ids.otherSearchListId, mode: "MOVE" },
      },
      {
        at: "post /lead-search/lists/:fromListId/leads",
        title: "Create leads from revealed people",
        body: { leadListId: ids.listId },
      },
    ],
  },
} as const satisfies Declaration;
