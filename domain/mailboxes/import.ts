/**
 * Names, types and limits that the import of mailboxes, its bulk test and their workflows share. This file imports only
 * types, because it is part of the workflow bundle.
 */
import type { MailServer, UserNames } from "./server.ts";

export interface RowRefusal {
  code: string;
  message: string;
}

/** A row that can be tested against the mail servers. */
export interface TryableRow extends UserNames {
  email: string;
  password: string;
  name?: string | undefined;
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  smtp: MailServer;
  imap: MailServer;
  dailySendLimit?: number | undefined;
  tags?: string[] | undefined;
}

/**
 * A row of the imported file: it will be tested, it is refused without a test, or it repeats the address of an earlier
 * row.
 */
export type MailboxRow =
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

/** The limits of testing all rows at once while a caller waits. `rowMs` bounds one row, `deadlineMs` all of them. */
export const BULK_TEST = {
  workflow: "testConnections",
  startToCloseTimeout: "27s",
  deadlineMs: 28_000,
  atOnce: 25,
  rowMs: 12_000,
} as const;
