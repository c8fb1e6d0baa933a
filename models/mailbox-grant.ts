import type { ProviderName } from "../domain/mail-provider.ts";
import type { Sealed } from "../domain/seal.ts";
import { instant, mixed, type Owned, oneOf, required, tenantModel, text } from "./schema.ts";

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
  /** The provider says it is not valid any more. */
  revokedAt: Date | null;
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
  },
  [{ fields: { workspaceId: 1, mailboxId: 1 } }],
);
