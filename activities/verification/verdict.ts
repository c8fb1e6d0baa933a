import { checkAddress, type ProbeAnswer } from "../../domain/verification/judge-address.ts";
import type { VerificationVerdict } from "../../domain/verification/results.ts";

/** A result with all that it rests on. */
export function verdictOf(
  email: string,
  { result, reason }: ProbeAnswer,
  {
    mailHost,
    smtpCode = null,
    enhancedCode = null,
    foundAt = Date.now(),
  }: {
    mailHost: string | null;
    smtpCode?: number | null;
    enhancedCode?: string | null;
    foundAt?: number;
  },
): VerificationVerdict {
  return { result, evidence: { reason, ...checkAddress(email), mailHost, smtpCode, enhancedCode, foundAt } };
}
