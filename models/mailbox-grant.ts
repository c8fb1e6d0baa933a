import type { Sealed } from "../domain/access/seal.ts";
import type { ProviderName } from "../domain/mailboxes/provider.ts";
import { IS_INSTANT, instant, mixed, type Owned, oneOf, required, tenantModel, text } from "../mongo/schema.ts";

/** What a provider's user allowed: apart from the mailbox, whose document every claim writes. */
export interface MailboxGrant extends Owned {
  mailboxId: string;
  provider: ProviderName;
  sealedRefreshToken: Sealed;
  sealedAccessToken: Sealed | null;
  accessExpiresAt: Date | null;
  /** Who asks for a new token now; the others wait for it. */
  leaseId: string | null;
  leaseUntil: Date | null;
  /** Nothing logs in by it any more: the provider took it back, or the mailbox was disconnected. */
  revokedAt: Date | null;
  /** Of a disconnected mailbox: the provider is to be told by then, and then it is erased. */
  endsAt: Date | null;
  /** Of a disconnected mailbox, whose own record may be dropped first: its address. */
  email: string | null;
}

export const MailboxGrant = tenantModel<MailboxGrant>(
  "MailboxGrant",
  "mailbox_grants",
  {
    mailboxId: required,
    provider: oneOf(["A", "B"], "A"),
    sealedRefreshToken: { type: Object, required: true },
    sealedAccessToken: mixed,
    accessExpiresAt: instant,
    leaseId: text,
    leaseUntil: instant,
    revokedAt: instant,
    endsAt: instant,
    email: text,
  },
  [{ fields: { workspaceId: 1, mailboxId: 1 } }, { fields: { endsAt: 1 }, expireAfterSeconds: 0, where: { endsAt: IS_INSTANT } }],
);
