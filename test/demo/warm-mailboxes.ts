import type { Sandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";

const PEOPLE = ["Ann", "Ben", "Cleo"];
const FIRMS = ["North", "South", "East", "West"];

/** Twelve mailboxes of four domains, for people who try the warmup (docs/guides/warmup.md). */
const PERSONS = FIRMS.flatMap((firm) =>
  PEOPLE.map((person) => ({ name: `${person} ${firm}`, email: `${person}@${firm}.test`.toLowerCase() })),
);

export const WARM_MAILBOXES = PERSONS.map(({ email }) => email);

/** The body of `POST /mailboxes/import/csv` that connects them. */
export function warmImportOf(sandbox: Sandbox): { fileName: string; rows: Record<string, string>[] } {
  const rows = PERSONS.map(({ name, email }) => ({
    email,
    name,
    password: sandbox.password,
    smtp_host: "localhost",
    smtp_port: String(sandbox.smtpPort),
    imap_host: "localhost",
    imap_port: String(sandbox.imapPortOf(email)),
    security: "SSL_TLS",
    tags: "warmup",
  }));
  return { fileName: "warmup.csv", rows };
}

/** One email in so many goes to Junk: few enough that no mailbox is judged by it. */
const TO_JUNK = 12;

/** Where the servers of these mailboxes file what comes: the inbox, and every twelfth mail Junk. */
export function makeFiling(): (recipient: string, mail: SentMail) => string {
  let mails = 0;
  return () => (++mails % TO_JUNK === 0 ? "Junk" : "INBOX");
}
