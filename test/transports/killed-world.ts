import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { freeMailbox } from "../../store/mailboxes/faults.ts";
import { nudge } from "../../store/outbox.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { startOAuth } from "../fakes/oauth.ts";
import { postOneClick, unsubscribeUrlOf } from "../fakes/one-click.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { browse } from "../mailboxes/consent-world.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { replyTo } from "./api-world.ts";

const OWNERS = { SMTP_IMAP: "sam@a.test", GMAIL_API: "ann@a.test", GRAPH: "gina@a.test" } as const;
export type Transport = keyof typeof OWNERS;
export const ALL_TRANSPORTS = ["SMTP_IMAP", "GMAIL_API", "GRAPH"] as const;
const REACTION_MS = 300;

/** A world whose workers are processes that can be killed, with a mailbox and a campaign of each transport. */
export interface KilledWorld {
  workspaceId: string;
  rest: Rest;
  /** With two, one works while the other starts. */
  workers: readonly KilledWorker[];
  sandbox: Sandbox;
  gmail: FakeGmail;
  graph: FakeGraph;
  /** When each person's unsubscription was answered, in milliseconds since 1970. */
  unsubscribed: Map<string, number>;
  /** All that left over a transport. */
  sent(transport: Transport): SentMail[];
  launch(transport: Transport, emails: string[]): Promise<string>;
  /** The user withdraws the consent. */
  withdraw(transport: "GMAIL_API" | "GRAPH"): void;
  /** Connects the mailbox by a consent, for the first time or again. */
  connect(transport: "GMAIL_API" | "GRAPH"): Promise<string>;
  mailboxOf(transport: Transport): Promise<{ status: string } | null>;
  /** As if every wait after a fault were over, and a minute had passed since each outcome became unknown. */
  timePasses(): Promise<void>;
  close(): Promise<void>;
}

export async function startKilledWorld(seed: number, workerCount: number): Promise<KilledWorld> {
  const oauth = await startOAuth();
  const unsubscribed = new Map<string, number>();
  const closing = new AbortController();
  const react = (raw: Buffer, from: string, people: string[], arrive: (reply: Buffer) => void) => {
    for (const person of people) {
      if (person.startsWith("reply")) setTimeout(() => arrive(replyTo(raw, from, person)), REACTION_MS).unref();
      if (!person.startsWith("unsub") || unsubscribed.has(person)) continue;
      unsubscribed.set(person, Number.POSITIVE_INFINITY);
      void postOneClick(unsubscribeUrlOf(raw), closing.signal).then(() => unsubscribed.set(person, Date.now()));
    }
  };
  const gmail = await startGmail({
    knows: (token) => (oauth.knows(OWNERS.GMAIL_API, token) ? OWNERS.GMAIL_API : null),
    deliver: (raw, from, to) => react(raw, from, to, (reply) => gmail.mailbox(from).receive(reply)),
  });
  const graph = await startGraph({
    mailboxes: [{ address: OWNERS.GRAPH }],
    knows: (token) => (oauth.knows(OWNERS.GRAPH, token) ? { address: OWNERS.GRAPH } : null),
    deliver: (raw, from, to) => react(raw, from, to, (reply) => void graph.arrive(from, reply)),
  });
  graph.settings.messageId = "minted at transport";
  const sandbox = await startSandbox({
    mailboxes: [OWNERS.SMTP_IMAP],
    keepRaw: true,
    reactionMs: { min: 50, max: 400 },
    seed,
  });
  const { clientId, clientSecret, url } = oauth;
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo` };
  const client = { clientId, clientSecret, ...addresses, revocationUrl: null, scope: "openid https://mail.test/" };
  const closed = { host: "localhost", port: 9, security: "SSL_TLS" as const };
  const both = { oauth: client, servers: { smtp: closed, imap: closed } };
  const providers = {
    A: { ...NO_PROVIDERS.A, ...both, api: { transport: "GMAIL_API" as const, url: gmail.url } },
    B: { ...NO_PROVIDERS.B, ...both, api: { transport: "GRAPH" as const, url: `${graph.url}/v1.0` } },
  };
  const egressAllow = "localhost:*,127.0.0.1:*";
  const world: World = await startWorld({ temporal: true, settings: { providers, egressAllow } });
  world.services.settings.publicUrl = world.baseUrl;
  const watching = { apiPollMs: 300, lookMs: 1_000, leftDraftMs: 5_000 };
  const newWorker = () => killedWorkerOf(world, sandbox.certificate.cert, undefined, { watching, providers });
  const workers = await Promise.all(Array.from({ length: workerCount }, newWorker));
  const { rest, workspaceId } = await world.workspace();
  const { Mailbox, MailboxCursor, Recipient, Send } = scoped(workspaceId);

  async function connect(transport: "GMAIL_API" | "GRAPH", tries = 20): Promise<string> {
    const email = OWNERS[transport];
    const start = { action: `provider${transport === "GMAIL_API" ? "A" : "B"}OAuthStart` };
    const { body } = await rest.post("/mailboxes/connect", start);
    const page = await browse(oauth.consent(body.authUrl, email));
    // A fault that waits for the next request may hit the check of the mailbox
    if (page.status !== 200 && tries > 1) return connect(transport, tries - 1);
    if (page.status !== 200) throw new Error(`The consent was answered by ${page.status}: ${page.text.slice(0, 500)}`);
    await Mailbox.updateOne({ email }, { $set: { dailySendLimit: 0 } });
    const mailboxId = (await Mailbox.findOne({ email }))?._id ?? "";
    const hasLooked = async () => (await MailboxCursor.count({ mailboxId })) > 0;
    await until(hasLooked, { ...MAIL_DEADLINE, what: `the first look into ${email}` });
    return mailboxId;
  }

  for (const worker of workers) worker.start();
  const smtpId = await mailboxIn(world, workspaceId, OWNERS.SMTP_IMAP, sandbox);
  await listened(workspaceId, smtpId);
  const mailboxes = { SMTP_IMAP: smtpId, GMAIL_API: await connect("GMAIL_API"), GRAPH: await connect("GRAPH") };

  return {
    workspaceId,
    rest,
    workers,
    sandbox,
    gmail,
    graph,
    unsubscribed,
    sent: (transport) =>
      transport === "SMTP_IMAP" ? sandbox.ledger : transport === "GMAIL_API" ? gmail.sent : graph.sent,
    async launch(transport, emails) {
      const { body } = await rest.post("/campaigns", { name: transport });
      const path = `/campaigns/${body.id}`;
      const quick = { windows: ALWAYS, minGapSeconds: 1, maxGapSeconds: 1, perMailboxDailyLimit: 0 };
      const settings = { ...quick, mailboxIds: [mailboxes[transport]], bounceGuard: { enabled: false } };
      await rest.patch(`${path}/settings`, settings);
      const steps = ["Hello {{email}}", ""].map((subject) => ({
        ...{ subject, body: "<p>Hello</p>", delay: { value: 0, unit: "MINUTES" } },
      }));
      await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
      await rest.post(`${path}/recipients`, { action: "addManual", emails });
      const { body: launch } = await rest.post(`${path}/control`, { action: "launch" });
      if (launch.launched !== true) throw new Error(`Not launched: ${JSON.stringify(launch.validation?.errors)}`);
      return path;
    },
    withdraw: (transport) => oauth.revoke(OWNERS[transport]),
    connect,
    mailboxOf: (transport) => Mailbox.get(mailboxes[transport]),
    async timePasses() {
      const over = { rateRefusals: 0, hostFailures: 0, nextAt: null, retryAt: null };
      const slowed = await Mailbox.find({
        $or: [
          { status: trusted({ $in: ["SENDING_ERROR", "COOLING_DOWN"] as const }) },
          { nextAt: trusted({ $gt: new Date(Date.now() + 10_000) }) },
          { retryAt: trusted({ $gt: new Date() }) },
        ],
      });
      for (const { _id, status } of slowed) {
        const back = status === "RECONNECT_REQUIRED" ? {} : { status: "CONNECTED" as const, statusReason: null };
        await inTransaction(async () => {
          await Mailbox.updateOne({ _id }, { $set: { ...over, ...back } });
          await freeMailbox(workspaceId, _id);
        });
      }
      const soon = new Date(Date.now() + 5_000);
      const late = await Send.find({ state: "RESERVED", slotAt: trusted({ $gt: soon }) });
      await Send.updateMany({ state: "RESERVED", slotAt: trusted({ $gt: soon }) }, { $set: { slotAt: new Date() } });
      for (const { recipientId } of late) {
        const recipient = recipientId === null ? null : await Recipient.get(recipientId);
        if (recipient === null) continue;
        const { campaignId, _id } = recipient;
        await inTransaction(() => nudge(workspaceId, "RECIPIENT", { recipientId: _id, campaignId, signal: "replan" }));
      }
      const fresh = { state: "UNKNOWN" as const, unknownAt: trusted({ $gt: new Date(Date.now() - 60_000) }) };
      await Send.updateMany(fresh, { $set: { unknownAt: new Date(Date.now() - 61_000) } });
      // The process that held them is dead
      const dead = { state: "SENDING" as const, claimedAt: trusted({ $lt: new Date(Date.now() - 10_000) }) };
      await Send.updateMany(dead, { $set: { leaseUntil: new Date(0) } });
    },
    async close() {
      closing.abort();
      for (const worker of workers) await worker.kill();
      await world.close();
      await Promise.all([gmail.close(), graph.close(), oauth.close(), sandbox.close()]);
    },
  };
}
