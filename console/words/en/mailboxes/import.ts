import { type MAILBOX_COLUMNS, MAX_BULK_TEST, MAX_IMPORT } from "../../../../domain/mailboxes/import.ts";
import { counted, formatCount } from "../../format.ts";

export const MAILBOX_COLUMN: Record<(typeof MAILBOX_COLUMNS)[number], string> = {
  email: "Address",
  password: "Password",
  apppassword: "App password",
  name: "Sender name",
  username: "User name",
  smtpusername: "SMTP user name",
  smtphost: "SMTP server",
  smtpport: "SMTP port",
  imaphost: "IMAP server",
  imapport: "IMAP port",
  security: "Encryption",
  provider: "Provider",
  dailysendlimit: "Daily limit",
  tags: "Tags",
};

const mailboxes = (count: number) => counted(count, "mailbox", "mailboxes");

/** The texts for connecting many mailboxes with a file. */
export const importWords = {
  title: "Connect many mailboxes",
  lead: "Bring in mailboxes with their passwords from a CSV file. Each sign-in is tested before a mailbox is saved.",
  fileTitle: "Choose a file",
  fileLabel: "CSV file",
  fileHint: `Up to ${formatCount(MAX_IMPORT)} rows. The first row names the columns: email, password, smtp_host, smtp_port, imap_host, imap_port.`,
  drop: "Drop a file here, or choose one.",
  sample: "Download a sample",
  sampleName: "mailboxes.csv",
  several: "Choose one file.",
  tooLarge: "This file is too large for a list of mailboxes. Choose a file of at most 5 MB.",
  notCsv: "This is not a CSV file. In a spreadsheet, save the table as CSV.",
  unreadable: "The browser could not read the file. It may have been changed or moved. Choose it again.",
  noRows: "The file has no rows below the column names.",
  noEmail: "The file has no column “email”. Name the column with the addresses so.",
  noPassword: "The file has no column “password” or “app_password”.",
  twice: (column: string) => `Two columns are read as “${column}”. Remove or rename one of them.`,
  tooMany: `The file has more than ${formatCount(MAX_IMPORT)} rows. Split it into several files.`,

  rowsTitle: (fileName: string) => `Mailboxes in ${fileName}`,
  rows: (count: number) => `${mailboxes(count)} in the file.`,
  ignored: (columns: readonly string[]) =>
    `${counted(columns.length, "column is", "columns are")} not used: ${columns.join(", ")}.`,
  firstRows: (shown: number) => `The first ${counted(shown, "row", "rows")}. Passwords are hidden.`,
  hidden: "••••••",
  known: "A mailbox that you already have gets the new password and servers. Its limits and conversations stay.",
  kept: "The passwords stay in this page until you connect. They are never shown and are stored encrypted.",
  test: (count: number) =>
    count <= MAX_BULK_TEST ? `Test ${mailboxes(count)}` : `Test the first ${formatCount(MAX_BULK_TEST)}`,
  testing: "Each sign-in is tested. This takes up to half a minute.",
  tested: (good: number, all: number) =>
    good === all
      ? `All ${formatCount(all)} sign-ins work.`
      : `${formatCount(good)} of ${formatCount(all)} sign-ins work.`,
  connect: (count: number) => `Connect ${mailboxes(count)}`,
  otherFile: "Choose another file",
  row: "Row",
  address: "Address",
  result: "Result",
  works: "works",

  running: {
    title: "Connecting mailboxes",
    progress: "Progress of the import",
    done: (processed: number, total: number) => `${formatCount(processed)} of ${formatCount(total)} rows are done.`,
    canLeave: "You can leave this page. The import continues, and its address shows the result.",
    cancel: "Cancel import",
    cancelTitle: "Cancel import",
    cancelEffect: (processed: number, total: number) =>
      `${formatCount(processed)} of ${formatCount(total)} rows are done, and their mailboxes stay. The other rows are not connected, and their passwords are deleted.`,
    saidCancelled: "The import is cancelled.",
  },
  endTitle: {
    COMPLETED: "All mailboxes are connected",
    COMPLETED_WITH_ERRORS: "Some mailboxes could not be connected",
    FAILED: "The import failed",
    CANCELLED: "The import was cancelled",
  } as Readonly<Record<string, string>>,
  counts: (created: number, updated: number) => `${mailboxes(created)} connected, ${formatCount(updated)} updated.`,
  skipped: (count: number) => `${counted(count, "row repeats", "rows repeat")} an earlier address.`,
  failed: (count: number) => `${counted(count, "row was", "rows were")} not connected:`,
  firstListed: (count: number) => `The first ${formatCount(count)} are listed.`,
  download: "Download these rows",
  downloadName: "mailboxes-not-connected.csv",
  reason: "Reason",
  again: "Import another file",
  toMailboxes: "See mailboxes",
  lost: "This import is not known. It may have been deleted after some time, or belong to another workspace.",
} as const;
