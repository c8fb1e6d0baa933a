import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import type { SentMail } from "../sent-mail.ts";
import { deltaTokens } from "./collections.ts";
import { faultList, type GraphAnswer, type GraphFault, type GraphRoute, refuse } from "./faults.ts";
import { bodyOf, send } from "./http.ts";
import { type GraphItem, GraphMailbox, type MailboxSpec, newIds } from "./mailbox.ts";
import { answerMailbox, answerUser, type GraphServices, isAllowed } from "./routes.ts";
import { defaultSettings, type GraphCaller, type GraphSettings } from "./settings.ts";
import { type LifecycleEvent, startSubscriptions } from "./subscriptions.ts";
import { targetOf } from "./target.ts";
import { startTransport } from "./transport.ts";
import { uploadSessions } from "./uploads.ts";

/** What was asked, without the token. */
interface AskedOfGraph {
  method: string;
  path: string;
  route: GraphRoute | null;
  prefer: string;
  /** Null where the connection ended without an answer. */
  status: number | null;
  /** In milliseconds since 1970. */
  at: number;
}

/** Mail of Microsoft Graph (v1.0) on loopback, as its documents and the reports of its users describe it. */
export interface FakeGraph {
  /** Without the version: the base address of a client. */
  url: string;
  settings: GraphSettings;
  /** Every email that left, as the server of a recipient got it. */
  sent: SentMail[];
  asked: AskedOfGraph[];
  /** Every notice that was posted, with the status that came back. */
  notices: { url: string; body: unknown; status: number | null }[];
  mailbox(address: string): GraphMailbox;
  /** Puts an incoming email into the Inbox. */
  arrive(address: string, raw: Buffer | string): Promise<GraphItem>;
  fault(fault: GraphFault): void;
  clearFaults(): void;
  /** Sends at once what waits for transport. */
  release(address?: string): Promise<void>;
  /** Ends all delta tokens: 410, also in the middle of a round. */
  expireDelta(): void;
  lifecycle(address: string, event: LifecycleEvent): Promise<void>;
  close(): Promise<void>;
}

interface GraphOptions {
  mailboxes: readonly MailboxSpec[];
  /** Whom a token speaks for; null: it is unknown or has ended. */
  knows: (token: string) => GraphCaller | null;
  /** Called for each email that leaves. Mailboxes of this server have it by then. */
  deliver?: (raw: Buffer, from: string, recipients: string[]) => void | Promise<void>;
}

export async function startGraph({ mailboxes: specs, knows, deliver = () => {} }: GraphOptions): Promise<FakeGraph> {
  const settings = defaultSettings();
  const [sent, asked]: [SentMail[], AskedOfGraph[]] = [[], []];
  const [faults, active, announced] = [faultList(), new Map<string, number>(), new Set<string>()];
  const mailboxes = specs.map(
    (spec) =>
      new GraphMailbox(spec, (mailbox, change) => {
        const wasAnnounced = change.kind === "created" && announced.delete(change.immutableId);
        if (!wasAnnounced) void subscriptions.notify(mailbox, change);
      }),
  );
  const mailboxOf = (user: string) =>
    mailboxes.find(({ address, userId }) => address === user.toLowerCase() || userId === user);
  const subscriptions = startSubscriptions(settings, (user, { address }) =>
    mailboxOf(user.toLowerCase() === "me" ? (address ?? "") : user),
  );
  const transport = startTransport({ settings, sent, deliver, mailboxOf, arrive, announce });
  const [deltas, uploads] = [deltaTokens(settings), uploadSessions()];
  const services: GraphServices = { settings, transport, deltas, uploads, mailboxOf };

  function announce(mailbox: GraphMailbox, ids: { immutableId: string; id: string }): void {
    void subscriptions.notify(mailbox, { kind: "created", folderId: mailbox.idOf("outbox"), ...ids });
  }

  async function arrive(mailbox: GraphMailbox, raw: Buffer): Promise<GraphItem> {
    const { earlyMs } = settings.notices;
    const ids = newIds();
    if (earlyMs > 0) {
      announced.add(ids.immutableId);
      void subscriptions.notify(mailbox, { kind: "created", folderId: mailbox.idOf("inbox"), ...ids });
      await delay(earlyMs);
    }
    return mailbox.add({ folder: "inbox", ...ids, raw, isReceived: true, isRead: false });
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const address = new URL(req.url ?? "/", `http://${req.headers.host}`);
    const target = targetOf(req.method ?? "", decodeURIComponent(address.pathname));
    const prefer = [req.headers["prefer"] ?? ""].flat().join(", ");
    const path = address.pathname + address.search;
    const [method, at] = [req.method ?? "", Date.now()];
    const one: AskedOfGraph = { method, path, route: target?.route ?? null, prefer, status: null, at };
    asked.push(one);
    const body = await bodyOf(req, settings.maxRequestBytes);
    const token = (req.headers.authorization ?? "").replace(/^Bearer /i, "");
    const caller = target?.route === "upload" ? { address: null } : knows(token);
    const user = target?.user ?? caller?.address ?? "";
    const mailbox = mailboxOf(user);
    const fault = target && caller ? faults.take(target.route, mailbox?.address ?? user.toLowerCase()) : undefined;
    const instead = fault !== undefined && !fault.after ? fault.answer : null;
    const answer = instead ?? (await attempt());
    const last = fault?.after ? fault.answer : answer;
    if (last === "lost") return void res.socket?.destroy();
    one.status = last.status;
    send(req, res, last);

    async function attempt(): Promise<GraphAnswer> {
      if (body === null)
        return refuse("BadRequest", { status: settings.oversizeStatus, message: "Maximum request length exceeded." });
      if (caller === null)
        return refuse("InvalidAuthenticationToken", token === "" ? { message: "Access token is empty." } : {});
      if (target === null) return refuse("BadRequest");
      const { route, id, rest } = target;
      const isImmutable = /IdType="?ImmutableId"?/i.test(prefer);
      if (route === "upload") return uploads.put(id, req.headers, body);
      if (route === "subscriptions") {
        const isReauthorization = rest === "reauthorize";
        if (!isAllowed(route, caller, false)) return refuse("ErrorAccessDenied");
        return subscriptions.answer({ method: one.method, id, isReauthorization, caller, isImmutable, body });
      }
      if (target.user === null && caller.address === null)
        return refuse("BadRequest", { message: "/me request is only valid with delegated authentication flow." });
      if (route === "user") return answerUser(mailbox, caller, address.origin);
      if (mailbox === undefined)
        return refuse("ErrorInvalidUser", { message: `The requested user '${user}' is invalid.` });
      const key = `${caller.app ?? ""} ${mailbox.address}`;
      const running = active.get(key) ?? 0;
      if (running >= settings.concurrency) return refuse("ApplicationThrottled", { retryAfter: 10 });
      active.set(key, running + 1);
      try {
        await delay(settings.latencyMs);
        const base = `${address.origin}/v1.0/${target.user === null ? "me" : `users/${target.user}`}`;
        const shared = { mailbox, caller, base, host: address.origin, isImmutable, query: address.searchParams };
        return await answerMailbox({ ...target, ...shared, headers: req.headers, body }, services);
      } finally {
        active.set(key, (active.get(key) ?? 1) - 1);
      }
    }
  }

  const broken: unknown[] = [];
  const server = createServer((req, res) => {
    serve(req, res).catch((err: unknown) => {
      const isTheirs = err instanceof SyntaxError || err instanceof z.ZodError || err instanceof URIError;
      if (!isTheirs) {
        if (!res.destroyed) broken.push(err);
        return void res.destroy();
      }
      send(req, res, refuse("BadRequest", { message: "Unable to read JSON request payload." }));
    });
  });
  // On a machine that stalls, five seconds pass between two requests, and a reused connection would break
  server.keepAliveTimeout = MINUTE_MS;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // the address of a TCP server is never text

  function known(address: string): GraphMailbox {
    const mailbox = mailboxOf(address);
    if (mailbox === undefined) throw new Error(`There is no mailbox ${address}`);
    return mailbox;
  }

  return {
    url: `http://127.0.0.1:${port}`,
    settings,
    sent,
    asked,
    notices: subscriptions.notices,
    mailbox: known,
    arrive: (address, raw) => arrive(known(address), Buffer.from(raw)),
    fault: faults.set,
    clearFaults: faults.clear,
    release: transport.release,
    expireDelta: deltas.expire,
    lifecycle: (address, event) => subscriptions.lifecycle(known(address), event),
    async close() {
      transport.close();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      if (broken.length > 0) throw new Error("The stand-in itself failed", { cause: broken[0] });
    },
  };
}
