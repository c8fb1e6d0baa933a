import type { Sealed } from "../../domain/access/seal.ts";
import { CRM_PROVIDERS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { secret, tenantModel, text } from "../../mongo/schema.ts";
import { CONSENT_ENDS, consentFields, type VendorConsent } from "../vendor-consent.ts";

/**
 * A connection to a CRM that is not finished. It is completed by a consent, or by a token that a person entered. The
 * token is stored here until the vendor accepts it.
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
