import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";

/** How long an import waits for a CRM (rules/crm 3); shorter in tests. */
export interface CrmWaits {
  /** Milliseconds to wait if the CRM refuses because of too many requests and does not say how long to wait. */
  rateMs: number;
  /** Milliseconds to wait if the daily number of requests is used up. */
  dailyMs: number;
  /** Milliseconds to wait if the CRM did not answer, doubled each time up to `longestAwayMs`. */
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

/** How many requests in a row may stay unanswered before an import gives up, which takes some hours. */
export const MOST_AWAY = 30;
/** Milliseconds after its start at which an import that is still waiting gives up. */
export const LONGEST_IMPORT_MS = 3 * DAY_MS;
/** How often an import may begin again because the CRM no longer accepts its cursor. */
export const MOST_RESTARTS = 5;
/** The most contacts of an import, the same number as for a file. */
export const MOST_CONTACTS = 1_000_000;
/** Connections of a workspace. */
export const MOST_CONNECTIONS = 20;
/** The most segments that are read from a CRM. */
export const MOST_SEGMENTS = 2_000;
/** Milliseconds for which segments that were read before are reused. */
export const SEGMENTS_FRESH_MS = MINUTE_MS;
/** Milliseconds after which a synchronised list is read from the CRM again. */
export const SYNC_EVERY_MS = HOUR_MS;
/** The most characters of a cell. A longer cell is left out. */
export const LONGEST_CELL = 5_000;

/** Milliseconds to wait for a CRM that did not answer `times` times in a row. */
export function awayWait({ awayMs, longestAwayMs }: CrmWaits, times: number): number {
  return Math.min(longestAwayMs, awayMs * 2 ** Math.min(20, times));
}
