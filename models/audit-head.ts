import { counter, type Owned, tenantModel } from "../mongo/schema.ts";

/** The end of a workspace's chain; `_id` is the workspace. It moves in the transaction of the entry. */
export interface AuditHead extends Owned {
  seq: number;
  hash: string;
}

export const AuditHead = tenantModel<AuditHead>("AuditHead", "audit_heads", { seq: counter, hash: { type: String, default: "" } });
