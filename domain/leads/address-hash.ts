import { createHash, createHmac, createSecretKey } from "node:crypto";

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

/** Turns a text that stands for an address into one that only the holder of a key can compute. */
export type KeyedHash = (text: string) => string;

/** The keyed hash of a key: HMAC-SHA256 in base64url. The key is prepared once, because that takes longer than the hash. */
export function keyedHashBy(key: Buffer): KeyedHash {
  const secret = createSecretKey(key);
  return (text) => createHmac("sha256", secret).update(text).digest("base64url");
}
