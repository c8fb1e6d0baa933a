import { MINUTE_MS } from "../time/durations.ts";

/** What the listening workflow and its activity agree on. Imports nothing: it is part of the workflow bundle. */

export interface MailboxIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
}

/** What one watch came to. GONE: the mailbox is disconnected, or wants new credentials. */
export interface Watched {
  status: "LISTENING" | "GONE";
  /** The last UID read of each folder. */
  cursor: Record<string, number>;
  ingested: number;
}

/** One watch: its limits (engine.md 2). A failure is the workflow's to wait out. */
export const WATCH = {
  startToCloseTimeout: "27m",
  heartbeatTimeout: "30s",
  retry: { maximumAttempts: 1 },
} as const;

/** mail.md 6.3: errors back off from 1 to 60 minutes. `failures` in a row, from 1. */
export function syncBackoffMs(failures: number): number {
  return Math.min(60, 2 ** Math.min(6, failures - 1)) * MINUTE_MS;
}

/** mail.md 4.4: minutes after which a mail of unknown outcome is looked for among the provider's copies; then hourly, for a day. */
const EVIDENCE_MINUTES = [1, 5, 15, 60];
export const EVIDENCE_MS = 24 * 60 * MINUTE_MS;

/** Whether it is time to look: `ageMs` since the outcome became unknown, `soughtMs` its age at the last look, null for none. */
export function isEvidenceDue(ageMs: number, soughtMs: number | null): boolean {
  if (ageMs > EVIDENCE_MS) return false;
  const hours = Math.floor(ageMs / (60 * MINUTE_MS)) * 60;
  const due = Math.max(hours, EVIDENCE_MINUTES.findLast((minutes) => minutes * MINUTE_MS <= ageMs) ?? 0) * MINUTE_MS;
  return due > 0 && (soughtMs === null || soughtMs < due);
}
