import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { DefaultLogger } from "@temporalio/worker";
import { pino } from "pino";
import { imapActivities } from "../activities/imap.ts";
import { createLogins } from "../activities/logins.ts";
import { NO_PROVIDERS } from "../domain/mail-provider.ts";
import { parseAllow } from "../domain/places.ts";
import { seal } from "../domain/seal.ts";
import { DEFAULT_DELAY, NO_WINNER, type Step } from "../domain/sequence.ts";
import { signToken } from "../domain/tokens.ts";
import { createEgress, type Egress } from "../egress/connect.ts";
import { trusted } from "../models/collection.ts";
import { newId } from "../models/ids.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import { type Certificate, makeCertificate } from "./fakes/certificate.ts";
import { type FakeImap, startImap } from "./fakes/imap.ts";
import { complaint, deliveryFailure, outOfOffice, plainBounce, replyTo } from "./fakes/mails.ts";
import type { SentMail } from "./fakes/sent-mail.ts";
import { until } from "./fakes/wait.ts";
import { startWorld, type World } from "./world.ts";

const PASSWORD = "listening";
const SUBJECT = "A question about widgets";
const DAY_MS = 86_400_000;

let world: World;
let certificate: Certificate;
let egress: Egress;
let imap: FakeImap;
let workspaceId: string;
let mailbox: Mailbox;
let watching: { stop(): Promise<void> } | null = null;

beforeAll(async () => {
  world = await startWorld();
  certificate = await makeCertificate();
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], extraCa: certificate.cert });
});
afterAll(async () => {
  await egress.close();
  await world.close();
});
beforeEach(async () => {
  ({ workspaceId } = await world.workspace());
  const email = `ann-${randomUUID().slice(0, 8)}@a.test`;
  imap = await startImap({ certificate, user: email, password: PASSWORD, secure: true });
  mailbox = await newMailbox(email, imap.port);
});
afterEach(async () => {
  await watching?.stop();
  watching = null;
  await until(() => imap.connections() === 0, { deadlineMs: 5_000, what: "the last goodbye" });
  await imap.close();
});

async function newMailbox(email: string, port: number): Promise<Mailbox> {
  const _id = newId("mbx");
  const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
  const server = { host: "localhost", port, security: "SSL_TLS" as const };
  const sealedPassword = seal(world.services.keyRing, place, PASSWORD);
  return scoped(workspaceId).Mailbox.insert({ _id, email, username: email, smtp: server, imap: server, sealedPassword });
}

function activitiesOf() {
  const { keyRing, signing } = world.services;
  const log = pino({ level: "silent" });
  const logins = createLogins({ egress, keyRing, providers: NO_PROVIDERS, log });
  return imapActivities({ egress, logins, signing, log });
}

/** One watch in the background, as a worker would run it; ready once it has noted where the folders end. */
async function watch(of: Mailbox = mailbox): Promise<{ stop(): Promise<void>; failure(): unknown }> {
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  let failure: unknown = null;
  const run = environment.run(activitiesOf().activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId: of._id }).catch((err) => {
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
  await until(async () => failure !== null || (await scoped(workspaceId).MailboxCursor.count({ mailboxId: of._id })) === 3, {
    deadlineMs: 10_000,
    what: "the first look",
  });
  return handle;
}

interface Person {
  recipient: Recipient;
  send: Send;
  sent: SentMail;
}

const STEPS: Step[] = ["one", "two"].map((name, index) => ({
  stepId: `stp_${name}`,
  order: index + 1,
  type: "EMAIL",
  delay: DEFAULT_DELAY,
  threadMode: index === 0 ? "NEW_THREAD" : "SAME_THREAD",
  conditions: [],
  config: {},
  variants: [],
  winner: NO_WINNER,
}));

async function newCampaign(settings: Record<string, unknown> = {}): Promise<string> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
  await Campaign.insert({ _id: campaignId, name: "c", statusChangedAt: new Date(), sequenceId, settings, status: "ACTIVE" });
  await Sequence.insert({ _id: sequenceId, campaignId, steps: STEPS });
  return campaignId;
}

/** Somebody who has had the first mail of a campaign from our mailbox. */
async function contacted(
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
  const raw = Buffer.from(`From: ${mailbox.email}\r\nTo: ${email}\r\nSubject: ${SUBJECT}\r\nMessage-ID: ${messageId}\r\n\r\nHello\r\n`);
  const common = { mailRef: undefined, user: mailbox.email, session: "s", answered: "250" as const };
  return { recipient, send, sent: { at: Date.now(), from: mailbox.email, to: [email], raw, messageId, subject: SUBJECT, ...common } };
}

/** Waits until so many mails have been read. */
async function read(count: number) {
  await until(async () => (await scoped(workspaceId).Message.count()) >= count, { deadlineMs: 15_000, what: `${count} mails to be read` });
  return scoped(workspaceId).Message.find({}, { sort: { _id: 1 } });
}

const recipientNow = async ({ recipient }: Person) => scoped(workspaceId).Recipient.get(recipient._id);
const sendNow = async ({ send }: Person) => scoped(workspaceId).Send.get(send._id);
const leadNow = async ({ recipient }: Person) => scoped(workspaceId).Lead.get(recipient.leadId);

async function events(type: string) {
  return scoped(workspaceId).ActivityEvent.find({ type }, { sort: { _id: 1 } });
}

/** What subscribers are told of one kind. */
async function webhooks(event: string) {
  const rows = await scoped(workspaceId).OutboxRow.find({ kind: "EVENT" }, { sort: { _id: 1 } });
  return rows.filter(({ payload }) => payload["event"] === event).map(({ payload }) => payload["data"]);
}

test("a reply stops the person in every campaign of the workspace and fires once", async () => {
  const here = await contacted("bob@b.test", await newCampaign());
  const elsewhere = await contacted("bob@b.test", await newCampaign(), { send: { messageIds: ["<other@a.test>"] } });
  const colleague = await contacted("eve@b.test", here.recipient.campaignId);
  await watch();
  imap.deliver(replyTo(here.sent, { text: "Tell me more." }));
  const [message] = await read(1);
  expect(message).toMatchObject({ kind: "REPLY", recipientId: here.recipient._id, sendId: here.send._id, replyText: "Tell me more." });
  expect(await recipientNow(here)).toMatchObject({
    status: "REPLIED",
    stopReason: "REPLIED",
    repliedAt: expect.any(Date),
    nextStepId: null,
  });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "REPLIED", repliedAt: null });
  expect(await recipientNow(colleague)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await leadNow(here)).toMatchObject({ status: "REPLIED", lastRepliedAt: expect.any(Date), suppressed: false });
  expect(await webhooks("REPLIED")).toEqual([{ recipientId: here.recipient._id, email: "bob@b.test" }]);
});

test("a reply with CAMPAIGN scope leaves other campaigns alone; stopForCompany pauses colleagues", async () => {
  const here = await contacted("bob@b.test", await newCampaign({ stopOnReplyScope: "CAMPAIGN", stopForCompany: true }));
  const elsewhere = await contacted("bob@b.test", await newCampaign());
  const colleague = await contacted("eve@b.test", here.recipient.campaignId);
  await watch();
  imap.deliver(replyTo(here.sent, { text: "Hi" }));
  await read(1);
  expect(await recipientNow(here)).toMatchObject({ status: "REPLIED" });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await recipientNow(colleague)).toMatchObject({ status: "PAUSED", pauseReason: "COMPANY_REPLIED" });
});

test("with stopOnReply false a reply is noted and the sequence goes on", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", nextStepId: "stp_two", repliedAt: expect.any(Date) });
  expect(await webhooks("REPLIED")).toHaveLength(1);
});

test("a reply from another address counts, joins the lead, and its opt-out covers both", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  imap.deliver(replyTo(person.sent, { from: "robert@private.test", text: "Please remove me from your list" }));
  await read(1);
  expect(await leadNow(person)).toMatchObject({
    secondaryEmails: ["robert@private.test"],
    suppressed: true,
    suppressionReason: "OPT_OUT_REPLY",
  });
  expect(await recipientNow(person)).toMatchObject({ status: "UNSUBSCRIBED", repliedAt: expect.any(Date) });
  const guards = await scoped(workspaceId).Guard.find({ reasons: "OPT_OUT_REPLY" });
  expect(guards).toHaveLength(2);
  expect(await webhooks("UNSUBSCRIBE")).toEqual([{ recipientId: person.recipient._id, email: "bob@b.test" }]);
});

test("a reply without our id is attributed by sender and subject, and a stranger's mail is not", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const mail = (from: string, subject: string) =>
    `From: ${from}\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@b.test>\r\nDate: ${new Date().toUTCString()}\r\n\r\nHello\r\n`;
  imap.deliver(mail("bob@b.test", "Something else"));
  imap.deliver(mail("stranger@x.test", `Re: ${SUBJECT}`));
  imap.deliver(mail("bob@b.test", `AW: ${SUBJECT}`));
  expect((await read(3)).map(({ kind }) => kind)).toEqual(["OTHER", "OTHER", "REPLY"]);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("one reply in two folders, and read again from an old cursor, has one effect", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const first = await watch();
  const mail = replyTo(person.sent, { text: "Hi" });
  imap.deliver(mail, "Junk");
  imap.deliver(mail);
  await read(1);
  await first.stop();
  // As after a kill between the transaction and the cursor
  await scoped(workspaceId).MailboxCursor.updateMany({ mailboxId: mailbox._id }, { $set: { lastUid: 0 } });
  const again = await watch();
  imap.deliver(replyTo(person.sent, { text: "And another thing" }));
  await read(2);
  await again.stop();
  imap.renumber("INBOX");
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Third" }));
  const messages = await read(3);
  expect(messages.map(({ kind }) => kind)).toEqual(["REPLY", "REPLY", "REPLY"]);
  expect(await webhooks("REPLIED")).toHaveLength(3);
});

test("a reply found in Junk counts like any other", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await (await watch()).stop();
  imap.deliver(replyTo(person.sent, { text: "Hi" }), "Junk");
  await watch();
  const [message] = await read(1);
  expect(message).toMatchObject({ kind: "REPLY", folder: "Junk" });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("an absence pauses until the day after it, and is no reply", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ timezone: "America/New_York" }));
  const manual = await contacted("meg@b.test", person.recipient.campaignId, {
    recipient: { status: "PAUSED", pauseReason: "MANUAL" },
  });
  await watch();
  const back = new Date(Date.now() + 10 * DAY_MS);
  imap.deliver(outOfOffice(person.sent, { until: back }));
  imap.deliver(outOfOffice(manual.sent, { until: back }));
  const messages = await read(2);
  expect(messages.map(({ kind }) => kind)).toEqual(["AUTO_REPLY", "AUTO_REPLY"]);
  const paused = await recipientNow(person);
  expect(paused).toMatchObject({ status: "PAUSED", pauseReason: "OUT_OF_OFFICE", repliedAt: null, autoRepliedAt: expect.any(Date) });
  const nextDay = new Date(back.getTime() + DAY_MS).toISOString().slice(0, 10);
  const local = new Intl.DateTimeFormat("sv-SE", { timeZone: "America/New_York", dateStyle: "short", timeStyle: "short" });
  expect(local.format(paused?.pausedUntil ?? new Date(0))).toBe(`${nextDay} 00:00`);
  expect(await recipientNow(manual)).toMatchObject({ status: "PAUSED", pauseReason: "MANUAL", pausedUntil: null });
  expect(await webhooks("REPLIED")).toEqual([]);
  expect(await events("AUTO_REPLIED")).toHaveLength(2);
});

test.each([
  [{ outOfOfficeMode: "IGNORE" }, { status: "IN_PROGRESS" }],
  [{ outOfOfficeMode: "STOP" }, { status: "COMPLETED", stopReason: "AUTO_REPLIED" }],
  [{ stopOnAutoReply: true }, { status: "COMPLETED", stopReason: "AUTO_REPLIED" }],
  [{ outOfOfficeFallbackDays: 3 }, { status: "PAUSED", pauseReason: "OUT_OF_OFFICE" }],
])("under %j an absence without a date leads to %j", async (settings, expected) => {
  const person = await contacted("bob@b.test", await newCampaign(settings));
  await watch();
  imap.deliver(outOfOffice(person.sent));
  await read(1);
  expect(await recipientNow(person)).toMatchObject(expected);
});

test("a hard bounce ends the person, suppresses the address and fires once", async () => {
  const person = await contacted("gone@b.test", await newCampaign());
  const elsewhere = await contacted("gone@b.test", await newCampaign());
  await watch();
  imap.deliver(deliveryFailure(person.sent));
  imap.deliver(deliveryFailure(person.sent));
  const [message] = await read(2);
  expect(message).toMatchObject({
    kind: "BOUNCE",
    recipientId: person.recipient._id,
    bounce: { type: "HARD", reason: "USER_UNKNOWN", code: "5.1.1" },
  });
  expect(await recipientNow(person)).toMatchObject({
    status: "BOUNCED",
    stopReason: "HARD_BOUNCE",
    bouncedAt: expect.any(Date),
    bounce: { type: "HARD", reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: expect.stringContaining("User unknown") },
  });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "BOUNCED" });
  expect(await sendNow(person)).toMatchObject({ state: "BOUNCED" });
  expect(await leadNow(person)).toMatchObject({
    suppressed: true,
    suppressionReason: "HARD_BOUNCE",
    status: "BOUNCED",
    verificationStatus: "INVALID",
  });
  expect(await webhooks("BOUNCED")).toEqual([{ recipientId: person.recipient._id, email: "gone@b.test" }]);
});

test("a late hard bounce moves a person whose sequence had ended; a bounce about somebody else moves nobody", async () => {
  const campaignId = await newCampaign();
  const done = await contacted("done@b.test", campaignId, { recipient: { status: "COMPLETED", nextStepId: null } });
  const other = await contacted("other@b.test", campaignId);
  await watch();
  imap.deliver(deliveryFailure(other.sent, { recipient: "forwarded@elsewhere.test" }));
  imap.deliver(plainBounce(done.sent, "550 5.1.1 User unknown"));
  expect((await read(2)).map(({ kind }) => kind)).toEqual(["OTHER", "BOUNCE"]);
  expect(await recipientNow(done)).toMatchObject({ status: "BOUNCED" });
  expect(await recipientNow(other)).toMatchObject({ status: "IN_PROGRESS", bounce: null });
});

test("a proven soft bounce sends the step again under a new generation, and gives up after three", async () => {
  const always = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
  const person = await contacted("full@b.test", await newCampaign({ windows: always }));
  const { Recipient, Send } = scoped(workspaceId);
  await Send.insert({
    _id: newId("snd"),
    campaignId: person.recipient.campaignId,
    recipientId: person.recipient._id,
    leadId: person.recipient.leadId,
    mailboxId: mailbox._id,
    stepId: "stp_two",
    to: "full@b.test",
    slotAt: new Date(Date.now() + 3 * DAY_MS),
  });
  await watch();
  const full = { status: "4.2.2", diagnostic: "452 4.2.2 The mailbox is over quota" };
  let sent = person.sent;
  const hours = [1, 6, 24];
  for (let round = 0; round < 3; round++) {
    imap.deliver(deliveryFailure(sent, full));
    await read(2 * round + 1);
    const row = await sendNow(person);
    expect(row).toMatchObject({ state: "RESERVED", generation: round + 1, softFailures: round + 1 });
    const waitMs = (row?.slotAt?.getTime() ?? 0) - Date.now();
    expect(Math.round(waitMs / 3_600_000)).toBe(hours[round]);
    expect(await recipientNow(person)).toMatchObject({
      status: "IN_PROGRESS",
      nextStepId: "stp_one",
      currentStepId: null,
      thread: null,
      nextSendAt: row?.slotAt,
    });
    expect(await Send.findOne({ stepId: "stp_two" })).toMatchObject({ state: "RELEASED", slotAt: null });
    // The report of the old attempt once more changes nothing
    imap.deliver(deliveryFailure(sent, full));
    await read(2 * round + 2);
    expect(await sendNow(person)).toMatchObject({ state: "RESERVED", generation: round + 1 });
    const messageId = `<again-${round}-${randomUUID()}@a.test>`;
    const messageIds = [...(row?.messageIds ?? []), messageId];
    await Send.updateOne({ _id: person.send._id }, { $set: { state: "SENT", messageId, messageIds, sentAt: new Date() } });
    await Recipient.updateOne({ _id: person.recipient._id }, { $set: { currentStepId: "stp_one", nextStepId: "stp_two" } });
    const raw = Buffer.from(sent.raw.toString().replace(/Message-ID: .*/, `Message-ID: ${messageId}`));
    sent = { ...sent, messageId, raw };
  }
  imap.deliver(deliveryFailure(sent, full));
  await read(7);
  expect(await recipientNow(person)).toMatchObject({ status: "SKIPPED", stopReason: "SOFT_BOUNCE_EXHAUSTED", bouncedAt: null });
  expect(await sendNow(person)).toMatchObject({ state: "BOUNCED", generation: 3 });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  expect(await webhooks("BOUNCED")).toHaveLength(1);
});

test("a soft bounce without proof is told and repeats nothing; a delay is only a note", async () => {
  const campaignId = await newCampaign();
  const vague = await contacted("vague@b.test", campaignId);
  const late = await contacted("late@b.test", campaignId);
  await watch();
  imap.deliver(plainBounce(vague.sent, "452 4.2.2 Mailbox full"));
  imap.deliver(deliveryFailure(late.sent, { action: "delayed", status: "4.4.1", diagnostic: "451 4.4.1 No answer" }));
  expect((await read(2)).map(({ kind }) => kind)).toEqual(["BOUNCE", "DELAY"]);
  expect(await recipientNow(vague)).toMatchObject({
    status: "IN_PROGRESS",
    nextStepId: "stp_two",
    bounce: { type: "SOFT", reason: "MAILBOX_FULL" },
  });
  expect(await sendNow(vague)).toMatchObject({ state: "BOUNCED", generation: 0 });
  expect(await sendNow(late)).toMatchObject({ state: "SENT" });
  expect(await webhooks("BOUNCED")).toHaveLength(1);
});

test("a reply proves that a mail of unknown outcome went out", async () => {
  const person = await contacted("bob@b.test", await newCampaign(), {
    send: { state: "UNKNOWN", sentAt: null, unknownAt: new Date() },
    recipient: { status: "PENDING", sentCount: 0, currentStepId: null, nextStepId: "stp_one", thread: null, lastSentAt: null },
  });
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await read(1);
  expect(await sendNow(person)).toMatchObject({ state: "SENT", evidence: "reply", sentAt: expect.any(Date) });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", sentCount: 1, currentStepId: "stp_one" });
  expect((await webhooks("SENT")).length).toBe(1);
  expect((await webhooks("REPLIED")).length).toBe(1);
});

test("an answer that overtakes the record of its mail waits for it", async () => {
  const person = await contacted("bob@b.test", await newCampaign(), {
    send: { state: "SENDING", phase: "DATA", sentAt: null, leaseUntil: new Date(Date.now() + 60_000) },
  });
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Quick" }));
  await until(() => imap.connections() > 0, { deadlineMs: 2_000, what: "a connection" });
  expect(await scoped(workspaceId).Message.count()).toBe(0);
  await scoped(workspaceId).Send.updateOne({ _id: person.send._id }, { $set: { state: "SENT", phase: null, sentAt: new Date() } });
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("an unsubscribe mail acts by its token alone, whoever sends it, once", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const token = signToken(world.services.signing, "u", person.send._id);
  await watch();
  const mail = (subject: string) =>
    `From: someone@x.test\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@b.test>\r\n\r\n\r\n`;
  imap.deliver(mail(`unsubscribe ${token.slice(0, -4)}AAAA`));
  imap.deliver(mail(`unsubscribe ${token}`));
  imap.deliver(mail(`unsubscribe ${token}`));
  expect((await read(3)).map(({ kind }) => kind)).toEqual(["OTHER", "UNSUBSCRIBE", "UNSUBSCRIBE"]);
  expect(await recipientNow(person)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await webhooks("UNSUBSCRIBE")).toEqual([{ recipientId: person.recipient._id, email: "bob@b.test" }]);
});

test("a complaint suppresses for the whole workspace and is neither reply nor bounce", async () => {
  const person = await contacted("angry@b.test", await newCampaign());
  await watch();
  imap.deliver(complaint(person.sent));
  expect(await read(1)).toMatchObject([{ kind: "COMPLAINT", recipientId: person.recipient._id }]);
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "COMPLAINT" });
  expect(await recipientNow(person)).toMatchObject({ status: "SUPPRESSED" });
  expect(await events("REPLIED")).toEqual([]);
});

test("a mail that cannot be read is noted and the next one is read", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const deep = Array.from({ length: 400 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`).join("");
  imap.deliver(`From: x@y.test\r\nMessage-ID: <deep@y.test>\r\nMIME-Version: 1.0\r\n${deep}text`);
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  const messages = await read(2);
  expect(messages.map(({ kind }) => kind)).toContain("REPLY");
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("a cut connection ends the watch with a code of ours, and the next one loses nothing", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const first = await watch();
  imap.drop();
  await until(() => first.failure() !== null, { deadlineMs: 5_000, what: "the end of the watch" });
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await watch();
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({ status: "CONNECTED", authFailures: 0 });
});

test("ten refused logins want new credentials, and then nothing is tried any more", async () => {
  imap.setPassword("changed");
  for (let failures = 0; failures < 10; failures++) expect((await watch()).failure()).toMatchObject({ type: "AUTH_FAILED" });
  expect(await scoped(workspaceId).Mailbox.get(mailbox._id)).toMatchObject({
    status: "RECONNECT_REQUIRED",
    lastError: { code: "AUTH_FAILED", message: expect.any(String) },
  });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger("ERROR") });
  const gone = await environment.run(activitiesOf().activities.watchMailbox, { v: 1 as const, workspaceId, mailboxId: mailbox._id });
  expect(gone).toMatchObject({ status: "GONE" });
});

test("a copy of a sent mail lies in Sent, seen; without a server the caller hears no error", async () => {
  const { appendSent } = activitiesOf();
  const bytes = Buffer.from("From: a@a.test\r\nSubject: Sent\r\n\r\nHello\r\n");
  expect(await appendSent(mailbox, bytes)).toBe(true);
  expect(imap.folder("Sent")).toMatchObject([{ flags: expect.arrayContaining(["\\Seen"]) }]);
  expect(await scoped(workspaceId).Mailbox.count({ _id: mailbox._id, lastSyncAt: trusted({ $type: "date" }) })).toBe(0);
});
