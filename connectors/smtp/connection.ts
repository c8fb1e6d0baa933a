import { Readable } from "node:stream";
import { SpanKind, trace } from "@opentelemetry/api";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import XOAuth2 from "nodemailer/lib/xoauth2";
import type { NoReplyCause } from "../../domain/bounces/refusal.ts";
import type { Stage } from "../../domain/bounces/verdict.ts";
import type { Login, MailServer } from "../../domain/mailboxes/server.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { EgressError } from "../net/connect.ts";
import type { Egress } from "../net/egress.ts";

/** An SMTP connection could not be made or kept. The Error's `cause` holds the library's error for the log. */
export class SmtpTrouble extends Error {
  readonly trouble: Trouble;
  constructor(trouble: Trouble, options?: ErrorOptions) {
    super(`SMTP ${trouble.stage} ${trouble.code ?? trouble.cause}`, options);
    this.trouble = trouble;
  }
}

export type Transmission =
  /** `threadId`: the provider's id of its thread, where there is one. */
  | { kind: "sent"; response: string; serverMessageId: string | null; threadId?: string | null }
  | { kind: "refused"; trouble: Trouble }
  /** The last look refused, and no byte of the content was sent. */
  | { kind: "withdrawn" }
  /** The connection broke without an answer. `inData` is true when the content was being sent. */
  | { kind: "lost"; inData: boolean; trouble: Trouble };

const CONNECT_MS = 20_000;
const SOCKET_MS = MINUTE_MS;

/** Connects to the checked address, upgrades to TLS, greets and logs in (rules/sending 5.2). Throws SmtpTrouble. */
export async function openSmtp(egress: Egress, server: MailServer, login: Login): Promise<SMTPConnection> {
  const socket = await egress.openTcp(server.host, server.port, { timeoutMs: CONNECT_MS }).catch((cause) => {
    throw new SmtpTrouble(troubleOfConnect(cause), { cause });
  });
  const connection = new SMTPConnection({
    connection: socket,
    host: server.host,
    port: server.port,
    secure: server.security === "SSL_TLS",
    requireTLS: server.security === "STARTTLS",
    ignoreTLS: server.security === "NONE",
    tls: egress.tlsOptions(server.host),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SOCKET_MS,
  });
  // No caller waits for a failure after the promise settled; the next use of the connection gets it
  connection.on("error", () => ended.add(connection));
  connection.once("end", () => ended.add(connection));
  await runStage(connection, "CONNECT", (done) => connection.connect(done));
  await runStage(connection, "AUTH", (done) => connection.login(authOf(login), done));
  return connection;
}

/** The library uses a refused access token a second time. It has no way to get another one, and must not. */
function authOf(login: Login) {
  if ("password" in login) return { user: login.user, pass: login.password };
  return { user: login.user, oauth2: new XOAuth2({ user: login.user, accessToken: login.accessToken }) };
}

const ended = new WeakSet<SMTPConnection>();

/** Whether another message may be sent over the connection. */
export function isUsable(connection: SMTPConnection): boolean {
  return !ended.has(connection);
}

function giveUp(connection: SMTPConnection): void {
  ended.add(connection);
  connection.close();
}

function runStage(
  connection: SMTPConnection,
  stage: Stage,
  begin: (done: (error?: unknown) => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => {
      giveUp(connection);
      reject(new SmtpTrouble(troubleOf(cause, stage), { cause }));
    };
    connection.once("error", fail);
    begin((error) => {
      connection.removeListener("error", fail);
      if (error) fail(error);
      else resolve();
    });
  });
}

/**
 * Sends one message in one envelope. `lastLook` runs after the server has answered 354 and before any of the content is
 * sent; when it returns false, the connection is ended there. The server's reply takes precedence over the library's
 * reading of it (rules/sending 8.1).
 */
export function transmit(...sending: Parameters<typeof send>): Promise<Transmission> {
  return trace.getTracer("outreach").startActiveSpan("SMTP transmit", { kind: SpanKind.CLIENT }, async (span) => {
    const transmission = await send(...sending);
    span.setAttribute("smtp.outcome", transmission.kind).end();
    return transmission;
  });
}

function send(
  connection: SMTPConnection,
  from: string,
  to: string | string[],
  bytes: Buffer,
  lastLook: () => Promise<boolean>,
): Promise<Transmission> {
  let inData = false;
  let isWithdrawn = false;
  const content = new Readable({
    read() {
      lastLook().then(
        (mayGo) => {
          if (!mayGo) {
            isWithdrawn = true;
            this.destroy(new Error("The last look refused"));
            return;
          }
          inData = true;
          this.push(bytes);
          this.push(null);
        },
        (error) => this.destroy(error),
      );
    },
  });
  return new Promise((resolve) => {
    connection.send({ from, to: [to].flat(), size: bytes.length }, content, (error, info) => {
      if (!error) {
        const serverMessageId = info?.serverMessageId ?? null;
        resolve({ kind: "sent", response: info?.response ?? "", serverMessageId });
        return;
      }
      const trouble = troubleOf(error, "DATA");
      // A refusal leaves the session in the middle of a transaction, so the next message gets a new connection
      giveUp(connection);
      if (isWithdrawn) resolve({ kind: "withdrawn" });
      else if (trouble.code !== null) resolve({ kind: "refused", trouble });
      else resolve({ kind: "lost", inData, trouble });
    });
  });
}

interface LibraryError {
  code?: string;
  originalCode?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

function troubleOf(error: unknown, otherwise: Stage): Trouble {
  const {
    code = "",
    originalCode = "",
    command = "",
    response = "",
    responseCode,
  }: LibraryError = typeof error === "object" && error !== null ? error : {};
  return {
    stage: stageOf(command, code, otherwise),
    code: responseCode ?? null,
    text: response,
    cause: causeOf(code, originalCode),
  };
}

function stageOf(command: string, code: string, otherwise: Stage): Stage {
  if (/^MAIL/i.test(command)) return "MAIL";
  if (/^RCPT/i.test(command)) return "RCPT";
  if (/^DATA/i.test(command)) return "DATA";
  if (/^AUTH/i.test(command) || code === "EAUTH") return "AUTH";
  if (/^(?:STARTTLS)/i.test(command) || code === "ETLS") return "TLS";
  if (/^(?:EHLO|HELO)/i.test(command)) return "EHLO";
  return otherwise;
}

function causeOf(code: string, originalCode: string): NoReplyCause {
  const all = `${code} ${originalCode}`;
  if (/ETIMEDOUT|ETIMEOUT/.test(all)) return "TIMEOUT";
  if (/ECONNREFUSED/.test(all)) return "REFUSED";
  if (/ECONNRESET|EPIPE/.test(all)) return "RESET";
  if (/ENOTFOUND|EDNS/.test(all)) return "RESOLVE";
  if (/EHOSTUNREACH|ENETUNREACH/.test(all)) return "UNREACHABLE";
  if (/ETLS|CERT|SSL|ALTNAME/.test(all)) return "TLS";
  if (/ECONNECTION|ESOCKET/.test(all)) return "CLOSED";
  return "OTHER";
}

function troubleOfConnect(error: unknown): Trouble {
  const reason = error instanceof EgressError ? error.reason : "CONNECT_FAILED";
  const causes: Partial<Record<typeof reason, NoReplyCause>> = {
    TIMEOUT: "TIMEOUT",
    DNS_FAILED: "RESOLVE",
    TLS_FAILED: "TLS",
    ADDRESS_BLOCKED: "UNREACHABLE",
  };
  return { stage: "CONNECT", code: null, text: "", cause: causes[reason] ?? "REFUSED" };
}
