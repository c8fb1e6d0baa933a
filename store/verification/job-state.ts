import { NO_RESULTS, type VerificationCounts } from "../../domain/verification/results.ts";
import type { JobAtWork } from "../jobs.ts";
import type { VerificationParameters } from "./request.ts";

/** What a verification job carries with it. */
export interface VerificationProgress {
  counts: VerificationCounts;
  /** Addresses that were checked anew, rather than known from before. */
  creditsUsed: number;
  /** Whether the members of its list have been looked up. */
  isListed: boolean;
}

export function parametersOf({ parameters }: Pick<JobAtWork, "parameters">): VerificationParameters {
  return parameters as unknown as VerificationParameters; // only `requestVerification` writes them
}

export function stateOf({ state }: Pick<JobAtWork, "state">): VerificationProgress {
  return { ...{ counts: NO_RESULTS, creditsUsed: 0, isListed: true }, ...(state as Partial<VerificationProgress>) }; // as above
}

/** The `result` of a job that has ended. */
export function resultOf(job: Pick<JobAtWork, "parameters" | "state">): Record<string, unknown> {
  const { counts, creditsUsed } = stateOf(job);
  const { source, listId } = parametersOf(job);
  return { source, listId, counts: { ...counts }, creditsUsed };
}
