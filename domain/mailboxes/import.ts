/** What the import of mailboxes, its bulk test and their workers agree on. Imports nothing that runs: ids go into the bundle. */
import type { MailServer } from "./server.ts";

export interface RowRefusal {
  code: string;
  message: string;
}

/** A row that can be tried. */
export interface TryableRow {
  email: string;
  password: string;
  name?: string | undefined;
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  smtp: MailServer;
  imap: MailServer;
  dailySendLimit?: number | undefined;
  tags?: string[] | undefined;
}

/** A row once it was read: tried next, refused as it stands, or the second of its address. */
export type ReadRow =
  | { kind: "try"; row: TryableRow }
  | { kind: "refused"; email: string | null; error: RowRefusal }
  | { kind: "duplicate"; email: string };

export const MAX_BULK_TEST = 50;
export const MAX_IMPORT = 2_000;

export interface ConnectionBatchIds {
  v: 1;
  workspaceId: string;
  batchId: string;
}

/** All rows at once, within the time of the caller. */
export const BULK_TEST = {
  workflow: "testConnections",
  startToCloseTimeout: "27s",
  deadlineMs: 28_000,
  atOnce: 25,
  rowMs: 12_000,
} as const;
