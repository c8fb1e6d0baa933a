import { mixed, type Owned, tenantModel } from "../../mongo/schema.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** What an audit entry says, without its place in the chain. */
export type DeedFacts = Omit<AuditEntry, keyof Owned | "seq" | "prevHash" | "hash">;

/**
 * A deed that waits for its place in the audit chain. A stop, and the first of a group of refused calls, writes one in
 * its own transaction instead of the head of the chain, for which all other sensitive calls compete. It becomes the
 * entry of the same id a moment later.
 */
export interface AuditDeed extends Owned {
  facts: DeedFacts;
}

export const AuditDeed = tenantModel<AuditDeed>("AuditDeed", "audit_deeds", { facts: mixed }, [
  { fields: { workspaceId: 1, _id: 1 } },
]);
