import { MINUTE_MS } from "../time/durations.ts";

/**
 * Names, types and limits that the listening workflow and its activity share. This file imports nothing, because it is
 * part of the workflow bundle.
 */

export interface MailboxIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
}

/** The result of one watch of a mailbox. GONE: the mailbox is disconnected, or needs new credentials. */
export interface WatchResult {
  status: "LISTENING" | "GONE";
  /** The last UID read in each folder. */
  cursor: Record<string, number>;
  ingested: number;
}

/**
 * The limits of one watch of a mailbox (rules/mail 5.3). The workflow waits after a failure, so the activity itself is
 * not retried.
 */
export const WATCH = {
  startToCloseTimeout: "27m",
  heartbeatTimeout: "30s",
  retry: { maximumAttempts: 1 },
} as const;

/**
 * How long to wait after an error, from 1 to 60 minutes, in milliseconds (rules/mail 5.3). `failures` counts the
 * failures in a row, from 1.
 */
export function syncBackoffMs(failures: number): number {
  return Math.min(60, 2 ** Math.min(6, failures - 1)) * MINUTE_MS;
}

/**
 * How many minutes after its outcome became unknown we search the mailbox for a copy of an email (rules/sending 9.2).
 * After the last of these searches we search hourly, for a day.
 */
const EVIDENCE_MINUTES = [1, 5, 15, 60];
export const EVIDENCE_MS = 24 * 60 * MINUTE_MS;

/**
 * Whether a search for the copy is due. `ageMs` is the time since the outcome became unknown; `soughtMs` is that age at
 * the last search, null when there was none.
 */
export function isEvidenceDue(ageMs: number, soughtMs: number | null): boolean {
  if (ageMs > EVIDENCE_MS) return false;
  const hours = Math.floor(ageMs / (60 * MINUTE_MS)) * 60;
  const due = Math.max(hours, EVIDENCE_MINUTES.findLast((minutes) => minutes * MINUTE_MS <= ageMs) ?? 0) * MINUTE_MS;
  return due > 0 && (soughtMs === null || soughtMs < due);
}

/** The purpose of a watched folder. Replies may arrive in any of the first three. */
export type FolderUse = "INBOX" | "JUNK" | "ARCHIVE" | "SENT";
