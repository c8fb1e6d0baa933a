import type { ProspectFilters } from "../../domain/lead-search/filters.ts";
import type { RevealField } from "../../domain/lead-search/prospect.ts";
import type { JobAtWork } from "../jobs.ts";

/** The parameters that the job for adding a whole search to a list stores. */
export interface FillParameters {
  listId: string;
  filters: ProspectFilters;
  matched: number;
  pageSize: number;
}

interface FillSums {
  added: number;
  alreadyPresent: number;
}

export function fillParametersOf({ parameters }: JobAtWork): FillParameters {
  return parameters as unknown as FillParameters; // only `addSearch` writes them
}

export function fillSumsOf(state: Record<string, unknown>): FillSums {
  return "added" in state ? (state as unknown as FillSums) : { added: 0, alreadyPresent: 0 }; // Written only by earlier chunks of this job
}

export function fillResultOf(job: JobAtWork): Record<string, unknown> {
  const { listId, matched } = fillParametersOf(job);
  return { listId, matched, ...fillSumsOf(job.state) };
}

/** The parameters that the job of a bulk reveal stores, besides the ids of the people. */
export interface RevealParameters {
  fields: RevealField[];
  actor: string;
  maxCredits: number | null;
  /** The counts at the time when the job was created. */
  requested: number;
  skippedNotFound: number;
  alreadyRevealed: number;
  estimatedCredits: number;
}

/** The totals so far. */
interface RevealSums {
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
  return "creditsUsed" in state ? (state as unknown as RevealSums) : none; // Written only by earlier chunks of this job
}

export function revealResultOf(job: JobAtWork): Record<string, unknown> {
  return { ...revealSumsOf(job.state) };
}
