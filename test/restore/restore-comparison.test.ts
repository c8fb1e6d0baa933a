import { beforeEach, expect, test } from "@jest/globals";
import { signToken } from "../../domain/access/tokens.ts";
import { mailRef, messageId } from "../../domain/mail/message.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { QuickImap } from "../fakes/quick-imap.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
  events,
  listening,
  mailbox,
  newCampaign,
  type Person,
  quickMailbox,
  recipientNow,
  watch,
  webhooks,
  workspaceId,
  world,
} from "../listening/listening.ts";

listening();

/** Ahead of every delay of the steps. */
const SINCE = new Date(Date.now() - 4 * DAY_MS);
const SENT_AT = new Date(Math.floor((Date.now() - HOUR_MS) / 1_000) * 1_000);
const UNADMITTED = {
  status: "PENDING",
  sentCount: 0,
  currentStepId: null,
  nextStepId: null,
  nextSendAt: null,
  admittedAt: null,
} as const;
const ADMITTED = { admittedAt: SINCE, lastSentAt: SINCE } as const;

let quick: QuickImap;
let campaignId: string;

beforeEach(async () => {
  quick = await quickMailbox();
  campaignId = await newCampaign({ mailboxIds: [mailbox._id] });
  await scoped(workspaceId).Campaign.updateOne(
    { _id: campaignId },
    { $set: { status: "PAUSED", pauseReason: "RESTORED" } },
  );
});

/** Sets the state that a restore leaves, then runs one watch: the mailbox is compared before anything else is read. */
async function compared(giveUpAt = new Date(Date.now() + DAY_MS)): Promise<void> {
  const { SentFolderCheck } = scoped(workspaceId);
  await SentFolderCheck.insert({ _id: mailbox._id, since: SINCE, giveUpAt });
  const { stop } = await watch(mailbox, { limits: { lookMs: 1_000_000 } });
  await until(async () => (await SentFolderCheck.count()) === 0, { deadlineMs: 40_000, what: "the comparison" });
  await stop();
}

function idOf({ recipient }: Person, stepId: string, generation = 0): string {
  const [{ key }] = world.services.signing.messageId;
  return messageId(key, { workspaceId, recipientId: recipient._id, stepId, generation }, "a.test");
}

function copyOf(to: string, id: string, more: string[] = [], at = SENT_AT): void {
  const head = [`From: ${mailbox.email}`, `To: <${to}>`, `Message-ID: ${id}`, "Subject: Re: Hello", ...more];
  quick.deliver(mailbox.email, `${head.join("\r\n")}\r\n\r\nHello\r\n`, "Sent", { date: at });
}

function rowsOf({ recipient }: Person) {
  return scoped(workspaceId).Send.find({ recipientId: recipient._id }, { sort: { stepId: 1 } });
}

test("a Sent copy with the Message-ID of a step marks the step SENT once, with event, webhook, counts and completion of the recipient", async () => {
  const sendId = newId("snd");
  const person = await contacted("bob@b.test", campaignId, { recipient: ADMITTED });
  const token = signToken(world.services.signing, "u", sendId);
  copyOf("bob@b.test", idOf(person, "stp_two"), [
    `List-Unsubscribe: <https://a.test/u/${token}>`,
    "X-Mail-Ref: abcdefghijklmnopqrst",
  ]);
  await compared();
  await compared();
  const [, second, ...more] = await rowsOf(person);
  expect(more).toEqual([]);
  // Its own id came with the mail, so the links in it are good
  expect(second).toMatchObject({
    _id: sendId,
    state: "SENT",
    sentAt: SENT_AT,
    evidence: "sent copy",
    mailRef: "abcdefghijklmnopqrst",
  });
  expect(second?.messageIds).toEqual([idOf(person, "stp_two")]);
  expect(await recipientNow(person)).toMatchObject({
    status: "COMPLETED",
    stopReason: "SEQUENCE_FINISHED",
    sentCount: 2,
    lastSentAt: SENT_AT,
  });
  expect(await events("SENT")).toHaveLength(1);
  expect(await webhooks("SENT")).toHaveLength(1);
  const day = await scoped(workspaceId).MailboxDay.get(`${mailbox._id}:${SENT_AT.toISOString().slice(0, 10)}`);
  expect(day).toMatchObject({ sent: 1, sentBy: { [campaignId]: 1 } });
});

test("a Sent copy turns an UNKNOWN email into SENT without counting the email in its day again", async () => {
  const { MailboxDay, Send } = scoped(workspaceId);
  const person = await contacted("una@b.test", campaignId, { recipient: ADMITTED });
  const day = SENT_AT.toISOString().slice(0, 10);
  const row = {
    campaignId,
    recipientId: person.recipient._id,
    stepId: "stp_two",
    to: "una@b.test",
    mailboxId: mailbox._id,
    day,
  };
  await Send.insert({ _id: newId("snd"), ...row, state: "UNKNOWN", claimedAt: SENT_AT, unknownAt: SENT_AT });
  const counted = { sent: 1, sentBy: { [campaignId]: 1 } };
  await MailboxDay.insert({ _id: `${mailbox._id}:${day}`, mailboxId: mailbox._id, day, ...counted });
  copyOf("una@b.test", idOf(person, "stp_two"));
  await compared();
  expect((await rowsOf(person))[1]).toMatchObject({ state: "SENT", evidence: "sent copy" });
  expect(await MailboxDay.get(`${mailbox._id}:${day}`)).toMatchObject(counted);
});

test("a Sent copy of the first step admits the recipient, starts the thread with that Message-ID and books the next step after its delay", async () => {
  const person = await contacted("eve@b.test", campaignId, {
    recipient: { ...UNADMITTED, thread: null, lastSentAt: null },
  });
  await scoped(workspaceId).Send.deleteMany({ recipientId: person.recipient._id });
  copyOf("eve@b.test", idOf(person, "stp_one"));
  await compared();
  const recipient = await recipientNow(person);
  expect(recipient).toMatchObject({
    status: "IN_PROGRESS",
    currentStepId: "stp_one",
    nextStepId: "stp_two",
    mailboxId: mailbox._id,
  });
  expect(recipient?.thread).toEqual({ subject: "Re: Hello", ids: [idOf(person, "stp_one")] });
  expect(recipient?.nextSendAt?.getTime()).toBeGreaterThanOrEqual(SENT_AT.getTime() + 2 * DAY_MS);
  expect(recipient?.admittedAt).toEqual(SENT_AT);
});

test("Sent copies of two steps, and of a step resent after a bounce, mark these steps SENT", async () => {
  const twice = await contacted("two@b.test", campaignId, {
    recipient: { ...UNADMITTED, thread: null, lastSentAt: null },
  });
  await scoped(workspaceId).Send.deleteMany({ recipientId: twice.recipient._id });
  copyOf("two@b.test", idOf(twice, "stp_one"), [], new Date(SENT_AT.getTime() - 3 * DAY_MS));
  copyOf("two@b.test", idOf(twice, "stp_two"));
  const repeated = await contacted("rep@b.test", campaignId, {
    recipient: { ...ADMITTED, nextStepId: "stp_one", currentStepId: null },
  });
  await scoped(workspaceId).Send.updateOne(
    { _id: repeated.send._id },
    { $set: { state: "RELEASED", messageIds: [idOf(repeated, "stp_one")] } },
  );
  // The first one bounced and counts no more; its repetition has an id of its own
  copyOf("rep@b.test", idOf(repeated, "stp_one", 1));
  await compared();
  expect(await rowsOf(twice)).toMatchObject([{ state: "SENT" }, { state: "SENT" }]);
  expect(await recipientNow(twice)).toMatchObject({ status: "COMPLETED", sentCount: 2 });
  expect(await rowsOf(repeated)).toMatchObject([
    { state: "SENT", generation: 1 },
    { state: "RESERVED", stepId: "stp_two" },
  ]);
});

test("a Sent copy whose Message-ID the provider replaced is recognized by our mark, and the thread continues with the provider's id", async () => {
  const person = await contacted("meg@b.test", campaignId, { recipient: { ...ADMITTED, nextSendAt: SENT_AT } });
  const booked = {
    recipientId: person.recipient._id,
    campaignId,
    mailboxId: mailbox._id,
    slotAt: SENT_AT,
    to: "meg@b.test",
  };
  const row = await scoped(workspaceId).Send.insert({ _id: newId("snd"), stepId: "stp_two", ...booked });
  const [{ key }] = world.services.signing.reference;
  copyOf("meg@b.test", "<theirs@provider.test>", [`X-Mail-Ref: ${mailRef(key, row._id)}`]);
  await compared();
  const [, second] = await rowsOf(person);
  expect(second).toMatchObject({
    _id: row._id,
    state: "SENT",
    messageIds: [idOf(person, "stp_two"), "<theirs@provider.test>"],
  });
  expect((await recipientNow(person))?.thread?.ids.at(-1)).toBe("<theirs@provider.test>");
});

test("the Sent copy of an email that bounced before the backup does not mark the pending resend as SENT", async () => {
  const person = await contacted("ivy@b.test", campaignId, {
    recipient: { ...ADMITTED, nextStepId: "stp_one", currentStepId: null },
  });
  const [{ key }] = world.services.signing.reference;
  const mark = mailRef(key, person.send._id);
  const repeated = { state: "RELEASED", generation: 1, messageIds: [idOf(person, "stp_one")], mailRef: mark };
  await scoped(workspaceId).Send.updateOne({ _id: person.send._id }, { $set: repeated });
  copyOf("ivy@b.test", idOf(person, "stp_one"), [`X-Mail-Ref: ${mark}`]);
  await compared();
  expect(await rowsOf(person)).toMatchObject([{ state: "RELEASED", generation: 1 }]);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS", nextStepId: "stp_one" });
});

test("a Sent copy with our mark but of no known step pauses the recipient; copies without our mark or of known emails pause no one", async () => {
  const held = await contacted("jim@b.test", campaignId, { recipient: ADMITTED });
  const free = await contacted("zoe@b.test", campaignId, { recipient: ADMITTED });
  copyOf("jim@b.test", "<theirs@provider.test>", ["X-Mail-Ref: abcdefghijklmnopqrst"]);
  copyOf("zoe@b.test", "<by-hand@a.test>");
  copyOf("zoe@b.test", free.send.messageId ?? "", [`X-Mail-Ref: ${free.send.mailRef}`]);
  await compared();
  expect(await recipientNow(held)).toMatchObject({ status: "PAUSED", pauseReason: "RESTORED" });
  expect(await recipientNow(free)).toMatchObject({ status: "IN_PROGRESS", nextStepId: "stp_two" });
});

test("in a mailbox that files Sent copies, an email that was due and has no copy is still to be sent", async () => {
  const due = await contacted("due@b.test", campaignId, { recipient: { ...ADMITTED, nextSendAt: SENT_AT } });
  await compared();
  expect(await recipientNow(due)).toMatchObject({ status: "IN_PROGRESS", nextStepId: "stp_two", nextSendAt: SENT_AT });
  expect(await rowsOf(due)).toHaveLength(1);
});

const UNFILED: [string, () => Promise<void>][] = [
  [
    "does not file them",
    async () =>
      void (await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { saveToSent: false } })),
  ],
  ["has no folder of sent mail", async () => void quick.account(mailbox.email).delete("Sent")],
];

test.each(UNFILED)(
  "if Sent copies are missing because the mailbox %s, due emails become UNKNOWN and are not sent again, and later ones continue",
  async (_, make) => {
    const due = await contacted("due@b.test", campaignId, { recipient: { ...ADMITTED, nextSendAt: SENT_AT } });
    const later = await contacted("later@b.test", campaignId, { recipient: ADMITTED });
    const waiting = await contacted("new@b.test", campaignId, { recipient: UNADMITTED });
    const lostFor = { status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED", admittedAt: null } as const;
    const lost = await contacted("lost@b.test", campaignId, { recipient: lostFor });
    const elsewhere = await contacted("else@b.test", campaignId, {
      recipient: { ...ADMITTED, nextSendAt: SENT_AT, mailboxId: newId("mbx") },
    });
    const ahead = await newCampaign({
      mailboxIds: [mailbox._id],
      startAt: new Date(Date.now() + DAY_MS).toISOString(),
    });
    await scoped(workspaceId).Campaign.updateOne(
      { _id: ahead },
      { $set: { status: "PAUSED", pauseReason: "RESTORED" } },
    );
    const scheduled = await contacted("ahead@b.test", ahead, { recipient: UNADMITTED });
    await make();
    await scoped(workspaceId).SentFolderCheck.insert({
      _id: mailbox._id,
      since: SINCE,
      giveUpAt: new Date(Date.now() + DAY_MS),
    });
    const folders = quick.account(mailbox.email).size;
    await watch(mailbox, { limits: { lookMs: 1_000_000 }, folders });
    const [, second] = await rowsOf(due);
    expect(second).toMatchObject({
      state: "UNKNOWN",
      stepId: "stp_two",
      messageId: idOf(due, "stp_two"),
      claimedAt: SENT_AT,
    });
    expect((await recipientNow(due))?.nextSendAt?.getTime()).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
    expect(await recipientNow(later)).toMatchObject({
      status: "IN_PROGRESS",
      nextStepId: "stp_two",
      nextSendAt: later.recipient.nextSendAt,
    });
    expect(await recipientNow(waiting)).toMatchObject({ status: "PAUSED", pauseReason: "RESTORED" });
    expect(await recipientNow(lost)).toMatchObject({ status: "PAUSED", pauseReason: "RESTORED" });
    expect(await recipientNow(scheduled)).toMatchObject({ status: "PENDING" });
    expect(await recipientNow(elsewhere)).toMatchObject({ status: "IN_PROGRESS", nextSendAt: SENT_AT });
    expect(await rowsOf(later)).toHaveLength(1);
  },
);

test("a restore waits a day for an unreachable mailbox, and does not wait for a mailbox whose login is refused", async () => {
  const due = await contacted("due@b.test", campaignId, { recipient: { ...ADMITTED, nextSendAt: SENT_AT } });
  const { SentFolderCheck, Mailbox } = scoped(workspaceId);
  await Mailbox.updateOne(
    { _id: mailbox._id },
    { $set: { imap: { host: "localhost", port: 1, security: "SSL_TLS" } } },
  );
  await SentFolderCheck.insert({ _id: mailbox._id, since: SINCE, giveUpAt: new Date(Date.now() + DAY_MS) });
  const waits = await watch(mailbox);
  expect(waits.failure()).toMatchObject({ type: "CONNECT_FAILED" });
  expect(await SentFolderCheck.count()).toBe(1);
  await SentFolderCheck.updateOne({ _id: mailbox._id }, { $set: { giveUpAt: new Date() } });
  await watch(mailbox);
  expect(await SentFolderCheck.count()).toBe(0);
  expect((await rowsOf(due))[1]).toMatchObject({ state: "UNKNOWN" });

  await scoped(workspaceId).Send.deleteMany({ stepId: "stp_two" });
  await scoped(workspaceId).Recipient.updateOne({ _id: due.recipient._id }, { $set: { nextSendAt: SENT_AT } });
  await SentFolderCheck.insert({ _id: mailbox._id, since: SINCE, giveUpAt: new Date(Date.now() + DAY_MS) });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "RECONNECT_REQUIRED" } });
  await watch(mailbox, { folders: 0 });
  await until(async () => (await SentFolderCheck.count()) === 0, {
    deadlineMs: 40_000,
    what: "the mailbox to be settled",
  });
  expect((await rowsOf(due))[1]).toMatchObject({ state: "UNKNOWN" });
});

/** An answer that the ledger takes for unsent: asked for immediately, or for an hour that has come. */
async function answers(): Promise<{ now: { _id: string; id: string }; scheduled: { _id: string; id: string } }> {
  const { Message, ScheduledReply, Send, Thread } = scoped(workspaceId);
  const [{ key }] = world.services.signing.messageId;
  const idFor = (idempotencyKey: string) => messageId(key, { workspaceId, idempotencyKey }, "a.test");
  const at = new Date(Date.now() - 2 * HOUR_MS);
  const threadId = newId("thr");
  const inReplyToMessageId = newId("msg");
  await Thread.insert({ _id: threadId, mailboxId: mailbox._id, subject: "Hello", lastMessageAt: at });
  const received = {
    folder: "INBOX",
    uidValidity: "1",
    uid: 1,
    contentKey: "x",
    receivedAt: at,
    from: "pat@b.test",
    kind: "REPLY",
  } as const;
  await Message.insert({
    _id: inReplyToMessageId,
    mailboxId: mailbox._id,
    threadId,
    direction: "INBOUND",
    ...received,
  });
  const now = newId("snd");
  await Send.insert({
    _id: now,
    kind: "REPLY",
    sendKey: "key-now",
    mailboxId: mailbox._id,
    threadId,
    to: "pat@b.test",
  });
  const scheduled = newId("srp");
  const due = {
    threadId,
    mailboxId: mailbox._id,
    to: "pat@b.test",
    sendAt: at,
    inReplyToMessageId,
    argumentHash: "x",
    createdBy: "usr",
  };
  await ScheduledReply.insert({ _id: scheduled, idempotencyKey: "key-later", ...due });
  const later = `scheduled-reply/${scheduled}`;
  return { now: { _id: now, id: idFor("key-now") }, scheduled: { _id: scheduled, id: idFor(later) } };
}

test("inbox replies sent since the backup are recognized by the Message-ID of their Sent copy and become SENT", async () => {
  const { now, scheduled } = await answers();
  copyOf("pat@b.test", now.id);
  copyOf("pat@b.test", scheduled.id);
  await compared();
  const { ScheduledReply, Send } = scoped(workspaceId);
  expect(await Send.get(now._id)).toMatchObject({ state: "SENT", sentAt: SENT_AT, messageIds: [now.id] });
  expect(await Send.get(scheduled._id)).toMatchObject({ state: "SENT", sentAt: SENT_AT });
  expect(await ScheduledReply.get(scheduled._id)).toMatchObject({ status: "SENT", error: null });
});

test("without Sent copies an inbox reply that was due becomes UNKNOWN, and a reply requested after the restore is still to be sent", async () => {
  const { now, scheduled } = await answers();
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { saveToSent: false } });
  const { SentFolderCheck, ScheduledReply, Send } = scoped(workspaceId);
  await SentFolderCheck.insert({ _id: mailbox._id, since: SINCE, giveUpAt: new Date(Date.now() + DAY_MS) });
  const fresh = await Send.insert({
    _id: newId("snd"),
    kind: "REPLY",
    sendKey: "key-new",
    mailboxId: mailbox._id,
    to: "pat@b.test",
  });
  await watch(mailbox, { limits: { lookMs: 1_000_000 } });
  expect(await Send.get(now._id)).toMatchObject({ state: "UNKNOWN" });
  expect(await Send.get(scheduled._id)).toMatchObject({ state: "UNKNOWN" });
  expect(await ScheduledReply.get(scheduled._id)).toMatchObject({ status: "FAILED", error: { code: "SEND_UNKNOWN" } });
  expect(await Send.get(fresh._id)).toMatchObject({ state: "RESERVED" });
});
