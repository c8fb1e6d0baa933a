import { createHmac } from "node:crypto";

/** A new signing secret from 32 random bytes: `whsec_` and their base64 (webhooks.md 6). The whole string is the key. */
export function newSigningSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== 32) throw new RangeError("A signing secret is made of 32 bytes");
  return `whsec_${Buffer.from(randomBytes).toString("base64")}`;
}

/** `sha256=<hex>`: the HMAC-SHA256 of the exact body bytes, keyed with the whole secret (interface 6.2). */
export function signBody(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
