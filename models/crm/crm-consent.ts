import type { Sealed } from "../../domain/access/seal.ts";
import { CRM_PROVIDERS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { secret, tenantModel, text } from "../../mongo/schema.ts";
import { CONSENT_ENDS, consentFields, type VendorConsent } from "../vendor-consent.ts";

/**
 * A connection to a CRM in the making: by a consent, or by a token that a person gave and that waits here for the
 * vendor's yes.
 */
export interface CrmConsent extends VendorConsent<CrmProviderName> {
  redirectUri: string | null;
  sealedApiToken: Sealed | null;
  connectionId: string | null;
}

export const CrmConsent = tenantModel<CrmConsent>(
  "CrmConsent",
  "crm_consents",
  { ...consentFields(CRM_PROVIDERS), redirectUri: text, sealedApiToken: secret, connectionId: text },
  [CONSENT_ENDS],
);
