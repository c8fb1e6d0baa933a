import { counter, type Owned, tenantModel } from "../../mongo/schema.ts";

/**
 * The newest entry of a workspace's audit chain: its number and hash. `_id` is the workspace. The transaction that adds
 * an entry to the chain also updates this document.
 */
export interface AuditHead extends Owned {
  seq: number;
  hash: string;
  /** The newest entry that a retention deleted: its number and hash. The chain is verified from there on. */
  deletedSeq: number;
  deletedHash: string;
}

export const AuditHead = tenantModel<AuditHead>("AuditHead", "audit_heads", {
  seq: counter,
  hash: { type: String, default: "" },
  deletedSeq: counter,
  deletedHash: { type: String, default: "" },
});
