import { PROVIDERS, type ProviderName } from "../../domain/mailboxes/provider.ts";
import { MAILBOX_STATUSES, type MailboxStatus } from "../../domain/states.ts";
import { oneOf, required, tenantModel, text } from "../../mongo/schema.ts";
import { CONSENT_ENDS, consentFields, type VendorConsent } from "../vendor-consent.ts";

/** A consent that the user of a mailbox has not finished yet. */
export interface OAuthState extends VendorConsent<ProviderName> {
  redirectUri: string;
  /**
   * The path on our site to which the browser returns; null when none was given. Absent in documents of earlier
   * versions.
   */
  returnTo: string | null;
  /** The shared mailbox that the user opens, to be connected instead of the user's own; null when it is the own one. */
  sharedMailbox: string | null;
  /**
   * The result of the consent: the mailbox, the grant that it logs in with, and its earlier status. `mailboxBefore` is
   * null for a new mailbox.
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
    sharedMailbox: text,
    mailboxId: text,
    grantId: text,
    mailboxBefore: oneOf(MAILBOX_STATUSES),
  },
  [CONSENT_ENDS],
);
