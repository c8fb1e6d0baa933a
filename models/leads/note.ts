import { type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** A note that someone wrote about a lead. */
export interface Note extends Owned {
  leadId: string;
  authorUserId: string;
  body: string;
}

export const Note = tenantModel<Note>("Note", "notes", { leadId: required, authorUserId: required, body: required }, [
  { fields: { workspaceId: 1, leadId: 1, _id: -1 } },
]);
