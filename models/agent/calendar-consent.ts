import { PROVIDERS, type ProviderName } from "../../domain/mailboxes/provider.ts";
import { required, tenantModel } from "../../mongo/schema.ts";
import { CONSENT_ENDS, consentFields, type VendorConsent } from "../vendor-consent.ts";

/** A consent to read busy times that the user has not finished yet. */
export interface CalendarConsent extends VendorConsent<ProviderName> {
  redirectUri: string;
}

export const CalendarConsent = tenantModel<CalendarConsent>(
  "CalendarConsent",
  "calendar_consents",
  { ...consentFields(PROVIDERS), redirectUri: required },
  [CONSENT_ENDS],
);
