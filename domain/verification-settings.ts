/** How sending treats an address whose domain takes mail for any address. */
export const CATCH_ALL_TREATMENTS = ["VALID", "RISKY", "INVALID"] as const;
type CatchAllTreatment = (typeof CATCH_ALL_TREATMENTS)[number];

/** What a workspace may set about the verification of addresses (rules/verification 5). */
export interface VerificationSettings {
  /** Whether the new leads of an import are verified by themselves. */
  autoVerifyOnImport: boolean;
  /** Whether nothing is sent to an address that was found INVALID. */
  blockInvalid: boolean;
  /** A result that is younger than this is kept as it is. */
  reverifyAfterDays: number;
  treatCatchAllAs: CatchAllTreatment;
}

const DEFAULTS: VerificationSettings = { autoVerifyOnImport: false, blockInvalid: true, reverifyAfterDays: 30, treatCatchAllAs: "VALID" };

/** The settings of a workspace, with the defaults of what it has not set. */
export function verificationSettingsOf(set: Partial<VerificationSettings> | undefined): VerificationSettings {
  return { ...DEFAULTS, ...set };
}

/**
 * What sending makes of a lead's result: INVALID is not written to, RISKY only where the campaign allows it, anything else is
 * (rules/verification 5.2).
 */
export function sendingVerdictOf(status: string, { blockInvalid, treatCatchAllAs }: VerificationSettings): "SEND" | "RISKY" | "INVALID" {
  const treated = status === "CATCH_ALL" ? treatCatchAllAs : status;
  if (treated === "INVALID") return blockInvalid || status === "CATCH_ALL" ? "INVALID" : "SEND";
  return treated === "RISKY" ? "RISKY" : "SEND";
}
