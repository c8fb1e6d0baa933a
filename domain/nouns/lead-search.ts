import type { NounFacts } from "./noun.ts";

export const leadSearchNouns = [
  { noun: "prospect", missing: { code: "PROSPECT_NOT_FOUND", says: "The lead search has no such prospect" } },
  { noun: "known prospect", prefix: "kpr" },
  { noun: "prospect list", prefix: "srl", limit: { name: "searchLists", most: 1_000, called: "prospect lists" } },
  {
    noun: "saved search",
    prefix: "svs",
    missing: { code: "SAVED_SEARCH_NOT_FOUND", says: "This workspace has no such saved search" },
    limit: { name: "savedSearches", most: 1_000, called: "saved searches" },
  },
  { noun: "import of people", prefix: "psi" },
] as const satisfies readonly NounFacts[];
