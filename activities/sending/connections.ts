import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import { isUsable, openSmtp, SmtpTrouble, type Transmission, transmit } from "../../connectors/smtp/connection.ts";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { smtpLogin } from "../../domain/mailboxes/server.ts";
import { isApi } from "../../domain/mailboxes/transport.ts";
import { codeShown, type Trouble } from "../../domain/sending/smtp-trouble.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { hasLogin, type Logins, loginKey, REFUSED_LOGIN, troubleOfTokens } from "../mailboxes/logins.ts";
import { openApiLine } from "./api-line.ts";
import type { MailLine } from "./line.ts";
import { createMailsPerConnection } from "./mails-per-connection.ts";

const IDLE_MS = MINUTE_MS;
const MOST = 200;

/** A connection, and how many emails it has carried. */
interface Used {
  connection: SMTPConnection;
  carried: number;
}

interface Kept extends Used {
  /** Changes with the credentials, so that a connection with an old login is not reused. */
  login: string;
  timer: NodeJS.Timeout;
}

/** This process is shutting down: a send that it has not claimed yet is left to another worker (rules/sending 5.7). */
export class WorkerEnds extends Error {}

/**
 * Keeps one connection per mailbox with one user at a time; the longest unused ones are closed first (rules/sending
 * 5.2).
 */
export interface Connections {
  /**
   * Runs `use` with a line that is connected and authenticated; `end` aborts `ending`. Throws SmtpTrouble when no
   * connection can be made, and WorkerEnds when the process shuts down before `use` has begun.
   */
  use<T>(mailbox: Mailbox, use: (line: MailLine, ending: AbortSignal) => Promise<T>): Promise<T>;
  /** Lets running uses finish; from now on no other begins, and waiting ones are rejected immediately. */
  end(): void;
  close(): void;
}

/** Each failed connection is logged as one line that gives the operator the reason. */
export function createConnections(
  egress: Egress,
  logins: Logins,
  log: Logger,
  providers: MailProviders = NO_PROVIDERS,
): Connections {
  const connections = new Map<string, Kept>();
  const queues = new Map<string, Promise<unknown>>();
  const ending = new AbortController();
  const perConnection = createMailsPerConnection();

  function forget(mailboxId: string): void {
    const entry = connections.get(mailboxId);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    connections.delete(mailboxId);
    entry.connection.quit();
  }

  function keepOpen(mailboxId: string, login: string, used: Used): void {
    const timer = setTimeout(() => forget(mailboxId), IDLE_MS);
    timer.unref();
    connections.set(mailboxId, { ...used, login, timer });
    const [oldest] = connections.keys();
    if (connections.size > MOST && oldest !== undefined) forget(oldest);
  }

  async function connectionOf(mailbox: Mailbox): Promise<Used> {
    if (!hasLogin(mailbox)) throw new SmtpTrouble(REFUSED_LOGIN);
    const entry = connections.get(mailbox._id);
    if (entry !== undefined && entry.login === loginKey(mailbox) && isUsable(entry.connection)) {
      clearTimeout(entry.timer);
      connections.delete(mailbox._id);
      return { connection: entry.connection, carried: entry.carried };
    }
    forget(mailbox._id);
    return open(mailbox);
  }

  /** Gets the access token first, so that a withdrawn consent never holds a claim. */
  async function openApi(mailbox: Mailbox): Promise<MailLine> {
    if (!hasLogin(mailbox)) throw new SmtpTrouble(REFUSED_LOGIN);
    try {
      await logins.of(mailbox);
      return openApiLine({ egress, logins, providers, log }, mailbox);
    } catch (error) {
      if (!(error instanceof OAuthTrouble)) throw error;
      throw new SmtpTrouble(troubleOfTokens(error), { cause: error });
    }
  }

  async function open(mailbox: Mailbox): Promise<Used> {
    try {
      const connection = await logins.with(
        mailbox,
        (login) => openSmtp(egress, mailbox.smtp, smtpLogin(login, mailbox)),
        isLoginRefusal,
      );
      return { connection, carried: 0 };
    } catch (error) {
      logUnusable(mailbox, error);
      if (!(error instanceof OAuthTrouble)) throw error;
      throw new SmtpTrouble(troubleOfTokens(error), { cause: error });
    }
  }

  function logUnusable({ _id: mailboxId, smtp: { host, port } }: Mailbox, err: unknown): void {
    const code = err instanceof SmtpTrouble ? codeShown(err.trouble) : null;
    log.warn(
      { mailboxId, host, port, code, why: whyUnreached(err), err },
      "the mail server cannot be used for sending",
    );
  }

  async function exclusive<T>(mailbox: Mailbox, use: (line: MailLine) => Promise<T>): Promise<T> {
    ending.signal.throwIfAborted();
    if (isApi(mailbox)) return use(await openApi(mailbox));
    let used = await connectionOf(mailbox);
    const isSpent = () => used.carried >= perConnection.limitOf(mailbox.smtp);
    const renew = async () => {
      if (isUsable(used.connection)) used.connection.quit();
      used = await open(mailbox);
    };
    const line: MailLine = {
      hasEnvelopes: true,
      async transmit(to, bytes, mayGo) {
        try {
          if (isSpent()) await renew();
          const { sent, hasBegun } = await transmitOver(used, mailbox, to, bytes, mayGo);
          if (!isUsedUp(sent)) return sent;
          if (sent.kind === "refused") perConnection.learn(mailbox.smtp, used.carried);
          if (hasBegun) return sent;
          await renew();
        } catch (error) {
          return notOpened(error);
        }
        return (await transmitOver(used, mailbox, to, bytes, mayGo)).sent;
      },
    };
    try {
      return await use(line);
    } finally {
      if (isUsable(used.connection)) {
        if (isSpent()) used.connection.quit();
        else keepOpen(mailbox._id, loginKey(mailbox), used);
      }
    }
  }

  return {
    use(mailbox, use) {
      const waiting = Promise.withResolvers<never>();
      const rejectWait = () => waiting.reject(ending.signal.reason);
      ending.signal.addEventListener("abort", rejectWait, { once: true });
      const useLine = (line: MailLine) => {
        ending.signal.throwIfAborted();
        ending.signal.removeEventListener("abort", rejectWait);
        return use(line, ending.signal);
      };
      const turn = (queues.get(mailbox._id) ?? Promise.resolve()).then(() => exclusive(mailbox, useLine));
      const done = turn
        .catch(() => {})
        .finally(() => {
          ending.signal.removeEventListener("abort", rejectWait);
          if (queues.get(mailbox._id) === done) queues.delete(mailbox._id);
        });
      queues.set(mailbox._id, done);
      return Promise.race([turn, waiting.promise]);
    },
    end() {
      ending.abort(new WorkerEnds());
    },
    close() {
      for (const mailboxId of [...connections.keys()]) forget(mailboxId);
    },
  };
}

/** Transmits over one connection; `hasBegun`: the last look has allowed the content to be sent. */
async function transmitOver(used: Used, { email }: Mailbox, ...[to, bytes, mayGo]: Parameters<MailLine["transmit"]>) {
  let hasBegun = false;
  const look = async () => {
    hasBegun = await mayGo(null);
    return hasBegun;
  };
  const sent = await transmit(used.connection, email, to, bytes, look);
  if (sent.kind === "sent") used.carried++;
  if (sent.kind === "refused" || sent.kind === "lost") sent.trouble.carried = used.carried;
  return { sent, hasBegun };
}

/** Whether only the connection is at its end. A connection that broke while content was sent has an unknown outcome. */
function isUsedUp(sent: Transmission): sent is Extract<Transmission, { trouble: Trouble }> {
  if (sent.kind !== "refused" && (sent.kind !== "lost" || sent.inData)) return false;
  return readRefusal(sent.trouble).effect === "RECONNECT";
}

/**
 * The fresh connection could not be made. A 421 instead of a greeting asks for fewer emails too. @throws any other
 * fault
 */
function notOpened(error: unknown): Transmission {
  if (!(error instanceof SmtpTrouble)) throw error;
  const { trouble } = error;
  if (trouble.code === null) return { kind: "lost", inData: false, trouble };
  return { kind: "refused", trouble: trouble.code === 421 ? { ...trouble, stage: "MAIL" } : trouble };
}

function isLoginRefusal(error: unknown): boolean {
  return error instanceof SmtpTrouble && error.trouble.stage === "AUTH" && (error.trouble.code ?? 0) >= 500;
}
