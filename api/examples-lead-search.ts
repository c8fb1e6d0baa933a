import { EXAMPLE_IDS, type Example } from "./example.ts";

const ids = EXAMPLE_IDS;

/** Searching people, keeping them in lists, revealing them. */
export const leadSearchExamples: Example[] = [
  {
    at: "post /lead-search/browse",
    title: "Who sells in Berlin",
    body: { filters: { titles: ["Head of Sales"], locations: ["Berlin"], companySizes: ["51-200"] } },
  },
  {
    at: "post /lead-search/companies",
    title: "Companies of an industry",
    body: { filters: { industries: ["Software"], locations: ["Germany"] } },
  },
  { at: "post /lead-search/lists", title: "A list of prospects", body: { name: "Sales in Berlin" } },
  { at: "post /lead-search/lists", title: "Another list", body: { name: "Later" } },
  { at: "post /lead-search/lists/:listId/items", title: "Put people into it", body: { prospectIds: [ids.prospect] } },
  {
    at: "post /lead-search/saved-searches",
    title: "Keep a search",
    body: { name: "Sales in Berlin", filters: { titles: ["Head of Sales"], locations: ["Berlin"] } },
  },
  {
    at: "post /lead-search/lists/:listId/add-search",
    title: "Put a whole search into it",
    body: { filters: { titles: ["Head of Sales"] }, maxItems: 500 },
  },
  { at: "post /lead-search/reveal", title: "Reveal a person", body: { prospectId: ids.prospect, fields: ["EMAIL", "PHONE"] } },
  { at: "post /lead-search/reveal/bulk", title: "Reveal several", body: { prospectIds: [ids.prospect] } },
  { at: "post /lead-search/reveal/list", title: "Reveal a list", body: { listId: ids.searchList, maxCredits: 100 } },
  { at: "post /lead-search/lists/:listId/items/remove", title: "Take people out", body: { prospectIds: [ids.prospect] } },
  { at: "post /lead-search/lists/:fromListId/copy", title: "Move everybody on", body: { toListId: ids.otherSearchList, mode: "MOVE" } },
  { at: "post /lead-search/lists/:fromListId/leads", title: "Make leads of who is revealed", body: { leadListId: ids.list } },
];
