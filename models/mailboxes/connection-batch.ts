import type { Sealed } from "../../domain/access/seal.ts";
import { type Owned, secret, tenantModel } from "../../mongo/schema.ts";

/**
 * The credentials of many mailboxes that are tested together; `ConnectionTest` holds those of one mailbox. Deleted
 * after ten minutes.
 */
export interface ConnectionBatch extends Owned {
  /** The rows as encrypted JSON; null once the test has run. */
  sealedRows: Sealed | null;
}

export const ConnectionBatch = tenantModel<ConnectionBatch>(
  "ConnectionBatch",
  "connection_batches",
  { sealedRows: secret },
  [{ fields: { workspaceId: 1, createdAt: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 600 }],
);
