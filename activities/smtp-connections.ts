import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Egress } from "../egress/connect.ts";
import type { Mailbox } from "../models/mailbox.ts";
import { hasLogin, type Logins, loginKey } from "./logins.ts";
import { OAuthTrouble } from "./oauth.ts";
import { isUsable, openSmtp, SmtpTrouble, type Trouble } from "./smtp-connection.ts";

const IDLE_MS = 60_000;
const MOST = 200;

interface Kept {
  connection: SMTPConnection;
  /** Changes when the credentials do: an old login is not used again. */
  login: string;
  timer: NodeJS.Timeout;
}

/** One connection per mailbox, one user of it at a time, the longest unused ones given up first (mail.md 4.1). */
export interface SmtpConnections {
  /** Runs `use` with a connected and authenticated connection. Throws SmtpTrouble when there is none to be had. */
  use<T>(mailbox: Mailbox, use: (connection: SMTPConnection) => Promise<T>): Promise<T>;
  close(): void;
}

export function createSmtpConnections(egress: Egress, logins: Logins): SmtpConnections {
  const kept = new Map<string, Kept>();
  const queues = new Map<string, Promise<unknown>>();

  function forget(mailboxId: string): void {
    const entry = kept.get(mailboxId);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    kept.delete(mailboxId);
    entry.connection.quit();
  }

  function keep(mailboxId: string, login: string, connection: SMTPConnection): void {
    const timer = setTimeout(() => forget(mailboxId), IDLE_MS);
    timer.unref();
    kept.set(mailboxId, { connection, login, timer });
    const [oldest] = kept.keys();
    if (kept.size > MOST && oldest !== undefined) forget(oldest);
  }

  async function connectionOf(mailbox: Mailbox): Promise<SMTPConnection> {
    if (!hasLogin(mailbox)) throw new SmtpTrouble(REFUSED);
    const entry = kept.get(mailbox._id);
    if (entry !== undefined && entry.login === loginKey(mailbox) && isUsable(entry.connection)) {
      clearTimeout(entry.timer);
      kept.delete(mailbox._id);
      return entry.connection;
    }
    forget(mailbox._id);
    try {
      return await logins.with(mailbox, (login) => openSmtp(egress, mailbox.smtp, login), isRefusal);
    } catch (error) {
      if (!(error instanceof OAuthTrouble)) throw error;
      throw new SmtpTrouble(error.kind === "revoked" ? REFUSED : UNREACHED, { cause: error });
    }
  }

  async function exclusive<T>(mailbox: Mailbox, use: (connection: SMTPConnection) => Promise<T>): Promise<T> {
    const connection = await connectionOf(mailbox);
    try {
      return await use(connection);
    } finally {
      if (isUsable(connection)) keep(mailbox._id, loginKey(mailbox), connection);
    }
  }

  return {
    use(mailbox, use) {
      const turn = (queues.get(mailbox._id) ?? Promise.resolve()).then(() => exclusive(mailbox, use));
      const done = turn.catch(() => {}).finally(() => queues.get(mailbox._id) === done && queues.delete(mailbox._id));
      queues.set(mailbox._id, done);
      return turn;
    },
    close() {
      for (const mailboxId of [...kept.keys()]) forget(mailboxId);
    },
  };
}

const REFUSED: Trouble = { stage: "AUTH", code: 535, text: "", cause: "OTHER" };
const UNREACHED: Trouble = { stage: "CONNECT", code: null, text: "", cause: "UNREACHABLE" };

function isRefusal(error: unknown): boolean {
  return error instanceof SmtpTrouble && error.trouble.stage === "AUTH" && (error.trouble.code ?? 0) >= 500;
}
