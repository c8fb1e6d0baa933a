import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/**
 * A secret that is given away once, and what is stored of it: its SHA-256. It is random enough to need no slow hash.
 */
export function newSecret(): { value: string; hash: string } {
  const value = randomBytes(SECRET_BYTES).toString("base64url");
  return { value, hash: hashOf(value) };
}

export function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
