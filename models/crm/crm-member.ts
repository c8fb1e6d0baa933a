import { counter, flag, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** A contact of an imported segment, as it was last read. `_id` is `<importId>:<recordId>`. */
export interface CrmMember extends Owned {
  importId: string;
  connectionId: string;
  recordId: string;
  /** Normalised; null when the contact has no usable address. */
  email: string | null;
  /** A hash of the imported fields; it shows whether one of them has changed. */
  hash: string;
  /** The last round of the import in which the member was seen. */
  round: number;
  /** Whether the person had opted out at the CRM. */
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
