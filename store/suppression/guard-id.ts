import { createHash } from "node:crypto";
import { keyedHash } from "../address-key.ts";

/**
 * The id of the guard document that every claim for this address writes. `email` is normalised, or the replacement for
 * an erased address. The hash has a key, so that no one who has a copy of the database can test addresses against it. It
 * is made from the id that earlier versions used, `<workspaceId>:<SHA-256 of the address>`, so that a migration could
 * compute it without the address (mongo/keyed-addresses.ts).
 */
export function guardId(workspaceId: string, email: string): string {
  return `${workspaceId}:${hashOf(workspaceId, email)}`;
}

/** The prefix of an erased address. No real address starts with it, because a local part contains no colon. */
const ERASED = "erased:";
/** What follows the prefix when a process of an earlier version has written it. */
const UNKEYED = /^[0-9a-f]{64}$/;

/**
 * The replacement for the address of a deleted lead, or of a recipient whose retention has passed. It contains the hash
 * of the guard, so that an old unsubscribe link still finds the guard.
 */
export function erasedAddressOf(workspaceId: string, email: string): string {
  return `${ERASED}${hashOf(workspaceId, email)}`;
}

/**
 * The replacement for a recipient's address where another recipient of the campaign may need `erasedAddressOf`, which
 * is unique in a campaign.
 */
export function ownErasedAddressOf(workspaceId: string, email: string, recipientId: string): string {
  return `${erasedAddressOf(workspaceId, email)}:${recipientId}`;
}

/** Whether an address is the replacement for one that was erased. */
export function isErasedAddress(email: string): boolean {
  return email.startsWith(ERASED);
}

/** The texts with the prefix are those from `from` up to but excluding `to`. */
export const ERASED_RANGE = { from: ERASED, to: "erased;" } as const;

/** All replacements for this address: `erasedAddressOf`, and those with the id of a recipient. */
export function erasedRangeOf(workspaceId: string, email: string): { $gte: string; $lt: string } {
  const erased = erasedAddressOf(workspaceId, email);
  return { $gte: erased, $lt: `${erased};` };
}

function hashOf(workspaceId: string, email: string): string {
  if (!isErasedAddress(email)) return keyedHash(`${workspaceId}:${createHash("sha256").update(email).digest("hex")}`);
  const hash = email.split(":")[1] ?? "";
  return UNKEYED.test(hash) ? keyedHash(`${workspaceId}:${hash}`) : hash;
}
