import type { Sealed } from "../domain/access/seal.ts";
import { PROVIDERS, type ProviderName } from "../domain/mailboxes/provider.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, secret, tenantModel } from "../mongo/schema.ts";

/** A consent to read busy times, in progress. `_id` is the SHA-256 of its `state`; it is valid once, for ten minutes. */
export interface CalendarConsent extends Owned {
  provider: ProviderName;
  /** The credential that began it. It must still be allowed to when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH" | "CONSOLE";
  redirectUri: string;
  /** Null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
}

export const CalendarConsent = tenantModel<CalendarConsent>(
  "CalendarConsent",
  "calendar_consents",
  {
    provider: oneOf(PROVIDERS, PROVIDERS[0]),
    credentialId: required,
    credentialKind: oneOf(["API_KEY", "OAUTH", "CONSOLE"], "API_KEY"),
    redirectUri: required,
    sealedVerifier: secret,
    sealedCode: secret,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
  },
  // Kept a day longer, so that a browser that returns late is told why
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: DAY_SECONDS }],
);
