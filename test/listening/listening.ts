import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { pino } from "pino";
import type { WatchLimits } from "../../activities/inbox/listen.ts";
import { imapActivities } from "../../activities/inbox/watch-mailbox.ts";
import { createLogins } from "../../activities/mailboxes/logins.ts";
import { closeParsers } from "../../connectors/mime/parse-pool.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { seal } from "../../domain/access/seal.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { QuickImap, type QuickImapOptions } from "../fakes/quick-imap.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { outboxOf } from "../support/outbox.ts";
import type { Rest } from "../support/rest.ts";
import { STEPS } from "../support/steps.ts";
import { startWorld, type World } from "../support/world.ts";

export const PASSWORD = "listening";
export const SUBJECT = "A question about widgets";

export let world: World;
export let certificate: Certificate;
let egress: Egress;
export let imap: FakeImap;
export let workspaceId: string;
export let rest: Rest;
export let mailbox: Mailbox;
let watching: { stop(): Promise<void> } | null = null;
const closing: (() => Promise<void>)[] = [];

/**
 * Call this once in a test file: it makes a world, and for each test a workspace with one mailbox on an IMAP server of
 * its own.
 */
export function listening(): void {
  beforeAll(async () => {
    world = await startWorld();
    certificate = await makeCertificate();
    egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: certificate.cert });
  });
  afterAll(async () => {
    await closeParsers();
    await egress.close();
    await world.close();
  });
  beforeEach(async () => {
    ({ workspaceId, rest } = await world.workspace());
    const place = { workspaceId, collection: "webhook_subscriptions", documentId: "whs", field: "signingSecret" };
    const hears = { url: "https://hooks.example.com/in", sealedSecret: seal(world.services.keyRing, place, "x") };
    await scoped(workspaceId).WebhookSubscription.insert({ _id: newId("whs"), ...hears });
    const email = `ann-${randomUUID().slice(0, 8)}@a.test`;
    imap = await startImap({ certificate, user: email, password: PASSWORD, secure: true });
    mailbox = await newMailbox(email, imap.port);
  });
  afterEach(async () => {
    await watching?.stop();
    watching = null;
    await until(() => imap.connections() === 0, { deadlineMs: 30_000, what: "the last goodbye" });
    await imap.close();
    for (const close of closing.splice(0)) await close();
  });
}

export async function newMailbox(email: string, port: number): Promise<Mailbox> {
  const _id = newId("mbx");
  const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
  const server = { host: "localhost", port, security: "SSL_TLS" as const };
  const sealedPassword = seal(world.services.keyRing, place, PASSWORD);
  return scoped(workspaceId).Mailbox.insert({
    _id,
    email,
    username: email,
    smtp: server,
    imap: server,
    sealedPassword,
  });
}

/** Makes another mailbox, on a quick server. From here on it is the mailbox that people write to. */
export async function quickMailbox(options: Partial<QuickImapOptions> = {}): Promise<QuickImap> {
  const quick = await QuickImap.start({ certificate, password: PASSWORD, ...options });
  await anotherMailbox(quick);
  closing.push(() => quick.close());
  return quick;
}

/** Makes one more mailbox on the same server. From here on it is the mailbox that people write to. */
export async function anotherMailbox(quick: QuickImap): Promise<Mailbox> {
  mailbox = await newMailbox(`amy-${randomUUID().slice(0, 8)}@a.test`, quick.port);
  return mailbox;
}

export function activitiesOf(limits: Partial<WatchLimits> = {}) {
  const { keyRing, signing } = world.services;
  const log = pino({ level: "silent" });
  const logins = createLogins({ egress, keyRing, providers: NO_PROVIDERS, log });
  return imapActivities({ egress, logins, signing, log, limits });
}

/**
 * One watch in the background, as a worker would run it. It resolves once the watch has noted where the folders end.
 */
export async function watch(
  of: Mailbox = mailbox,
  { limits = {}, folders = 4 }: { limits?: Partial<WatchLimits>; folders?: number } = {},
): Promise<{ stop(): Promise<void>; failure(): unknown }> {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  let failure: unknown = null;
  const run = environment
    .run(activitiesOf(limits).activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId: of._id })
    .catch((err) => {
      failure = err;
    });
  const handle = {
    async stop() {
      environment.cancel();
      await run;
    },
    failure: () => failure,
  };
  watching = handle;
  await until(
    async () => failure !== null || (await scoped(workspaceId).MailboxCursor.count({ mailboxId: of._id })) === folders,
    {
      deadlineMs: 30_000,
      what: "the first look",
    },
  );
  return handle;
}

export interface Person {
  recipient: Recipient;
  send: Send;
  sent: SentMail;
}

export async function newCampaign(settings: Record<string, unknown> = {}): Promise<string> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
  await Campaign.insert({
    _id: campaignId,
    name: "c",
    statusChangedAt: new Date(),
    sequenceId,
    settings,
    status: "ACTIVE",
  });
  await Sequence.insert({ _id: sequenceId, campaignId, steps: STEPS });
  return campaignId;
}

/** A person who has had the first email of a campaign from our mailbox. */
export async function contacted(
  email: string,
  campaignId: string,
  more: { send?: Partial<Send>; recipient?: Partial<Recipient> } = {},
): Promise<Person> {
  const { Lead, Recipient, Send } = scoped(workspaceId);
  const known = await Lead.findOne({ email });
  const emailDomain = email.slice(email.indexOf("@") + 1);
  const lead = known ?? (await Lead.insert({ _id: newId("led"), email, emailDomain, status: "CONTACTED" }));
  const messageId = `<${randomUUID().replaceAll("-", "")}@a.test>`;
  const recipient = await Recipient.insert({
    _id: newId("rcp"),
    campaignId,
    leadId: lead._id,
    email,
    companyDomain: emailDomain,
    status: "IN_PROGRESS",
    currentStepId: "stp_one",
    nextStepId: "stp_two",
    nextSendAt: new Date(Date.now() + 3 * DAY_MS),
    mailboxId: mailbox._id,
    cid: randomUUID(),
    shard: 0,
    sentCount: 1,
    lastSentAt: new Date(),
    thread: { subject: SUBJECT, ids: [messageId] },
    ...more.recipient,
  });
  const send = await Send.insert({
    _id: newId("snd"),
    campaignId,
    recipientId: recipient._id,
    leadId: lead._id,
    mailboxId: mailbox._id,
    stepId: "stp_one",
    to: email,
    state: "SENT",
    messageId,
    messageIds: [messageId],
    mailRef: randomUUID()
      .replaceAll(/[^a-f]/g, "a")
      .slice(0, 20)
      .padEnd(20, "b"),
    subject: SUBJECT,
    sentAt: new Date(),
    claimedAt: new Date(),
    ...more.send,
  });
  const raw = Buffer.from(
    `From: ${mailbox.email}\r\nTo: ${email}\r\nSubject: ${SUBJECT}\r\nMessage-ID: ${messageId}\r\n\r\nHello\r\n`,
  );
  const common = { mailRef: undefined, user: mailbox.email, session: "s", answered: "250" as const };
  return {
    recipient,
    send,
    sent: { at: Date.now(), from: mailbox.email, to: [email], raw, messageId, subject: SUBJECT, ...common },
  };
}

/** Waits until this many emails have been read. */
export async function read(count: number) {
  const { Message } = scoped(workspaceId);
  const cameIn = { direction: "INBOUND" };
  await until(async () => (await Message.count(cameIn)) >= count, {
    deadlineMs: 30_000,
    what: `${count} mails to be read`,
  });
  return Message.find(cameIn, { sort: { _id: 1 } });
}

export const recipientNow = async ({ recipient }: Person) => scoped(workspaceId).Recipient.get(recipient._id);
export const sendNow = async ({ send }: Person) => scoped(workspaceId).Send.get(send._id);
export const leadNow = async ({ recipient }: Person) => scoped(workspaceId).Lead.get(recipient.leadId);

export async function events(type: string) {
  return scoped(workspaceId).ActivityEvent.find({ type }, { sort: { _id: 1 } });
}

/** The events of one type that subscribers receive. */
export async function webhooks(event: string) {
  return (await outboxOf(workspaceId, "EVENT"))
    .filter(({ payload }) => payload.event === event)
    .map(({ payload }) => payload.data);
}
