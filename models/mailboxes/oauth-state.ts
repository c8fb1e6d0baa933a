import { PROVIDERS, type ProviderName } from "../../domain/mailboxes/provider.ts";
import { MAILBOX_STATUSES, type MailboxStatus } from "../../domain/states.ts";
import { oneOf, required, tenantModel, text } from "../../mongo/schema.ts";
import { CONSENT_ENDS, consentFields, type VendorConsent } from "../vendor-consent.ts";

/** The consent of a mailbox's user, in progress. */
export interface OAuthState extends VendorConsent<ProviderName> {
  redirectUri: string;
  /** Our path to which the browser returns; null when none was given. States of earlier versions have none. */
  returnTo: string | null;
  /**
   * The result: the mailbox, the grant with which it logs in, and the mailbox's status before; null for a new mailbox.
   */
  mailboxId: string | null;
  grantId: string | null;
  mailboxBefore: MailboxStatus | null;
}

export const OAuthState = tenantModel<OAuthState>(
  "OAuthState",
  "oauth_states",
  {
    ...consentFields(PROVIDERS),
    redirectUri: required,
    returnTo: text,
    mailboxId: text,
    grantId: text,
    mailboxBefore: oneOf(MAILBOX_STATUSES),
  },
  [CONSENT_ENDS],
);
