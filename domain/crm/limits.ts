import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";

/** How long an import waits for a CRM (rules/crm 3); shorter in tests. */
export interface CrmWaits {
  /** Milliseconds to wait when the CRM refuses because of the rate and does not say how long. */
  rateMs: number;
  /** The same when the day's calls are used up. */
  dailyMs: number;
  /** Milliseconds to wait when it did not answer, doubled each time up to the longest. */
  awayMs: number;
  longestAwayMs: number;
  /** Milliseconds that one request may take. */
  callMs: number;
}

export const CRM_WAITS: CrmWaits = {
  rateMs: 10_000,
  dailyMs: HOUR_MS,
  awayMs: 5_000,
  longestAwayMs: 10 * MINUTE_MS,
  callMs: 20_000,
};

/** How many times in a row a CRM may not answer before an import gives up: some hours. */
export const MOST_AWAY = 30;
/** Milliseconds after its start at which an import that only waits gives up. */
export const LONGEST_IMPORT_MS = 3 * DAY_MS;
/** How often an import begins again because the CRM forgot its place. */
export const MOST_RESTARTS = 5;
/** The most contacts of an import, as of a file. */
export const MOST_CONTACTS = 1_000_000;
/** Connections of a workspace. */
export const MOST_CONNECTIONS = 20;
/** Segments that are read from a CRM. */
export const MOST_SEGMENTS = 2_000;
/** Milliseconds for which the segments of an earlier read are shown again. */
export const SEGMENTS_FRESH_MS = MINUTE_MS;
/** Milliseconds after which a list that is kept in step is read again. */
export const SYNC_EVERY_MS = HOUR_MS;
/** Characters of a cell; a longer one is left out. */
export const LONGEST_CELL = 5_000;

/** Milliseconds to wait for a CRM that did not answer `times` times in a row. */
export function awayWait({ awayMs, longestAwayMs }: CrmWaits, times: number): number {
  return Math.min(longestAwayMs, awayMs * 2 ** Math.min(20, times));
}
