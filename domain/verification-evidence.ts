/** Why an address has its result (rules/verification 2). */
export const VERIFICATION_REASONS = [
  "ACCEPTED",
  "ACCEPTS_ANY",
  "BOUNCED",
  "BOUNCES_OF_DOMAIN",
  "DISPOSABLE",
  "DNS_UNANSWERED",
  "FREE_MAIL_NOT_PROBED",
  "GREYLISTED",
  "HOST_REFUSES",
  "HOST_UNREACHABLE",
  "KEPT",
  "MAILBOX_FULL",
  "NO_MAIL_HOST",
  "NOT_PROBED",
  "NULL_MX",
  "PROBE_LOST",
  "ROLE",
  "SYNTAX",
  "UNCLEAR",
  "USER_UNKNOWN",
] as const;
export type VerificationReason = (typeof VERIFICATION_REASONS)[number];

/** What a result rests on. No words of a mail server are kept, since they are written by strangers. */
export interface VerificationEvidence {
  reason: VerificationReason;
  isDisposable: boolean;
  isRole: boolean;
  isFreeMail: boolean;
  /** The address that was probably meant; a hint, never a verdict. */
  suggestion: string | null;
  /** The server that receives mail for the address. */
  mailHost: string | null;
  /** The reply code and enhanced code of the server about the address; null when it was not asked. */
  smtpCode: number | null;
  enhancedCode: string | null;
  /** When the answer was found, in epoch milliseconds: earlier than the job where it was known already. */
  foundAt: number;
}
