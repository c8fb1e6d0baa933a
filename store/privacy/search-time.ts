import { MINUTE_MS } from "../../domain/time/durations.ts";

/** Enough for a workspace with millions of documents. No caller waits for such a search without a job. */
export const SEARCH_MS = 5 * MINUTE_MS;
