import { DAY_MS, MINUTE_MS, SECOND_MS } from "../time/durations.ts";

/**
 * What is known about a mail server's own copies in the Sent folder (rules/sending 10.7). A mailbox has none before the
 * first look.
 */
export interface SentFiling {
  /** How many looks in a row found a copy that the server had filed, and how many found none. One of the two is 0. */
  found: number;
  missed: number;
  /** Whether the server's copy arrived after ours. Then ours waits longer, so that there are not two. */
  isLate: boolean;
  lookedAt: Date;
}

/** FOUND: the server had filed a copy. LATE: it filed one after ours. MISSED: it filed none. */
export type SentCopySeen = "FOUND" | "LATE" | "MISSED";

/** Who files the copies of a mailbox's sent emails; UNKNOWN if that is not clear. */
export type Filer = "SERVER" | "US" | "UNKNOWN";

/** After this many looks in a row with one result, that result is assumed. */
const ENOUGH = 3;
/** How often the assumption is checked with one more email. */
const SAMPLE_MS = DAY_MS;
/** How many milliseconds the server has to file its copy, by who files the copies, and for servers that were late. */
const WAIT_MS: Record<Filer, number> = { SERVER: 5 * SECOND_MS, UNKNOWN: 5 * SECOND_MS, US: 2 * SECOND_MS };
const LATE_WAIT_MS = 10 * MINUTE_MS;
/** How many milliseconds after our copy the folder is checked for a copy of the server's. */
export const SECOND_LOOK_MS = 10 * MINUTE_MS;

export function filerOf(filing: SentFiling | null): Filer {
  if (filing === null) return "UNKNOWN";
  if (filing.found >= ENOUGH) return "SERVER";
  return filing.missed >= ENOUGH ? "US" : "UNKNOWN";
}

/** What is known after one more look. A result that differs from the ones before makes the filer unknown again. */
export function learnFiling(filing: SentFiling | null, seen: SentCopySeen, at: Date): SentFiling {
  const { found = 0, missed = 0, isLate = false } = filing ?? {};
  if (seen === "MISSED") return { found: 0, missed: Math.min(missed + 1, ENOUGH), isLate, lookedAt: at };
  return { found: Math.min(found + 1, ENOUGH), missed: 0, isLate: isLate || seen === "LATE", lookedAt: at };
}

/**
 * Whether an email that leaves now needs a look at the Sent folder. If the server is known to file its own copies, one
 * look a day is enough.
 */
export function isLookDue(filing: SentFiling | null, now: number): boolean {
  return filerOf(filing) !== "SERVER" || isSample(filing, now);
}

/**
 * Whether the folder is checked once more after our copy. If the server is known to file none, one look a day is
 * enough.
 */
export function isSecondLookDue(filing: SentFiling | null, now: number): boolean {
  return filerOf(filing) !== "US" || isSample(filing, now);
}

/** How many milliseconds after the server accepted an email its copy is due. */
export function filingWaitMs(filing: SentFiling | null): number {
  return filing?.isLate ? LATE_WAIT_MS : WAIT_MS[filerOf(filing)];
}

function isSample(filing: SentFiling | null, now: number): boolean {
  return filing === null || now - filing.lookedAt.getTime() >= SAMPLE_MS;
}

/** The Sent folder of a mailbox at the last look; `path` is null if the server has none. */
export interface SentFolder {
  path: string | null;
  seenAt: Date;
}
