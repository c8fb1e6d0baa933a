import { counter, type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * The newest entry of a workspace's audit chain: its number and hash. `_id` is the workspace. The transaction that adds
 * an entry to the chain also updates this document.
 */
export interface AuditHead extends Owned {
  seq: number;
  hash: string;
}

export const AuditHead = tenantModel<AuditHead>("AuditHead", "audit_heads", {
  seq: counter,
  hash: { type: String, default: "" },
});
