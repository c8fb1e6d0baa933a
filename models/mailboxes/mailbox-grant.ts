import type { Sealed } from "../../domain/access/seal.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { IS_INSTANT, instant, type Owned, oneOf, required, secret, tenantModel, text } from "../../mongo/schema.ts";

/**
 * The OAuth tokens that a user granted at the provider, or an organisation for its mailboxes. They are stored apart from the mailbox, because every claim
 * writes the mailbox's document.
 */
export interface MailboxGrant extends Owned {
  mailboxId: string;
  provider: ProviderName;
  sealedRefreshToken: Sealed;
  /**
   * The address for which an organisation's permission gets tokens, without a refresh token; null for a user's own
   * consent, and absent in grants of earlier versions.
   */
  delegatedTo?: string | null;
  sealedAccessToken: Sealed | null;
  accessExpiresAt: Date | null;
  /** The holder of the lease gets a new access token; others wait for it. */
  leaseId: string | null;
  leaseUntil: Date | null;
  /**
   * From this instant nothing logs in with the grant, because the provider revoked it or the mailbox was disconnected.
   */
  revokedAt: Date | null;
  /** For a disconnected mailbox: until when we try to revoke the grant at the provider. Then the grant is deleted. */
  endsAt: Date | null;
  /** The user of a disconnected mailbox, whose own document may be deleted before the grant. */
  email: string | null;
}

export const MailboxGrant = tenantModel<MailboxGrant>(
  "MailboxGrant",
  "mailbox_grants",
  {
    mailboxId: required,
    provider: oneOf(["A", "B"], "A"),
    sealedRefreshToken: { type: Object, required: true, isSecret: true },
    sealedAccessToken: secret,
    delegatedTo: text,
    accessExpiresAt: instant,
    leaseId: text,
    leaseUntil: instant,
    revokedAt: instant,
    endsAt: instant,
    email: text,
  },
  [
    { fields: { workspaceId: 1, mailboxId: 1 } },
    { fields: { endsAt: 1 }, expireAfterSeconds: 0, where: { endsAt: IS_INSTANT } },
  ],
);
