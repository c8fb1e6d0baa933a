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
