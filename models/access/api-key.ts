import type { StoredPolicy } from "../../domain/access/policy.ts";
import type { Scope } from "../../domain/scopes.ts";
import { globalModel, instant, mixed, type Owned, required, text, texts } from "../../mongo/schema.ts";

/** An API key. It is looked up by `keyId` before any workspace is known, so it is not in a tenant's collection. */
export interface ApiKey extends Owned {
  keyId: string;
  secretHash: string;
  name: string;
  scopes: Scope[];
  createdBy: string;
  /** Absent in keys of earlier versions, which send directly. */
  policy?: StoredPolicy | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedIp: string | null;
}

export const ApiKey = globalModel<ApiKey>(
  "ApiKey",
  "api_keys",
  {
    workspaceId: required,
    keyId: required,
    secretHash: { ...required, isSecret: true },
    name: required,
    scopes: texts,
    createdBy: required,
    policy: mixed,
    expiresAt: instant,
    revokedAt: instant,
    lastUsedAt: instant,
    lastUsedIp: text,
  },
  [{ fields: { keyId: 1 }, unique: true }, { fields: { workspaceId: 1 } }],
);
