import { createHash } from "node:crypto";

/**
 * The id of the guard document that every claim for this address writes. `email` is normalised, or the replacement for
 * an erased address.
 */
export function guardId(workspaceId: string, email: string): string {
  return `${workspaceId}:${hashOf(email)}`;
}

/** The prefix of an erased address. No real address starts with it, because a local part contains no colon. */
const ERASED = "erased:";

/**
 * The replacement for the address of a deleted lead, or of a recipient whose retention has passed. It contains the
 * hash, so that an old unsubscribe link still finds the guard.
 */
export function erasedAddressOf(email: string): string {
  return `${ERASED}${hashOf(email)}`;
}

/**
 * The replacement for a recipient's address where another recipient of the campaign may need `erasedAddressOf`, which
 * is unique in a campaign.
 */
export function ownErasedAddressOf(email: string, recipientId: string): string {
  return `${erasedAddressOf(email)}:${recipientId}`;
}

/** Whether an address is the replacement for one that was erased. */
export function isErasedAddress(email: string): boolean {
  return email.startsWith(ERASED);
}

/** The texts with the prefix are those from `from` up to but excluding `to`. */
export const ERASED_RANGE = { from: ERASED, to: "erased;" } as const;

/** All replacements for this address: `erasedAddressOf`, and those with the id of a recipient. */
export function erasedRangeOf(email: string): { $gte: string; $lt: string } {
  const erased = erasedAddressOf(email);
  return { $gte: erased, $lt: `${erased};` };
}

function hashOf(email: string): string {
  const erased = isErasedAddress(email) ? email.split(":")[1] : undefined;
  return erased ?? createHash("sha256").update(email).digest("hex");
}
