import type { Sealed } from "../domain/access/seal.ts";
import { CRM_PROVIDERS, type CrmProviderName } from "../domain/crm/provider.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, secret, tenantModel, text } from "../mongo/schema.ts";

/**
 * A connection to a CRM in the making. Of a consent, `_id` is the SHA-256 of its `state`, which cannot be recovered from it; it is valid
 * once, for ten minutes. A token that a person gave waits here, sealed, for the vendor's yes.
 */
export interface CrmConsent extends Owned {
  provider: CrmProviderName;
  /** The credential that began it. It must still be allowed to connect when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH" | "CONSOLE";
  redirectUri: string | null;
  /** Null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  sealedApiToken: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
  connectionId: string | null;
}

export const CrmConsent = tenantModel<CrmConsent>(
  "CrmConsent",
  "crm_consents",
  {
    provider: oneOf(CRM_PROVIDERS, CRM_PROVIDERS[0]),
    credentialId: required,
    credentialKind: oneOf(["API_KEY", "OAUTH", "CONSOLE"], "API_KEY"),
    redirectUri: text,
    sealedVerifier: secret,
    sealedCode: secret,
    sealedApiToken: secret,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
    connectionId: text,
  },
  // Kept a day longer, so that a browser that returns late is told why
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: DAY_SECONDS }],
);
