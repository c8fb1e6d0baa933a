import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/**
 * Creates a secret that is given out once, and its SHA-256 to store. A secret has enough entropy, so it needs no slow
 * hash.
 */
export function newSecret(): { value: string; hash: string } {
  const value = randomBytes(SECRET_BYTES).toString("base64url");
  return { value, hash: hashOf(value) };
}

export function hashOf(value: string): string {
  return createHash("sha256").update(value).digest("base64url");
}
