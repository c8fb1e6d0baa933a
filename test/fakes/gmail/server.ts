import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { GoogleCredentials } from "../../../domain/access/google-credentials.ts";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { headerOf, type SentMail } from "../sent-mail.ts";
import { bodyOf, contentOf, failure, say, success } from "./bodies.ts";
import { type FaultPlace, faultList, type GmailFault } from "./faults.ts";
import { GmailMailbox } from "./mailbox.ts";
import type { GmailMessage } from "./messages.ts";
import type { GmailCall, GmailPost } from "./methods.ts";
import { type NoticeSettings, noticeBoard } from "./notices.ts";
import { outgoingOf } from "./outgoing.ts";
import { type ProjectAge, quotaMeter } from "./quota.ts";
import { authError, delegationDenied, insufficientScopes, notFound } from "./refusals.ts";
import { ROUTES } from "./routes.ts";
import { startSubscriber } from "./subscriber.ts";

interface GmailOptions {
  /** The address of the user to whom an access token belongs; null for a token that does not hold. */
  knows(token: string): string | null;
  /** Takes every email that leaves, as the server of its recipients would get it. */
  deliver?(raw: Buffer, from: string, recipients: string[]): void;
  /** Milliseconds since 1970. */
  now?(): number;
  /** Set above 2^53 where a reader must not make numbers of history ids. */
  firstHistoryId?: bigint;
}

/** What was asked, without the token. */
interface AskedOfGmail {
  method: string;
  address: string;
  path: string;
  query: URLSearchParams;
}

/** The Gmail API and Pub/Sub's pull on loopback, as the discovery document describes them. */
export interface FakeGmail {
  /** Also the `rootUrl` of Google's own client. */
  url: string;
  /** Every email that left, in order; `session` is the id of its message. */
  sent: SentMail[];
  asked: AskedOfGmail[];
  settings: {
    /** Whether the plain text that leaves is made from the HTML. */
    rewritesText: boolean;
    /** Headers that are taken from each email that leaves. */
    drops: string[];
    /** Whether units are counted, and by which table. */
    quota: ProjectAge | null;
    /** How long a search by `q` does not find a new message. */
    indexMs: number;
    /** How many of the next histories begin with a page that has a token and no entries. */
    hollowPages: number;
    notices: NoticeSettings;
  };
  /** The mailbox of an address, which is made at its first mention. */
  mailbox(address: string): GmailMailbox;
  /** Sets a fault for a method such as `drafts.send`, or `*`. Returns what lifts it. */
  fault(method: string, fault: GmailFault, place?: FaultPlace): () => void;
  clearFaults(): void;
  /** Makes a Pub/Sub topic with a subscription, both by their full names. */
  subscribe(topic: string, subscription: string): void;
  /** Credentials of a service account that may pull. */
  subscriber: GoogleCredentials;
  close(): Promise<void>;
}

const API = /^(\/upload)?\/gmail\/v1\/users\/([^/]+)\/(.+)$/;
const PUBSUB = /^\/v1\/(projects\/[^/]+\/subscriptions\/[^/]+):(pull|acknowledge)$/;
const SCOPE = "https://www.googleapis.com/auth/gmail.";

export async function startGmail({
  knows,
  deliver = () => {},
  now = Date.now,
  firstHistoryId = 999_950n,
}: GmailOptions): Promise<FakeGmail> {
  const mailboxes = new Map<string, GmailMailbox>();
  const [sent, asked]: [SentMail[], AskedOfGmail[]] = [[], []];
  const settings: FakeGmail["settings"] = {
    rewritesText: true,
    drops: [],
    quota: null,
    indexMs: 0,
    hollowPages: 0,
    notices: { lost: 0, delayMs: 0, pullMs: 1_000, ackDeadlineMs: 10_000 },
  };
  const faults = faultList();
  const meter = quotaMeter(now);
  const board = noticeBoard(settings.notices, now);
  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.destroy());
  });
  // On a machine that stalls, five seconds pass between two requests, and a reused connection would break
  server.keepAliveTimeout = MINUTE_MS;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // the address of a TCP server is never text
  const subscriber = startSubscriber(`http://127.0.0.1:${port}`);

  function mailbox(address: string): GmailMailbox {
    const key = address.toLowerCase();
    const known = mailboxes.get(key);
    if (known !== undefined) return known;
    const made = new GmailMailbox(key, firstHistoryId, now);
    made.onChange = (record) => board.changed(made, record);
    mailboxes.set(key, made);
    return made;
  }

  const post: GmailPost = {
    send(from, raw, threadId) {
      const { kept, wire, messageId, ...envelope } = outgoingOf(raw, from, settings, now());
      const message = from.add(kept, { labelIds: ["SENT"], ...(threadId && { threadId }) });
      sent.push({
        at: now(),
        from: envelope.from,
        to: envelope.recipients,
        raw: wire,
        messageId,
        mailRef: headerOf(wire, "X-Mail-Ref"),
        subject: headerOf(wire, "Subject") ?? "",
        user: from.address,
        session: message.id,
        answered: "250",
      });
      deliver(wire, envelope.from, envelope.recipients);
      return message;
    },
    watch: board.watch,
    stop: board.stop,
    isIndexed: ({ internalDate }: GmailMessage) => now() - internalDate >= settings.indexMs,
    isFirstPageHollow: () => settings.hollowPages > 0 && settings.hollowPages-- > 0,
  };

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(req.url ?? "/", "http://localhost");
    const path = decodeURIComponent(pathname);
    const bytes = await bodyOf(req);
    const token = (req.headers.authorization ?? "").replace(/^Bearer /, "");
    const address = subscriber.isOwn(token) ? null : knows(token);
    const [, subscription = "", verb = ""] = PUBSUB.exec(path) ?? [];
    const [, upload, user = "", rest = ""] = API.exec(path) ?? [];
    const found = Object.entries(ROUTES).find(([, { http, path }]) => http === req.method && path.test(rest));
    const method = subscription === "" ? (found?.[0] ?? "") : `subscriptions.${verb}`;
    const ids = found?.[1].path.exec(rest)?.slice(1) ?? [];
    asked.push({ method, address: address ?? "", path, query });
    await play(faults.take(method, address ?? "", ids[0] ?? ""), res, async () => {
      if (path === "/token") return subscriber.grant(bytes.toString());
      if (subscription !== "" && subscriber.isOwn(token))
        return board.ask(subscription, verb, JSON.parse(bytes.toString()));
      if (address === null) throw authError();
      if (subscription !== "") return board.ask(subscription, verb, JSON.parse(bytes.toString()));
      if (found === undefined) throw notFound("Not Found");
      if (user !== "me" && user.toLowerCase() !== address.toLowerCase()) throw delegationDenied(user);
      const own = mailbox(address);
      const scopes = found[1].scopes.map((name) => (name === "mail" ? "https://mail.google.com/" : `${SCOPE}${name}`));
      if (!own.scopes.some((scope) => scopes.includes(scope))) throw insufficientScopes(method);
      if (settings.quota !== null) meter.spend(own.address, method, settings.quota);
      const call: GmailCall = { mailbox: own, ids, query, ...contentOf(req.headers, bytes, upload !== undefined) };
      return found[1].run(call, post);
    });
  }

  /** Answers a request as its fault has it. */
  async function play(fault: GmailFault | null, res: ServerResponse, run: () => Promise<object | null>): Promise<void> {
    if (fault?.act === "delay") await sleep(fault.ms);
    const isFailing = fault !== null && fault.act !== "delay";
    const before = sent.length;
    const [status, body] =
      isFailing && fault.effect === "without effect" ? [200, null] : await run().then(success, failure);
    if (!isFailing) return say(res, status, body);
    for (const mail of sent.slice(before)) mail.answered = "dropped";
    if (fault.act === "lose") return void res.destroy();
    const refusal = fault.refusal();
    say(res, refusal.status, refusal.body);
  }

  return {
    url: `http://127.0.0.1:${port}`,
    sent,
    asked,
    settings,
    mailbox,
    fault: faults.add,
    clearFaults: faults.clear,
    subscribe: board.subscribe,
    subscriber: subscriber.account,
    async close() {
      board.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
