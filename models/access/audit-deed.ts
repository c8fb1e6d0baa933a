import { mixed, type Owned, tenantModel } from "../../mongo/schema.ts";
import type { AuditEntry } from "./audit-entry.ts";

/** What an audit entry says, without its place in the chain. */
export type DeedFacts = Omit<AuditEntry, keyof Owned | "seq" | "prevHash" | "hash">;

/**
 * An audit entry that has no place in the chain yet. A stop, and the first of a group of refused calls, write a deed in
 * their own transaction and not the head of the chain, because all other sensitive calls compete for that head. A
 * moment later the deed becomes the entry with the same id.
 */
export interface AuditDeed extends Owned {
  facts: DeedFacts;
}

export const AuditDeed = tenantModel<AuditDeed>("AuditDeed", "audit_deeds", { facts: mixed }, [
  { fields: { workspaceId: 1, _id: 1 } },
]);
