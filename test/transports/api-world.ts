import type { WatchLimits } from "../../activities/inbox/listen.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { storeGrant } from "../../store/mailboxes/grant.ts";
import { nudge } from "../../store/outbox.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { PROJECT } from "../fakes/gmail/notices.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { headerOf, type SentMail } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export const APIS = ["GMAIL_API", "GRAPH"] as const;
export type Api = (typeof APIS)[number];

export const ADDRESSES: Readonly<Record<Api, string>> = { GMAIL_API: "ann@a.test", GRAPH: "gina@a.test" };

/** A world with the real worker and two mailboxes, one at each provider's API. */
export interface ApiWorld {
  world: World;
  workspaceId: string;
  rest: Rest;
  gmail: FakeGmail;
  graph: FakeGraph;
  /** Where both providers issue tokens. */
  oauth: FakeOAuth;
  mailboxes: Readonly<Record<Api, string>>;
  /** A launched campaign that sends from one of the mailboxes as fast as it can. Returns its path. */
  launched(api: Api, emails: string[], steps: object[], settings?: object): Promise<string>;
  /** As if the booked day of all follow-ups of a campaign had come. */
  comesDue(path: string): Promise<void>;
  /** All that left over an API. */
  sent(api: Api): SentMail[];
  sendTo(email: string): Promise<Send | null>;
  statusOf(path: string, email: string): Promise<string | undefined>;
  /** Drafts that are still in the mailbox. */
  drafts(api: Api): number;
  close(): Promise<void>;
}

const [TOPIC, SUBSCRIPTION] = [`projects/${PROJECT}/topics/gmail`, `projects/${PROJECT}/subscriptions/reader`];

/** Addresses that begin with `reply` answer each email that they get. `isNoticed`: both providers give notices. */
export async function startApiWorld({
  watching = {},
  isNoticed = false,
  abuseContact = null,
  prepare = () => {},
}: {
  watching?: Partial<WatchLimits>;
  isNoticed?: boolean;
  /** The value of X-Abuse in emails to recipients. */
  abuseContact?: string | null;
  /** Called before the mailboxes are connected. */
  prepare?: (gmail: FakeGmail, graph: FakeGraph) => void;
} = {}): Promise<ApiWorld> {
  const answer = (raw: Buffer, from: string, recipients: string[], arrive: (reply: Buffer) => void) => {
    for (const person of recipients.filter((address) => address.startsWith("reply")))
      setTimeout(() => arrive(replyTo(raw, from, person)), 300);
  };
  const oauth = await startOAuth();
  // A mailbox begins with its address as the access token, which never expires
  const ownerOf = (token: string) => (token.includes("@") ? token : oauth.ownerOf(token));
  const gmail = await startGmail({
    knows: ownerOf,
    deliver(raw, from, to) {
      if (to.includes(from)) gmail.mailbox(from).receive(raw);
      answer(raw, from, to, (reply) => gmail.mailbox(from).receive(reply));
    },
  });
  const graph = await startGraph({
    mailboxes: [{ address: ADDRESSES.GRAPH }],
    knows: (token) => {
      const address = ownerOf(token);
      return address === null ? null : { address };
    },
    deliver: (raw, from, to) => answer(raw, from, to, (reply) => void graph.arrive(from, reply)),
  });
  graph.settings.messageId = "minted at transport";
  gmail.subscribe(TOPIC, SUBSCRIPTION);
  const providers = providersAt(gmail, graph, oauth);
  const topic = { by: "PUBSUB" as const, topic: TOPIC, subscription: SUBSCRIPTION };
  const notices = { ...topic, credentials: gmail.subscriber, url: gmail.url };
  if (isNoticed && providers.A.api) providers.A.api.notices = notices;
  prepare(gmail, graph);
  const world = await startWorld({
    worker: realWorker({ abuseContact, watching: { apiPollMs: 300, lookMs: 1_000, watchMs: 60_000, ...watching } }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*", providers },
  });
  world.services.settings.publicUrl = world.baseUrl;
  if (isNoticed && providers.B.api)
    providers.B.api.notices = { by: "HTTP", postTo: `${world.baseUrl}/hooks/microsoft` };
  const { rest, workspaceId } = await world.workspace();
  const { MailboxCursor, Recipient, Send } = scoped(workspaceId);

  async function connected(api: Api): Promise<string> {
    const email = ADDRESSES[api];
    const _id = await apiMailboxIn(world, workspaceId, api, email, oauth.allow(email));
    // As if the mailbox had been read by IMAP before
    const byImap = { mailboxId: _id, folder: "INBOX", uidValidity: "7", lastUid: 12, highestModseq: "99" };
    await MailboxCursor.insert({ _id: `${_id}:INBOX`, ...byImap });
    await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "start" });
    const hasLooked = async () => (await MailboxCursor.count({ mailboxId: _id })) > 1;
    await until(hasLooked, { ...MAIL_DEADLINE, what: `the first look into ${email}` });
    return _id;
  }
  const mailboxes = { GMAIL_API: await connected("GMAIL_API"), GRAPH: await connected("GRAPH") };

  return {
    world,
    workspaceId,
    rest,
    gmail,
    graph,
    oauth,
    mailboxes,
    async launched(api, emails, steps, settings = {}) {
      const { body } = await rest.post("/campaigns", { name: "Over an API" });
      const path = `/campaigns/${body.id}`;
      const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
      await rest.patch(`${path}/settings`, { ...quick, mailboxIds: [mailboxes[api]], ...settings });
      await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
      await rest.post(`${path}/recipients`, { action: "addManual", emails });
      const { body: launch } = await rest.post(`${path}/control`, { action: "launch" });
      if (launch.launched !== true) throw new Error(`Not launched: ${JSON.stringify(launch.validation?.errors)}`);
      return path;
    },
    async comesDue(path) {
      const campaignId = path.split("/").at(-1) ?? "";
      await Send.updateMany({ campaignId, state: "RESERVED" }, { $set: { slotAt: new Date() } });
      for (const { _id: recipientId } of await Recipient.find({ campaignId }))
        await inTransaction(() => nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" }));
    },
    sent: (api) => (api === "GMAIL_API" ? gmail.sent : graph.sent),
    // The next step of the same person has an email too, which is booked later
    sendTo: (to) => Send.findOne({ to }, { sort: { _id: 1 } }),
    async statusOf(path, email) {
      const { body } = await rest.get(`${path}/recipients?pageSize=100`);
      return body.items.find((item: { email: string }) => item.email === email)?.status;
    },
    drafts: (api) =>
      api === "GMAIL_API" ? gmail.mailbox(ADDRESSES[api]).drafts.size : draftsAt(graph.mailbox(ADDRESSES[api])),
    async close() {
      await world.close();
      await gmail.close();
      await graph.close();
      await oauth.close();
    },
  };
}

/** The configured providers whose APIs are the stand-ins, and whose users consent at `oauth` if it is given. */
export function providersAt(gmail: FakeGmail, graph: FakeGraph, oauth?: FakeOAuth): MailProviders {
  const both = oauth === undefined ? {} : { oauth: clientOf(oauth), servers: { smtp: CLOSED, imap: CLOSED } };
  return {
    A: { ...NO_PROVIDERS.A, ...both, api: { transport: "GMAIL_API", url: gmail.url } },
    B: { ...NO_PROVIDERS.B, ...both, api: { transport: "GRAPH", url: `${graph.url}/v1.0` } },
  };
}

/** Nothing listens there: only the API is asked. */
const CLOSED = { host: "localhost", port: 9, security: "SSL_TLS" as const };

function clientOf({ clientId, clientSecret, url }: FakeOAuth) {
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo` };
  return { clientId, clientSecret, ...addresses, revocationUrl: null, scope: "openid https://mail.test/" };
}

/** A mailbox at a provider's API, as consent connects it. Its token is its address, and it has no mail servers. */
export async function apiMailboxIn(
  world: World,
  workspaceId: string,
  api: Api,
  email: string,
  refreshToken = "lasting",
): Promise<string> {
  const _id = newId("mbx");
  const provider = api === "GMAIL_API" ? ("A" as const) : ("B" as const);
  const expiresAt = new Date(Date.now() + DAY_MS);
  const granted = { provider, refreshToken, accessToken: email, expiresAt };
  const grantId = await storeGrant(world.services.keyRing, workspaceId, _id, granted);
  const login = { username: email, grantId, transport: api, provider: `PROVIDER${provider}` as const };
  await scoped(workspaceId).Mailbox.insert({ _id, email, dailySendLimit: 0, smtp: CLOSED, imap: CLOSED, ...login });
  return _id;
}

function draftsAt(mailbox: ReturnType<FakeGraph["mailbox"]>): number {
  const folder = mailbox.idOf("drafts");
  return [...mailbox.items.values()].filter(({ folderId }) => folderId === folder).length;
}

/** A person's reply, as it arrives in the mailbox that sent the email. */
export function replyTo(raw: Buffer, from: string, person: string): Buffer {
  const id = headerOf(raw, "Message-ID") ?? "";
  const head = [
    `From: ${person}`,
    `To: ${from}`,
    `Subject: Re: ${headerOf(raw, "Subject") ?? ""}`,
    `Message-ID: <${crypto.randomUUID()}@people.test>`,
    `In-Reply-To: ${id}`,
    `References: ${id}`,
    `Date: ${new Date().toUTCString()}`,
    "Content-Type: text/plain; charset=utf-8",
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\nThanks, tell me more please.\r\n`);
}
