import type { Sealed } from "../domain/access/seal.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, secret } from "../mongo/schema.ts";

/**
 * A consent at a vendor, in progress. `_id` is the SHA-256 of its `state`, so a stored document does not reveal the
 * `state`. A consent can be used once, within ten minutes.
 */
export interface VendorConsent<P extends string = string> extends Owned {
  provider: P;
  /** The credential that began the consent. It must still have the required scope when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH" | "CONSOLE";
  /** The PKCE verifier and the vendor's authorization code, encrypted; null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
}

/** The schema fields that all consents share. `providers` are the names of the vendors. */
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

/** An expired consent is kept for a day, so that a browser that returns late gets the reason. */
export const CONSENT_ENDS = { fields: { expiresAt: 1 as const }, expireAfterSeconds: DAY_SECONDS };
