import type { RevealField } from "../../domain/lead-search/prospect.ts";
import type { JobAtWork } from "../jobs.ts";

/** What the job of a bulk reveal stores besides the ids of its people. */
export interface RevealParameters {
  fields: RevealField[];
  actor: string;
  maxCredits: number | null;
  /** What was known when it was made. */
  requested: number;
  skippedNotFound: number;
  alreadyRevealed: number;
  estimatedCredits: number;
}

/** What it has come to so far. */
export interface RevealSums {
  creditsUsed: number;
  revealed: number;
  alreadyRevealed: number;
  notFound: number;
}

export function revealParametersOf({ parameters }: JobAtWork): RevealParameters {
  return parameters as unknown as RevealParameters; // only `startReveal` writes them
}

export function revealSumsOf(state: Record<string, unknown>): RevealSums {
  const none = { creditsUsed: 0, revealed: 0, alreadyRevealed: 0, notFound: 0 };
  return "creditsUsed" in state ? (state as unknown as RevealSums) : none; // only earlier chunks of the same job write it
}

export function revealResultOf(job: JobAtWork): Record<string, unknown> {
  return { ...revealSumsOf(job.state) };
}
