import { QuickImap } from "../../test/fakes/quick-imap.ts";
import { startSmtp } from "../../test/fakes/smtp.ts";
import { answer } from "../system/processes.ts";

export interface PostOfficeOrders {
  certificate: { key: string; cert: string };
  password: string;
  /** The domain of people, whose email is accepted and dropped. All other email is delivered to its mailbox. */
  people: string;
}

/**
 * Epoch milliseconds of the emails to people and of those between mailboxes, and how often someone logged in to IMAP,
 * since the last time.
 */
export interface Posted {
  toPeople: number[];
  between: number[];
  logins: number;
}

const WAY_MS = { least: 500, more: 1_000 };

/**
 * The SMTP and IMAP server of all mailboxes, in its own process. `quick-imap` provides the IMAP, so that it is no
 * bottleneck.
 */
const { certificate, password, people }: PostOfficeOrders = JSON.parse(process.argv[2] ?? "{}");
const capabilities = ["IDLE", "SPECIAL-USE", "CONDSTORE", "ENABLE", "UIDPLUS", "MOVE"];
const imap = await QuickImap.start({ certificate, password, capabilities });
const smtp = await startSmtp({ certificate, secure: true });
const isToPeople = (to: readonly string[]) => to.every((address) => address.endsWith(`@${people}`));
smtp.onMail(({ to, raw }) => {
  // As on the way between two providers, where an email never arrives while its sender is still recording it
  if (!isToPeople(to))
    setTimeout(() => to.map((address) => imap.deliver(address, raw)), WAY_MS.least + Math.random() * WAY_MS.more);
});
answer(
  {
    ports: () => ({ smtp: smtp.port, imap: imap.port }),
    /** How many emails to people have arrived since they were last taken. */
    toPeople: () => smtp.ledger.filter(({ to }) => isToPeople(to)).length,
    sessions: () => imap.sessions.size,
    take: () => {
      smtp.attempts.length = 0;
      const mails = smtp.ledger.splice(0);
      const at = (some: typeof mails) => some.map((mail) => mail.at);
      return {
        toPeople: at(mails.filter(({ to }) => isToPeople(to))),
        between: at(mails.filter(({ to }) => !isToPeople(to))),
        logins: imap.commands.splice(0).filter((command) => command.startsWith("LOGIN ")).length,
      } satisfies Posted;
    },
  },
  () => imap.close(),
);
