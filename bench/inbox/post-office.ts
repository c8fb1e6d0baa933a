import { QuickImap } from "../../test/fakes/quick-imap.ts";
import { startSmtp } from "../../test/fakes/smtp.ts";
import { answer } from "../system/processes.ts";

export interface PostOfficeOrders {
  certificate: { key: string; cert: string };
  password: string;
  /** The domain of recipients. Email to it is accepted and dropped; other email is delivered to its mailbox. */
  people: string;
}

/**
 * What happened since the last `take`: the times (epoch milliseconds) of emails to recipients and of emails between
 * mailboxes, and the number of IMAP logins.
 */
export interface Posted {
  toPeople: number[];
  between: number[];
  logins: number;
}

const WAY_MS = { least: 500, more: 1_000 };

/**
 * The SMTP and IMAP server of all mailboxes, in its own process. IMAP is served by `quick-imap`, so that the server
 * does not limit the measured rates.
 */
const { certificate, password, people }: PostOfficeOrders = JSON.parse(process.argv[2] ?? "{}");
const capabilities = ["IDLE", "SPECIAL-USE", "CONDSTORE", "ENABLE", "UIDPLUS", "MOVE"];
const imap = await QuickImap.start({ certificate, password, capabilities });
const smtp = await startSmtp({ certificate, secure: true });
const isToPeople = (to: readonly string[]) => to.every((address) => address.endsWith(`@${people}`));
smtp.onMail(({ to, raw }) => {
  // Delayed as between two providers, where an email never arrives before its sender has recorded it
  if (!isToPeople(to))
    setTimeout(() => to.map((address) => imap.deliver(address, raw)), WAY_MS.least + Math.random() * WAY_MS.more);
});
answer(
  {
    ports: () => ({ smtp: smtp.port, imap: imap.port }),
    /** The number of emails to recipients since the last `take`. */
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
