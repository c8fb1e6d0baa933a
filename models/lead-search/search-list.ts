import { counter, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** A list of prospects. Each member contains the list's id in its `listIds`. */
export interface SearchList extends Owned {
  name: string;
  description: string | null;
  itemCount: number;
}

export const SearchList = tenantModel<SearchList>(
  "SearchList",
  "search_lists",
  { name: required, description: text, itemCount: counter },
  [{ fields: { workspaceId: 1, _id: -1 } }],
);
