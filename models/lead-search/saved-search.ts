import type { ProspectFilters } from "../../domain/lead-search/filters.ts";
import { instant, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** Filters that someone saved to repeat a search. */
export interface SavedSearch extends Owned {
  name: string;
  filters: ProspectFilters;
  lastRunAt: Date | null;
}

export const SavedSearch = tenantModel<SavedSearch>(
  "SavedSearch",
  "saved_searches",
  { name: required, filters: mixed, lastRunAt: instant },
  [{ fields: { workspaceId: 1, _id: -1 } }],
);
