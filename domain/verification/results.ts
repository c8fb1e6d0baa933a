import { DAY_MS } from "../time/durations.ts";
import type { VerificationEvidence } from "../verification.ts";

/** The results of a verification. UNVERIFIED and PENDING are states of a lead before a result. */
export const VERIFICATION_RESULTS = ["VALID", "RISKY", "CATCH_ALL", "INVALID", "UNKNOWN"] as const;
export type VerificationResultName = (typeof VERIFICATION_RESULTS)[number];

/** What started a verification job. */
export const VERIFICATION_SOURCES = ["MANUAL", "IMPORT", "SCHEDULE", "REVEAL"] as const;
export type VerificationSource = (typeof VERIFICATION_SOURCES)[number];

export interface VerificationVerdict {
  result: VerificationResultName;
  evidence: VerificationEvidence;
}

export interface VerificationCounts {
  valid: number;
  risky: number;
  catchAll: number;
  invalid: number;
  unknown: number;
}

export const NO_RESULTS: VerificationCounts = { valid: 0, risky: 0, catchAll: 0, invalid: 0, unknown: 0 };

/** Which count includes a result. */
export const COUNT_OF = {
  VALID: "valid",
  RISKY: "risky",
  CATCH_ALL: "catchAll",
  INVALID: "invalid",
  UNKNOWN: "unknown",
} as const satisfies Record<VerificationResultName, keyof VerificationCounts>;

export const CADENCES = ["DAILY", "WEEKLY", "MONTHLY"] as const;
export type Cadence = (typeof CADENCES)[number];

/** When a schedule runs next, after a run at `at`. A month is thirty days, because a result is stored that long. */
export function nextRunAfter(cadence: Cadence, at: number): Date {
  const days = { DAILY: 1, WEEKLY: 7, MONTHLY: 30 }[cadence];
  return new Date(at + days * DAY_MS);
}

/** The most addresses of one request. */
export const MOST_ADDRESSES = 10_000;
/** The most addresses that one transaction handles. */
export const BATCH_SIZE = 500;
