import { makeCertificate } from "./certificate.ts";
import { type FakeImap, startImap } from "./imap.ts";
import { deliveryFailure, outOfOffice, replyTo } from "./mails.ts";
import { postOneClick, unsubscribeUrlOf } from "./one-click.ts";
import { kindOf, reportOf, type SandboxReport, type Stop } from "./sandbox-report.ts";
import type { SentMail } from "./sent-mail.ts";
import { type FakeSmtp, startSmtp } from "./smtp.ts";
import { type Answer, accept, greylist, loseReply, refuse } from "./smtp-answers.ts";

export interface SandboxOptions {
  /** The addresses of the sending mailboxes. Each has an account on the SMTP server and an IMAP server of its own. */
  mailboxes: string[];
  certificate?: { key: string; cert: string };
  /** TLS from the first byte on both kinds of server; STARTTLS when false. */
  secure?: boolean;
  /** Performs the one-click POST instead of the sandbox. */
  onUnsubscribe?: (url: string) => Promise<void>;
  /** Scheme, host and port to which unsubscriptions are posted, instead of those in the link. */
  unsubscribeOrigin?: string;
  /** How long people and remote servers take to react, in milliseconds. */
  reactionMs?: { min: number; max: number };
  /** How long the SMTP server waits before each 250, in milliseconds. */
  delayMs?: number;
  hostname?: string;
  /** Free ones unless said; of the mailboxes, the first takes `imap`, the next the port after it. */
  ports?: { smtp: number; imap: number };
  keepRaw?: boolean;
  /**
   * The folder into which a mailbox's server files mail between the mailboxes; null: it never arrives. INBOX unless
   * given.
   */
  filing?: (recipient: string, mail: SentMail) => string | null;
  /** What a person writes who replies; one of three texts where it is not given or returns nothing. */
  replyText?: (recipient: string) => string | undefined;
  seed?: number;
}

const PASSWORD = "sandbox-password";
const NO_SUCH_USER = { status: "5.1.1", diagnostic: "550 5.1.1 The account does not exist" };
const OVER_QUOTA = { status: "5.2.2", diagnostic: "452 4.2.2 The mailbox is over quota" };
const REPLIES = [
  "Thanks for writing. Could you send some prices?",
  "Sounds interesting, are you free on Thursday?",
  "Not our priority this quarter, but let's talk in spring.",
];

/**
 * A small world of mail: one SMTP server for all, one IMAP server per sending mailbox, and people who behave as their
 * address begins: reply, ooo, hard, refuse, softdsn, soft, grey, unsub, drop, large. Any other person only receives.
 * Mail between the mailboxes is delivered.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mailboxes, secure = true, delayMs = 0, keepRaw = true, hostname = "localhost", ports } = options;
  const certificate = options.certificate ?? (await makeCertificate());
  const imaps = new Map<string, FakeImap>();
  for (const [index, user] of mailboxes.entries()) {
    // At a port that stays, whoever has read the sandbox before must see that this is another one
    const place = ports && { port: ports.imap + index, uidValidity: Math.floor(Date.now() / 1000) };
    imaps.set(user.toLowerCase(), await startImap({ certificate, user, password: PASSWORD, secure, ...place }));
  }
  const accounts = Object.fromEntries(mailboxes.map((address) => [address, PASSWORD]));
  const smtp = await startSmtp({ certificate, accounts, secure, delayMs, keepRaw, hostname, port: ports?.smtp ?? 0 });
  return new Sandbox(options, certificate, smtp, imaps);
}

export class Sandbox {
  /** The password of every account. */
  readonly password = PASSWORD;
  readonly certificate: { key: string; cert: string };
  readonly smtp: FakeSmtp;
  readonly #imaps: Map<string, FakeImap>;
  readonly #options: SandboxOptions;
  readonly #random: () => number;
  /** The stops, by recipient and cause. */
  readonly #stops = new Map<string, Stop>();
  readonly #unsubscribeFailures: string[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #closing = new AbortController();
  readonly #reached = new Set<string>();
  #posts = 0;

  constructor(
    options: SandboxOptions,
    certificate: { key: string; cert: string },
    smtp: FakeSmtp,
    imaps: Map<string, FakeImap>,
  ) {
    this.#options = options;
    this.certificate = certificate;
    this.smtp = smtp;
    this.#imaps = imaps;
    this.#random = randomFrom(options.seed ?? 1);
    smtp.setRules((rcpt, attempt) => this.#answerTo(rcpt.toLowerCase(), attempt));
    smtp.onMail((mail) => {
      for (const recipient of mail.to) this.#react({ ...mail, to: [recipient] }, recipient.toLowerCase());
    });
  }

  get smtpPort(): number {
    return this.smtp.port;
  }

  get ledger(): SentMail[] {
    return this.smtp.ledger;
  }

  imapPortOf(address: string): number {
    return this.imapOf(address).port;
  }

  imapOf(address: string): FakeImap {
    const imap = this.#imaps.get(address.toLowerCase());
    if (!imap) throw new Error(`The sandbox has no mailbox ${address}`);
    return imap;
  }

  report(): SandboxReport {
    return reportOf(this.smtp.ledger, this.smtp.attempts, [...this.#stops.values()], this.#unsubscribeFailures);
  }

  /** How many reactions are still to come. */
  pending(): number {
    return this.#timers.size + this.#posts;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([this.smtp, ...this.#imaps.values()].map((server) => server.close()));
  }

  #answerTo(rcpt: string, attempt: number): Answer {
    if (this.#imaps.has(rcpt)) return accept;
    switch (kindOf(rcpt)) {
      case "refuse":
        this.#stop(rcpt, "refused");
        return refuse(550, "5.1.1 User unknown");
      case "soft":
        return refuse(452, "4.2.2 Mailbox full");
      case "grey":
        return greylist(attempt);
      case "drop":
        return this.#reached.has(rcpt) ? accept : loseReply({ kept: true });
      case "large":
        return refuse(552, "5.3.4 Message size exceeds fixed limit", "DOT");
      default:
        return accept;
    }
  }

  #react(mail: SentMail, recipient: string): void {
    const colleague = this.#imaps.get(recipient);
    const folder = this.#options.filing === undefined ? "INBOX" : this.#options.filing(recipient, mail);
    const deliver = () => {
      if (folder !== null) colleague?.deliver(mail.raw, folder);
    };
    const reaction = colleague ? deliver : this.#reactionTo(mail, recipient, !this.#reached.has(recipient));
    this.#reached.add(recipient);
    if (reaction) this.#later(reaction);
  }

  /** People reply, unsubscribe and send an absence notice once; remote servers bounce every mail. */
  #reactionTo(mail: SentMail, recipient: string, isFirst: boolean): (() => void) | undefined {
    const sender = this.imapOf(mail.user ?? mail.from);
    const kind = kindOf(recipient);
    if (kind === "softdsn") return () => sender.deliver(deliveryFailure(mail, OVER_QUOTA));
    if (kind === "hard")
      return () => {
        sender.deliver(deliveryFailure(mail, NO_SUCH_USER));
        this.#stop(recipient, "bounced");
      };
    if (!isFirst) return undefined;
    if (kind === "ooo") return () => sender.deliver(outOfOffice(mail));
    if (kind === "unsub") return () => void this.#unsubscribe(mail, recipient);
    if (kind !== "reply") return undefined;
    return () => {
      const drawn = REPLIES[Math.floor(this.#random() * REPLIES.length)] ?? "Yes.";
      sender.deliver(replyTo(mail, { text: this.#options.replyText?.(recipient) ?? drawn }));
      this.#stop(recipient, "replied");
    };
  }

  #later(then: () => void): void {
    const { min, max } = this.#options.reactionMs ?? { min: 150, max: 900 };
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        then();
      },
      min + this.#random() * (max - min),
    );
    this.#timers.add(timer);
  }

  async #unsubscribe(mail: SentMail, recipient: string): Promise<void> {
    const { onUnsubscribe, unsubscribeOrigin } = this.#options;
    this.#posts++;
    try {
      const url = unsubscribeUrlOf(mail.raw, unsubscribeOrigin);
      await (onUnsubscribe ? onUnsubscribe(url) : postOneClick(url, this.#closing.signal));
      this.#stop(recipient, "unsubscribed");
    } catch (cause) {
      this.#unsubscribeFailures.push(`${recipient}: ${String(cause)}`);
    }
    this.#posts--;
  }

  /** Only the first instant is kept. */
  #stop(recipient: string, cause: Stop["cause"]): void {
    const key = `${recipient} ${cause}`;
    if (!this.#stops.has(key)) this.#stops.set(key, { recipient, cause, at: Date.now() });
  }
}

/** Mulberry32: the same seed gives the same delays. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
