import type { Sealed } from "../domain/access/seal.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, secret } from "../mongo/schema.ts";

/**
 * A consent at a vendor, in progress. `_id` is the SHA-256 of its `state`, which cannot be recovered from it. It is
 * valid once, for ten minutes.
 */
export interface VendorConsent<P extends string = string> extends Owned {
  provider: P;
  /** The credential that began it. It must still have that right when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH" | "CONSOLE";
  /** The PKCE verifier and the code from the vendor; null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
}

/** How it is stored: with its own fields, the vendors' names and the address to which they redirect. */
export function consentFields<const P extends readonly [string, ...string[]]>(providers: P) {
  return {
    provider: oneOf(providers, providers[0]),
    credentialId: required,
    credentialKind: oneOf(["API_KEY", "OAUTH", "CONSOLE"], "API_KEY"),
    sealedVerifier: secret,
    sealedCode: secret,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
  };
}

/** Kept a day longer, so that a browser that returns late learns why. */
export const CONSENT_ENDS = { fields: { expiresAt: 1 as const }, expireAfterSeconds: DAY_SECONDS };
