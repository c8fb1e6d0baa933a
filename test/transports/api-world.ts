import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { storeGrant } from "../../store/mailboxes/grant.ts";
import { nudge } from "../../store/outbox.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { headerOf, type SentMail } from "../fakes/sent-mail.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export const APIS = ["GMAIL_API", "GRAPH"] as const;
export type Api = (typeof APIS)[number];

const ADDRESSES: Readonly<Record<Api, string>> = { GMAIL_API: "ann@a.test", GRAPH: "gina@a.test" };

/** A world with the real worker and two mailboxes, one at each provider's API. */
export interface ApiWorld {
  world: World;
  workspaceId: string;
  rest: Rest;
  gmail: FakeGmail;
  graph: FakeGraph;
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

/** Addresses that begin with `reply` answer each email that they get. */
export async function startApiWorld(): Promise<ApiWorld> {
  const answer = (raw: Buffer, from: string, recipients: string[], arrive: (reply: Buffer) => void) => {
    for (const person of recipients.filter((address) => address.startsWith("reply")))
      setTimeout(() => arrive(replyTo(raw, from, person)), 300);
  };
  const gmail = await startGmail({
    knows: (token) => (token.includes("@") ? token : null),
    deliver(raw, from, to) {
      if (to.includes(from)) gmail.mailbox(from).receive(raw);
      answer(raw, from, to, (reply) => gmail.mailbox(from).receive(reply));
    },
  });
  const graph = await startGraph({
    mailboxes: [{ address: ADDRESSES.GRAPH }],
    knows: (token) => ({ address: token }),
    deliver: (raw, from, to) => answer(raw, from, to, (reply) => void graph.arrive(from, reply)),
  });
  graph.settings.messageId = "minted at transport";
  const providers = {
    A: { ...NO_PROVIDERS.A, api: { transport: "GMAIL_API" as const, url: gmail.url } },
    B: { ...NO_PROVIDERS.B, api: { transport: "GRAPH" as const, url: `${graph.url}/v1.0` } },
  };
  const watching = { apiPollMs: 300, lookMs: 1_000, watchMs: 60_000 };
  const world = await startWorld({
    worker: realWorker({ watching }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*", providers },
  });
  const { rest, workspaceId } = await world.workspace();
  const { Mailbox, MailboxCursor, Recipient, Send } = scoped(workspaceId);

  async function connected(api: Api): Promise<string> {
    const [_id, email] = [newId("mbx"), ADDRESSES[api]];
    const provider = api === "GMAIL_API" ? ("A" as const) : ("B" as const);
    const expiresAt = new Date(Date.now() + DAY_MS);
    const granted = { provider, refreshToken: "lasting", accessToken: email, expiresAt };
    const grantId = await storeGrant(world.services.keyRing, workspaceId, _id, granted);
    const servers = {
      smtp: { host: "localhost", port: 9, security: "SSL_TLS" as const },
      imap: { host: "localhost", port: 9, security: "SSL_TLS" as const },
    };
    const login = { username: email, grantId, transport: api, provider: `PROVIDER${provider}` as const };
    await Mailbox.insert({ _id, email, dailySendLimit: 0, ...servers, ...login });
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
    sendTo: (to) => Send.findOne({ to }),
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
    },
  };
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
