import type { Readable } from "node:stream";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { headerOf, headersOf, type SentMail } from "./sent-mail.ts";
import { type Answer, accept, refuse, type Stage } from "./smtp-answers.ts";
import { type Connection, faultPlayer, Refusal, type Reply } from "./smtp-faults.ts";

/** Maps a user to a password, or to the refusal that the user gets; "any" lets everybody in. */
export type Accounts = "any" | Record<string, string | { code: number; text: string }>;
/** Called at each RCPT; `attempt` counts the RCPTs seen for that address, from 1. */
export type Rules = (rcpt: string, attempt: number) => Answer;

export interface Attempt {
  at: number;
  stage: "RCPT" | "DATA" | "CONTENT";
  from: string;
  to: string[];
  session: string;
}

export interface SmtpOptions {
  certificate: { key: string; cert: string };
  accounts?: Accounts;
  /** Whether an access token lets a user in by XOAUTH2; without this function the method is not offered. */
  tokens?: (user: string, accessToken: string) => boolean;
  /** TLS from the first byte. */
  secure?: boolean;
  /** STARTTLS is offered unless this is false; then AUTH works without TLS. */
  startTls?: boolean;
  rules?: Rules;
  /** Takes mail from anybody, as the server that receives for a domain does. */
  receives?: boolean;
  /** How long to wait before every 250 to a final dot, in milliseconds. */
  delayMs?: number;
  hostname?: string;
  /** 0 or absent: a free one. */
  port?: number;
  /** False keeps only the header block of each mail, for load tests. */
  keepRaw?: boolean;
}

const SILENCE_MS = HOUR_MS;
const INVALID = new Refusal(535, "5.7.8 Authentication credentials invalid");

/** An SMTP server on a port of 127.0.0.1 that keeps a ledger and can play any fault of a real one. */
export async function startSmtp(options: SmtpOptions): Promise<FakeSmtp> {
  const smtp = new FakeSmtp(options);
  await new Promise<void>((resolve) => smtp.server.listen(options.port ?? 0, "127.0.0.1", resolve));
  return smtp;
}

export class FakeSmtp {
  /** Every mail that the server accepted, in order: the truth about what was sent. */
  readonly ledger: SentMail[] = [];
  /** Every RCPT seen, every DATA command started, and every content that began to arrive. */
  readonly attempts: Attempt[] = [];
  /** The name that each envelope's client greeted with. */
  readonly greetings: string[] = [];
  readonly server: SMTPServer;
  readonly #keepRaw: boolean;
  readonly #delayMs: number;
  readonly #faults = faultPlayer();
  readonly #rcptsSeen = new Map<string, number>();
  /** By session: what the rules said about the recipients of its transaction. */
  readonly #answers = new Map<string, Answer[]>();
  readonly #listeners: ((mail: SentMail) => void)[] = [];
  #accounts: Accounts;
  #rules: Rules;
  #senders: (from: string) => Answer = () => accept;
  #mostPerConnection = Number.POSITIVE_INFINITY;
  /** How often a connection was ended because it had carried all the mails it may. */
  connectionsUsedUp = 0;
  #greeting: Answer = accept;

  constructor({
    certificate,
    accounts,
    tokens,
    secure = false,
    startTls = true,
    rules,
    receives = false,
    delayMs = 0,
    hostname,
    keepRaw = true,
  }: SmtpOptions) {
    this.#accounts = accounts ?? "any";
    this.#rules = rules ?? (() => accept);
    this.#delayMs = delayMs;
    this.#keepRaw = keepRaw;
    this.server = new SMTPServer({
      ...certificate,
      secure,
      name: hostname ?? "localhost",
      hideSTARTTLS: !startTls,
      disabledCommands: startTls ? [] : ["STARTTLS"],
      authOptional: receives,
      allowInsecureAuth: !startTls,
      authMethods: tokens ? ["PLAIN", "LOGIN", "XOAUTH2"] : ["PLAIN", "LOGIN"],
      disableReverseLookup: true,
      // silence means silence, and the library would say 421 after a minute
      socketTimeout: SILENCE_MS,
      closeTimeout: 1,
      logger: false,
      onConnect: (session, reply) => this.#greet(this.#connectionOf(session), reply),
      onAuth: ({ method, username = "", password, accessToken = "" }, _session, reply) => {
        const isTaken = method === "XOAUTH2" && tokens?.(username, accessToken);
        const refused = isTaken ? null : method === "XOAUTH2" ? INVALID : this.#refusalOf(username, password ?? "");
        reply(refused, { user: username });
      },
      onMailFrom: ({ address }, session, reply) => {
        this.#answers.set(session.id, []);
        this.greetings.push(String(session.hostNameAppearsAs));
        this.#faults.play(this.#connectionOf(session), this.#answerToSender(address, session), "MAIL", reply);
      },
      onRcptTo: ({ address }, session, reply) =>
        this.#faults.play(this.#connectionOf(session), this.#ask(address, session), "RCPT", reply),
      onData: (stream, session, reply) => this.#read(stream, session, reply),
      onClose: (session) => void this.#answers.delete(session.id),
    });
    // a client that leaves in the middle is what the tests are about, not an error
    this.server.on("error", () => {});
  }

  get port(): number {
    const address = this.server.server.address();
    if (address === null || typeof address === "string") throw new Error("The SMTP server has no port");
    return address.port;
  }

  setRules(rules: Rules): void {
    this.#rules = rules;
  }

  /** What an envelope sender gets at MAIL: an answer whose `at` is MAIL. */
  setSenders(senders: (from: string) => Answer): void {
    this.#senders = senders;
  }

  /** A relay that takes so many mails over one connection, and ends it at the next MAIL. */
  setMailsPerConnection(most: number): void {
    this.#mostPerConnection = most;
  }

  /** What a new connection gets instead of the greeting: an answer whose `at` is CONNECT. */
  setGreeting(answer: Answer): void {
    this.#greeting = answer;
  }

  setAccounts(accounts: Accounts): void {
    this.#accounts = accounts;
  }

  /** Called after each new row of the ledger. */
  onMail(listener: (mail: SentMail) => void): void {
    this.#listeners.push(listener);
  }

  /** The number of open connections. */
  connections(): number {
    return this.server.connections.size;
  }

  /** Cuts every connection without a word. */
  drop(): void {
    for (const connection of this.server.connections) connection._socket.destroy();
  }

  async close(): Promise<void> {
    this.#faults.stop();
    this.drop();
    await new Promise<void>((resolve) => this.server.close(resolve));
  }

  #answerToSender(address: string, session: SMTPServerSession): Answer {
    const carried = this.ledger.filter((mail) => mail.session === session.id).length;
    if (carried < this.#mostPerConnection) return this.#senders(address);
    this.connectionsUsedUp++;
    return refuse(421, "4.3.2 Service not available, closing transmission channel", "MAIL");
  }

  #connectionOf(session: SMTPServerSession): Connection {
    for (const connection of this.server.connections) if (connection.session === session) return connection;
    throw new Error(`The SMTP session ${session.id} has no connection`);
  }

  #greet(connection: Connection, reply: Reply): void {
    // the library always says 354, while a real server may refuse DATA
    const goOn = connection.handler_DATA.bind(connection);
    connection.handler_DATA = (command, done) => {
      const { session } = connection;
      if (session.envelope.rcptTo.length > 0) this.#note("DATA", recipientsOf(session), session);
      this.#faults.play(connection, this.#answerAt(session, "DATA"), "DATA", (refused) => {
        if (!refused) return goOn(command, done);
        connection.send(refused.responseCode, refused.message);
        done();
      });
    };
    this.#faults.play(connection, this.#greeting, "CONNECT", reply);
  }

  #refusalOf(username: string, password: string): Refusal | null {
    if (this.#accounts === "any") return null;
    const known = Object.hasOwn(this.#accounts, username) ? this.#accounts[username] : undefined;
    if (typeof known === "object") return new Refusal(known.code, known.text);
    return known === password ? null : INVALID;
  }

  #ask(address: string, session: SMTPServerSession): Answer {
    const attempt = (this.#rcptsSeen.get(address.toLowerCase()) ?? 0) + 1;
    this.#rcptsSeen.set(address.toLowerCase(), attempt);
    this.#note("RCPT", [address], session);
    const answer = this.#rules(address, attempt);
    this.#answers.get(session.id)?.push(answer);
    return answer;
  }

  #note(stage: Attempt["stage"], to: string[], session: SMTPServerSession): void {
    this.attempts.push({ at: Date.now(), stage, from: senderOf(session), to, session: session.id });
  }

  /** The first fault that the rules ask for at that stage, over all recipients. */
  #answerAt(session: SMTPServerSession, stage: Stage): Answer {
    return this.#answers.get(session.id)?.find(({ at }) => at === stage) ?? { act: "accept", at: stage };
  }

  #read(stream: Readable, session: SMTPServerSession, reply: Reply): void {
    const connection = this.#connectionOf(session);
    const middle = this.#answerAt(session, "CONTENT");
    // read now, since a client that leaves takes the answers of its session with it
    const answer = this.#answerAt(session, "DOT");
    const isCutShort = middle.act === "drop" || middle.act === "silence";
    const chunks: Buffer[] = [];
    stream.once("data", () => this.#note("CONTENT", recipientsOf(session), session));
    stream.on("data", (chunk: Buffer) => {
      if (isCutShort) this.#faults.play(connection, middle, "CONTENT", () => {});
      else chunks.push(chunk);
    });
    stream.on("end", () => {
      if (isCutShort) return;
      this.#take(session, Buffer.concat(chunks), answer);
      this.#faults.play(connection, { delayMs: this.#delayMs, ...answer }, "DOT", reply);
    });
  }

  #take(session: SMTPServerSession, raw: Buffer, answer: Answer): void {
    const answered = verdictOf(answer);
    if (answered === "not taken") return;
    const mail: SentMail = {
      at: Date.now(),
      from: senderOf(session),
      to: recipientsOf(session),
      raw: this.#keepRaw ? raw : Buffer.from(headersOf(raw)),
      messageId: headerOf(raw, "Message-ID") ?? "",
      mailRef: headerOf(raw, "X-Mail-Ref"),
      subject: headerOf(raw, "Subject") ?? "",
      user: typeof session.user === "string" ? session.user : undefined,
      session: session.id,
      answered,
    };
    this.ledger.push(mail);
    for (const listener of this.#listeners) listener(mail);
  }
}

function verdictOf(answer: Answer): SentMail["answered"] | "not taken" {
  if (answer.act === "refuse") return "not taken";
  if (answer.act === "drop") return answer.kept ? "dropped" : "not taken";
  if (answer.act === "silence") return answer.kept ? "silent" : "not taken";
  return "250";
}

function recipientsOf(session: SMTPServerSession): string[] {
  return session.envelope.rcptTo.map(({ address }) => address);
}

function senderOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom === false ? "" : envelope.mailFrom.address;
}
