import { DAY_MS, MINUTE_MS, SECOND_MS } from "../time/durations.ts";

/**
 * What is known about whether a mail server puts copies of sent emails into the Sent folder by itself (rules/sending
 * 10.7). A mailbox has no such record before its Sent folder is checked for the first time.
 */
export interface SentFiling {
  /**
   * How many checks in a row found a copy that the server had filed (`found`), and how many found none (`missed`). One
   * of the two is 0.
   */
  found: number;
  missed: number;
  /**
   * Whether the server's copy once arrived after ours. Then we wait longer before we file a copy, so that there are not
   * two.
   */
  isLate: boolean;
  lookedAt: Date;
}

/**
 * The result of a check. FOUND: the server had filed a copy. LATE: the server filed a copy after ours. MISSED: it filed
 * none.
 */
export type SentCopySeen = "FOUND" | "LATE" | "MISSED";

/** Who files the copies of a mailbox's sent emails; UNKNOWN if that is not clear. */
export type Filer = "SERVER" | "US" | "UNKNOWN";

/** After this many checks in a row with the same result, later emails are assumed to have this result too. */
const ENOUGH = 3;
/** After this many milliseconds, the assumption is checked with one more email. */
const SAMPLE_MS = DAY_MS;
/**
 * How many milliseconds we wait for the server's copy, by who usually files the copies; the second constant is for
 * servers that were late.
 */
const WAIT_MS: Record<Filer, number> = { SERVER: 5 * SECOND_MS, UNKNOWN: 5 * SECOND_MS, US: 2 * SECOND_MS };
const LATE_WAIT_MS = 10 * MINUTE_MS;
/** How many milliseconds after our copy the folder is checked for a copy of the server's. */
export const SECOND_LOOK_MS = 10 * MINUTE_MS;

export function filerOf(filing: SentFiling | null): Filer {
  if (filing === null) return "UNKNOWN";
  if (filing.found >= ENOUGH) return "SERVER";
  return filing.missed >= ENOUGH ? "US" : "UNKNOWN";
}

/**
 * What is known after one more check of the Sent folder. A result that differs from the earlier ones makes the filer
 * UNKNOWN again.
 */
export function learnFiling(filing: SentFiling | null, seen: SentCopySeen, at: Date): SentFiling {
  const { found = 0, missed = 0, isLate = false } = filing ?? {};
  if (seen === "MISSED") return { found: 0, missed: Math.min(missed + 1, ENOUGH), isLate, lookedAt: at };
  return { found: Math.min(found + 1, ENOUGH), missed: 0, isLate: isLate || seen === "LATE", lookedAt: at };
}

/**
 * Whether the Sent folder must be checked after an email that is sent now. If the server is known to file copies, one
 * check a day is enough.
 */
export function isLookDue(filing: SentFiling | null, now: number): boolean {
  return filerOf(filing) !== "SERVER" || isSample(filing, now);
}

/**
 * Whether the folder is checked once more after our copy. If the server is known to file no copies, one check a day is
 * enough.
 */
export function isSecondLookDue(filing: SentFiling | null, now: number): boolean {
  return filerOf(filing) !== "US" || isSample(filing, now);
}

/** How many milliseconds after the server accepted an email we look for its copy. */
export function filingWaitMs(filing: SentFiling | null): number {
  return filing?.isLate ? LATE_WAIT_MS : WAIT_MS[filerOf(filing)];
}

function isSample(filing: SentFiling | null, now: number): boolean {
  return filing === null || now - filing.lookedAt.getTime() >= SAMPLE_MS;
}

/** The Sent folder of a mailbox, as last seen on the server; `path` is null if the server has none. */
export interface SentFolder {
  path: string | null;
  seenAt: Date;
}
