import type { Sealed } from "../domain/access/seal.ts";
import type { ProviderName } from "../domain/mailboxes/provider.ts";
import { MAILBOX_STATUSES, type MailboxStatus } from "../domain/states.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, type Owned, oneOf, required, secret, tenantModel, text } from "../mongo/schema.ts";

/** A consent in progress. `_id` is the SHA-256 of its `state`, which cannot be recovered from it. It is valid once, for ten minutes. */
export interface OAuthState extends Owned {
  provider: ProviderName;
  /** The credential that began the consent. It must still be allowed to connect mailboxes when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH" | "CONSOLE";
  redirectUri: string;
  /** The PKCE verifier and the code from the provider; null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
  /** The result: the mailbox, the grant with which it logs in, and the mailbox's status before; null for a new mailbox. */
  mailboxId: string | null;
  grantId: string | null;
  mailboxBefore: MailboxStatus | null;
}

const KEPT_SECONDS = DAY_SECONDS;

export const OAuthState = tenantModel<OAuthState>(
  "OAuthState",
  "oauth_states",
  {
    provider: oneOf(["A", "B"], "A"),
    credentialId: required,
    credentialKind: oneOf(["API_KEY", "OAUTH", "CONSOLE"], "API_KEY"),
    redirectUri: required,
    sealedVerifier: secret,
    sealedCode: secret,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
    mailboxId: text,
    grantId: text,
    mailboxBefore: oneOf(MAILBOX_STATUSES),
  },
  // Kept a day longer, so that a browser that returns late is told why
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
