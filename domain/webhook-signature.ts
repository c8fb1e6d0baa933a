import { createHmac } from "node:crypto";
import type { Sealed, SealPlace } from "./access/seal.ts";

/**
 * Makes a signing secret from 32 random bytes: `whsec_` followed by their base64 (rules/webhooks 5). The whole string
 * is the key.
 */
export function newSigningSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== 32) throw new RangeError("A signing secret is made of 32 bytes");
  return `whsec_${Buffer.from(randomBytes).toString("base64")}`;
}

/**
 * The signature header `sha256=<hex>`: the HMAC-SHA256 of the exact body bytes, keyed with the whole secret
 * (rules/webhooks 1.1).
 */
export function signBody(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/**
 * Where a subscription's secrets are stored, as the encryption records it. The next secret has the same place, so that
 * it can replace the first one without being encrypted again.
 */
export function secretPlace(workspaceId: string, subscriptionId: string): SealPlace {
  return { workspaceId, collection: "webhook_subscriptions", documentId: subscriptionId, field: "secret" };
}

/**
 * The encrypted secrets that sign at an instant (rules/webhooks 5): during the overlap of a rotation both, afterwards
 * only the new one.
 */
export function signingAt(
  {
    sealedSecret,
    sealedNextSecret,
    rotationEndsAt,
  }: { sealedSecret: Sealed; sealedNextSecret: Sealed | null; rotationEndsAt: Date | null },
  now: Date,
): { secret: Sealed; nextSecret: Sealed | null } {
  if (sealedNextSecret === null) return { secret: sealedSecret, nextSecret: null };
  const overlaps = rotationEndsAt !== null && rotationEndsAt > now;
  return overlaps
    ? { secret: sealedSecret, nextSecret: sealedNextSecret }
    : { secret: sealedNextSecret, nextSecret: null };
}
