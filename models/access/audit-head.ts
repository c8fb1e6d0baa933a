import { counter, type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * The last link of a workspace's audit chain. `_id` is the workspace. It moves in the transaction that writes its
 * entry.
 */
export interface AuditHead extends Owned {
  seq: number;
  hash: string;
}

export const AuditHead = tenantModel<AuditHead>("AuditHead", "audit_heads", {
  seq: counter,
  hash: { type: String, default: "" },
});
