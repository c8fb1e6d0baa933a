import { createHash } from "node:crypto";

/** How many bytes of the hash are kept: enough that no two addresses share them. */
const KEPT = 16;

/** How an address is found by its SHA-256: the beginning of that hash, in base64url. */
export function addressHashOf(email: string): string {
  return shortHash(createHash("sha256").update(email).digest());
}

/** The same from the whole hash as other systems send it: 64 hexadecimal digits. */
export function addressHashFrom(hex: string): string {
  return shortHash(Buffer.from(hex, "hex"));
}

function shortHash(hash: Buffer): string {
  return hash.subarray(0, KEPT).toString("base64url");
}
