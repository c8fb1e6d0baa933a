import { type Base, globalModel, instant, required, text } from "../../mongo/schema.ts";

/**
 * A request for an account. The person confirms the address through a link in an email. `_id` is the SHA-256 of the
 * token in that link.
 */
export interface SignUpRequest extends Base {
  /** In lower case. */
  email: string;
  workspaceName: string;
  /** The id of the recipient whose click led to the sign-up page; null when there is none. */
  cid: string | null;
  expiresAt: Date;
  usedAt: Date | null;
}

export const SignUpRequest = globalModel<SignUpRequest>(
  "SignUpRequest",
  "sign_up_requests",
  { email: required, workspaceName: required, cid: text, expiresAt: { type: Date, required: true }, usedAt: instant },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }, { fields: { email: 1, createdAt: 1 } }],
);
