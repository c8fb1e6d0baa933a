/** How sending treats an address whose domain accepts email for any address. */
export const CATCH_ALL_TREATMENTS = ["VALID", "RISKY", "INVALID"] as const;
type CatchAllTreatment = (typeof CATCH_ALL_TREATMENTS)[number];

/** The settings of a workspace for the verification of addresses (rules/verification 5). */
export interface VerificationSettings {
  /** Whether the new leads of an import are verified automatically. */
  autoVerifyOnImport: boolean;
  /** Whether no email is sent to an INVALID address. */
  blockInvalid: boolean;
  /** A result that is newer than this number of days is reused. */
  reverifyAfterDays: number;
  treatCatchAllAs: CatchAllTreatment;
}

const DEFAULTS: VerificationSettings = {
  autoVerifyOnImport: false,
  blockInvalid: true,
  reverifyAfterDays: 30,
  treatCatchAllAs: "VALID",
};

/** The settings of a workspace, with defaults for missing settings. */
export function verificationSettingsOf(set: Partial<VerificationSettings> | undefined): VerificationSettings {
  return { ...DEFAULTS, ...set };
}

/**
 * How sending treats a lead's verification result. INVALID: no email is sent. RISKY: email is sent only if the campaign
 * allows it. Any other result: email is sent (rules/verification 5.2).
 */
export function sendingVerdictOf(
  status: string,
  { blockInvalid, treatCatchAllAs }: VerificationSettings,
): "SEND" | "RISKY" | "INVALID" {
  const treated = status === "CATCH_ALL" ? treatCatchAllAs : status;
  if (treated === "INVALID") return blockInvalid || status === "CATCH_ALL" ? "INVALID" : "SEND";
  return treated === "RISKY" ? "RISKY" : "SEND";
}

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

/** The evidence for a result. A mail server's words are not stored, because strangers write them. */
export interface VerificationEvidence {
  reason: VerificationReason;
  isDisposable: boolean;
  isRole: boolean;
  isFreeMail: boolean;
  /** The likely correct address. It is only a suggestion. */
  suggestion: string | null;
  /** The server that receives email for the address. */
  mailHost: string | null;
  /** The server's reply code and enhanced code about the address; null without a query. */
  smtpCode: number | null;
  enhancedCode: string | null;
  /** The time of the result, in epoch milliseconds. It is earlier than the job if a stored result was reused. */
  foundAt: number;
}
