import { createHmac } from "node:crypto";
import type { Place, Sealed } from "./access/seal.ts";

/** A new signing secret from 32 random bytes: `whsec_` and their base64 (webhooks.md 6). The whole string is the key. */
export function newSigningSecret(randomBytes: Uint8Array): string {
  if (randomBytes.length !== 32) throw new RangeError("A signing secret is made of 32 bytes");
  return `whsec_${Buffer.from(randomBytes).toString("base64")}`;
}

/** `sha256=<hex>`: the HMAC-SHA256 of the exact body bytes, keyed with the whole secret (interface 6.2). */
export function signBody(secret: string, body: Uint8Array): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Where a subscription's secrets are sealed; the next one too, so that it can take the place of the first. */
export function secretPlace(workspaceId: string, subscriptionId: string): Place {
  return { workspaceId, collection: "webhook_subscriptions", documentId: subscriptionId, field: "secret" };
}

/** Which sealed secrets sign at an instant (webhooks.md 6): while a rotation overlaps both, then the new one alone. */
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
  return overlaps ? { secret: sealedSecret, nextSecret: sealedNextSecret } : { secret: sealedNextSecret, nextSecret: null };
}
