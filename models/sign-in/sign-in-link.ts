import type { Sealed } from "../../domain/access/seal.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Base, flag, globalModel, instant, secret, text } from "../../mongo/schema.ts";

/** A link through which a person can set a password once. `_id` is the SHA-256 of its token. */
export interface SignInLink extends Base {
  /** The person who sets the password; null for an invite, whose person may not exist yet. */
  userId: string | null;
  inviteId: string | null;
  /** The workspace of the invite. */
  workspaceId: string | null;
  /** Whether following the link removes the second factor. Operators create such links for people who lost theirs. */
  removesSecondFactor: boolean;
  /**
   * The encrypted token of the link for the first user, which each start prints until it is used. Null for every other
   * link, so that nothing stored reveals its token.
   */
  sealedToken: Sealed | null;
  expiresAt: Date;
  usedAt: Date | null;
}

const KEPT_SECONDS = 7 * DAY_SECONDS;

export const SignInLink = globalModel<SignInLink>(
  "SignInLink",
  "sign_in_links",
  {
    workspaceId: text,
    userId: text,
    inviteId: text,
    removesSecondFactor: flag,
    sealedToken: secret,
    expiresAt: { type: Date, required: true },
    usedAt: instant,
  },
  // An expired link is kept for a week, so that a late visitor learns why it no longer works
  [
    { fields: { expiresAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
    { fields: { inviteId: 1 } },
    { fields: { userId: 1 } },
  ],
);
