import { VERIFICATION_RESULTS, type VerificationResultName } from "../../domain/verification/results.ts";
import { VERIFICATION_REASONS, type VerificationReason } from "../../domain/verification.ts";
import { type Base, globalModel, number, oneOf, required, text } from "../../mongo/schema.ts";

/**
 * What a mail server said about an address. All workspaces share the result, so a server is asked about an address only
 * once in thirty days (rules/verification 3.3). `_id` is a keyed hash of the address.
 */
export interface VerifiedAddress extends Base {
  domain: string;
  result: VerificationResultName;
  reason: VerificationReason;
  smtpCode: number | null;
  enhancedCode: string | null;
  checkedAt: Date;
  expiresAt: Date;
}

export const VerifiedAddress = globalModel<VerifiedAddress>(
  "VerifiedAddress",
  "verified_addresses",
  {
    domain: required,
    result: oneOf(VERIFICATION_RESULTS, "UNKNOWN"),
    reason: oneOf(VERIFICATION_REASONS, "UNCLEAR"),
    smtpCode: number,
    enhancedCode: text,
    checkedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
