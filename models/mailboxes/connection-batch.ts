import type { Sealed } from "../../domain/access/seal.ts";
import { type Owned, secret, tenantModel } from "../../mongo/schema.ts";

/** Many credentials that are being tested at once, as `ConnectionTest` is for one. Deleted after ten minutes. */
export interface ConnectionBatch extends Owned {
  /** The rows as JSON; null once the test has been made. */
  sealedRows: Sealed | null;
}

export const ConnectionBatch = tenantModel<ConnectionBatch>(
  "ConnectionBatch",
  "connection_batches",
  { sealedRows: secret },
  [{ fields: { workspaceId: 1, createdAt: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 600 }],
);
