import { counter, mixed, type Owned, required, tenantModel } from "../../mongo/schema.ts";
import type { AuditEntry } from "./audit-entry.ts";

/**
 * The refused calls of one credential to one sensitive verb within one minute. The audit chain contains an entry for
 * the first of them.
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
