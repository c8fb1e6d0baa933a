import { counter, flag, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** A contact of an imported segment, as it was last read. `_id` is `<importId>:<recordId>`. */
export interface CrmMember extends Owned {
  importId: string;
  connectionId: string;
  recordId: string;
  /** Normalised; null where the contact has no address that can be written to. */
  email: string | null;
  /** Tells whether anything that is imported of it has changed. */
  hash: string;
  /** The round of its import in which it was last seen. */
  round: number;
  /** Whether the person had asked, at the CRM, not to be written to. */
  isOptedOut: boolean;
}

export const CrmMember = tenantModel<CrmMember>(
  "CrmMember",
  "crm_members",
  {
    importId: required,
    connectionId: required,
    recordId: required,
    email: text,
    hash: required,
    round: counter,
    isOptedOut: flag,
  },
  [
    { fields: { workspaceId: 1, importId: 1, round: 1 } },
    { fields: { workspaceId: 1, importId: 1, email: 1 } },
    { fields: { workspaceId: 1, connectionId: 1, email: 1 } },
  ],
);
