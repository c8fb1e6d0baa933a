import type { ProspectFilters } from "../../domain/lead-search/filters.ts";
import type { JobAtWork } from "../jobs.ts";

/** What the job that puts a whole search into a list stores besides its pages. */
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
  return "added" in state ? (state as unknown as FillSums) : { added: 0, alreadyPresent: 0 }; // only earlier chunks of the same job write it
}

export function fillResultOf(job: JobAtWork): Record<string, unknown> {
  const { listId, matched } = fillParametersOf(job);
  return { listId, matched, ...fillSumsOf(job.state) };
}
