import { createHash } from "node:crypto";

/** Bytes of the hash that are kept: enough that no two addresses share them. */
const KEPT = 16;

/** How an address is found by the SHA-256 of it: the beginning of that hash, in base64url. */
export function addressHashOf(email: string): string {
  return shortHash(createHash("sha256").update(email).digest());
}

/** The same of the whole hash as other systems tell it, 64 digits of base 16. */
export function addressHashFrom(hex: string): string {
  return shortHash(Buffer.from(hex, "hex"));
}

function shortHash(hash: Buffer): string {
  return hash.subarray(0, KEPT).toString("base64url");
}
