import type { Sealed } from "../domain/access/seal.ts";
import type { ProviderName } from "../domain/mailboxes/provider.ts";
import { MAILBOX_STATUSES, type MailboxStatus } from "../domain/states.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { instant, mixed, type Owned, oneOf, required, tenantModel, text } from "../mongo/schema.ts";

/** A consent under way: `_id` is the SHA-256 of its `state`, which nobody can read back. Good once, for ten minutes. */
export interface OAuthState extends Owned {
  provider: ProviderName;
  /** Who began it: the credential must still be allowed to connect mailboxes when the browser returns. */
  credentialId: string;
  credentialKind: "API_KEY" | "OAUTH";
  redirectUri: string;
  /** The secrets of PKCE and of the provider's answer; null once they were used. */
  sealedVerifier: Sealed | null;
  sealedCode: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
  /** What it came to: the mailbox, the consent that it lives by, and how it stood before; null for one that is new. */
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
    credentialKind: oneOf(["API_KEY", "OAUTH"], "API_KEY"),
    redirectUri: required,
    sealedVerifier: mixed,
    sealedCode: mixed,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
    mailboxId: text,
    grantId: text,
    mailboxBefore: oneOf(MAILBOX_STATUSES),
  },
  // Kept a day longer, so that one who comes late reads why
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
);
