import { createHash } from "node:crypto";

/** How many bytes of the hash are kept: enough that no two addresses share them. */
const KEPT = 16;

/** The hash that finds an address: the beginning of its SHA-256, in base64url. */
export function addressHashOf(email: string): string {
  return shortHash(createHash("sha256").update(email).digest());
}

/** The hash that finds an address, made from the full SHA-256 that other systems send: 64 hex digits. */
export function addressHashFrom(hex: string): string {
  return shortHash(Buffer.from(hex, "hex"));
}

function shortHash(hash: Buffer): string {
  return hash.subarray(0, KEPT).toString("base64url");
}
