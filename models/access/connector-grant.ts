import type { StoredPolicy } from "../../domain/access/policy.ts";
import type { Scope } from "../../domain/scopes.ts";
import { instant, mixed, type Owned, required, tenantModel, texts } from "../../mongo/schema.ts";

/**
 * The access that a person gave one application in one workspace. A person can only see and revoke a grant as a whole.
 * A revoked grant is deleted.
 */
export interface ConnectorGrant extends Owned {
  userId: string;
  clientId: string;
  /** What the application calls itself. */
  clientName: string;
  scopes: Scope[];
  policy: StoredPolicy;
  lastUsedAt: Date | null;
  /** When the last code or token of the grant expires. After that the application can no longer use the grant. */
  expiresAt: Date;
}

export const ConnectorGrant = tenantModel<ConnectorGrant>(
  "ConnectorGrant",
  "connector_grants",
  {
    userId: required,
    clientId: required,
    clientName: required,
    scopes: texts,
    policy: mixed,
    lastUsedAt: instant,
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { workspaceId: 1, userId: 1 } }, { fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
