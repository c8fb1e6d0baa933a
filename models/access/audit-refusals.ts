import { counter, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";
import type { AuditEntry } from "./audit-entry.ts";

/**
 * Counts the calls of one credential to one sensitive operation that were refused within one minute. Only the first of
 * them has an entry in the audit chain.
 */
export interface AuditRefusals extends Owned {
  actor: AuditEntry["actor"];
  action: string;
  /** When the minute began. */
  minute: Date;
  count: number;
  /** How many calls were refused with each error code. */
  codes: Record<string, number>;
  expiresAt: Date;
}

export const AuditRefusals = tenantModel<AuditRefusals>(
  "AuditRefusals",
  "audit_refusals",
  {
    actor: mixed,
    action: required,
    minute: { type: Date, required: true },
    count: counter,
    codes: mixed,
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { workspaceId: 1, minute: -1 } }, { fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
