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

/** The columns of a file of mailboxes (rules/leads 2.3), without the characters that `mailboxColumn` ignores. */
export const MAILBOX_COLUMNS = [
  "email",
  "password",
  "apppassword",
  "name",
  "username",
  "smtpusername",
  "smtphost",
  "smtpport",
  "imaphost",
  "imapport",
  "security",
  "provider",
  "dailysendlimit",
  "tags",
] as const;

/** The column that a header means. Case, spaces, underscores, dots and hyphens make no difference. */
export function mailboxColumn(header: string): string {
  const name = header.toLowerCase().replace(/[\s_.-]/g, "");
  return Object.hasOwn(USER_NAMES, name) ? (USER_NAMES[name] ?? name) : name;
}

/**
 * Column names of other tools for the user name. The IMAP user name applies to both servers, unless there is one for
 * SMTP.
 */
const USER_NAMES: Readonly<Record<string, string>> = {
  user: "username",
  login: "username",
  loginname: "username",
  userid: "username",
  imapusername: "username",
  imapuser: "username",
  imaplogin: "username",
  smtpuser: "smtpusername",
  smtplogin: "smtpusername",
};
