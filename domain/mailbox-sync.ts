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

const MINUTE_MS = 60_000;

/** mail.md 6.3: errors back off from 1 to 60 minutes. `failures` in a row, from 1. */
export function syncBackoffMs(failures: number): number {
  return Math.min(60, 2 ** Math.min(6, failures - 1)) * MINUTE_MS;
}
