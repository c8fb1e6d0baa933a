import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import { isUsable, openSmtp, SmtpTrouble } from "../../connectors/smtp/connection.ts";
import { codeShown, type Trouble } from "../../domain/sending/smtp-trouble.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { hasLogin, type Logins, loginKey } from "../mailboxes/logins.ts";

const IDLE_MS = MINUTE_MS;
const MOST = 200;

interface Kept {
  connection: SMTPConnection;
  /** Changes with the credentials, so that a connection with an old login is not reused. */
  login: string;
  timer: NodeJS.Timeout;
}

/** This process is shutting down: a send that it has not claimed yet is left to another worker (rules/sending 5.7). */
export class WorkerEnds extends Error {}

/** Keeps one connection per mailbox with one user at a time; the longest unused ones are closed first (rules/sending 5.2). */
export interface SmtpConnections {
  /**
   * Runs `use` with a connected and authenticated connection; `end` aborts `ending`. Throws SmtpTrouble when no connection can be made, and
   * WorkerEnds when the process shuts down before `use` has begun.
   */
  use<T>(mailbox: Mailbox, use: (connection: SMTPConnection, ending: AbortSignal) => Promise<T>): Promise<T>;
  /** Lets running uses finish; from now on no other begins, and waiting ones are rejected at once. */
  end(): void;
  close(): void;
}

/** Each connection that cannot be made is one line of the log, which says why to whoever operates the service. */
export function createSmtpConnections(egress: Egress, logins: Logins, log: Logger): SmtpConnections {
  const kept = new Map<string, Kept>();
  const queues = new Map<string, Promise<unknown>>();
  const ending = new AbortController();

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
      tell(mailbox, error);
      if (!(error instanceof OAuthTrouble)) throw error;
      throw new SmtpTrouble(error.kind === "revoked" ? REFUSED : UNREACHED, { cause: error });
    }
  }

  function tell({ _id: mailboxId, smtp: { host, port } }: Mailbox, err: unknown): void {
    const code = err instanceof SmtpTrouble ? codeShown(err.trouble) : null;
    log.warn({ mailboxId, host, port, code, why: whyUnreached(err), err }, "the mail server cannot be used for sending");
  }

  async function exclusive<T>(mailbox: Mailbox, use: (connection: SMTPConnection) => Promise<T>): Promise<T> {
    ending.signal.throwIfAborted();
    const connection = await connectionOf(mailbox);
    try {
      return await use(connection);
    } finally {
      if (isUsable(connection)) keep(mailbox._id, loginKey(mailbox), connection);
    }
  }

  return {
    use(mailbox, use) {
      const waiting = Promise.withResolvers<never>();
      const tell = () => waiting.reject(ending.signal.reason);
      ending.signal.addEventListener("abort", tell, { once: true });
      const begin = (connection: SMTPConnection) => {
        ending.signal.throwIfAborted();
        ending.signal.removeEventListener("abort", tell);
        return use(connection, ending.signal);
      };
      const turn = (queues.get(mailbox._id) ?? Promise.resolve()).then(() => exclusive(mailbox, begin));
      const done = turn
        .catch(() => {})
        .finally(() => {
          ending.signal.removeEventListener("abort", tell);
          if (queues.get(mailbox._id) === done) queues.delete(mailbox._id);
        });
      queues.set(mailbox._id, done);
      return Promise.race([turn, waiting.promise]);
    },
    end() {
      ending.abort(new WorkerEnds());
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
