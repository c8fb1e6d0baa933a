import { type Owned, required, tenantModel } from "./schema.ts";

/** `_id` is `<listId>:<leadId>`, so joining twice is joining once. */
export interface ListMember extends Owned {
  listId: string;
  leadId: string;
}

export const ListMember = tenantModel<ListMember>("ListMember", "list_members", { listId: required, leadId: required }, [
  { fields: { workspaceId: 1, listId: 1, leadId: 1 } },
  { fields: { workspaceId: 1, leadId: 1 } },
]);
