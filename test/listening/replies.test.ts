import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { signToken } from "../../domain/access/tokens.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { outOfOffice, replyTo } from "../fakes/mails.ts";
import { until } from "../fakes/wait.ts";
import {
  contacted,
  events,
  imap,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  quickMailbox,
  read,
  recipientNow,
  SUBJECT,
  sendNow,
  watch,
  webhooks,
  workspaceId,
  world,
} from "./listening.ts";
import { mail } from "./reading.ts";

listening();

test("a reply stops the person in every campaign of the workspace and sends one REPLIED event", async () => {
  const here = await contacted("bob@b.test", await newCampaign());
  const elsewhere = await contacted("bob@b.test", await newCampaign(), { send: { messageIds: ["<other@a.test>"] } });
  const colleague = await contacted("eve@b.test", here.recipient.campaignId);
  await watch();
  imap.deliver(replyTo(here.sent, { text: "Tell me more." }));
  const [message] = await read(1);
  expect(message).toMatchObject({
    kind: "REPLY",
    recipientId: here.recipient._id,
    sendId: here.send._id,
    replyText: "Tell me more.",
  });
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

test("a reply with CAMPAIGN scope stops only its own campaign, and stopForCompany pauses colleagues", async () => {
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

test("with stopOnReply false a reply is recorded and the sequence continues", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await read(1);
  expect(await recipientNow(person)).toMatchObject({
    status: "IN_PROGRESS",
    nextStepId: "stp_two",
    repliedAt: expect.any(Date),
  });
  expect(await webhooks("REPLIED")).toHaveLength(1);
});

test("a reply from another address counts and adds the address to the lead, and an opt-out in such a reply suppresses both addresses", async () => {
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
  const guards = await scoped(workspaceId).AddressGuard.find({ reasons: "OPT_OUT_REPLY" });
  expect(guards).toHaveLength(2);
  expect(await webhooks("UNSUBSCRIBE")).toEqual([{ recipientId: person.recipient._id, email: "bob@b.test" }]);
});

test("a reply without our Message-ID is attributed by its sender, with or without the subject; a stranger's email is not", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const mail = (from: string, subject: string) =>
    `From: ${from}\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@b.test>\r\nDate: ${new Date().toUTCString()}\r\n\r\nHello\r\n`;
  imap.deliver(mail("stranger@x.test", `Re: ${SUBJECT}`));
  imap.deliver(mail("bob@b.test", `AW: ${SUBJECT}`));
  imap.deliver(mail("bob@b.test", "Something else"));
  const messages = await read(3);
  expect(messages.map(({ kind, evidence }) => [kind, evidence?.rule])).toEqual([
    ["OTHER", undefined],
    ["REPLY", "attribution 4"],
    ["REPLY", "attribution 6"],
  ]);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("one reply in two folders, also when read again from an old cursor, has one effect", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const first = await watch();
  const mail = replyTo(person.sent, { text: "Hi" });
  imap.deliver(mail, "Junk");
  imap.deliver(mail);
  await read(1);
  await first.stop();
  // As after a kill between the transaction and the cursor update
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

test("a personal reply counts as a reply even if Exchange marks it as automatic and the text mentions a holiday", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  await watch();
  const exchange = {
    Subject: `Re: ${SUBJECT}`,
    "In-Reply-To": person.sent.messageId,
    "X-Auto-Response-Suppress": "DR, OOF, AutoReply",
    "X-MS-Has-Attach": "",
  };
  const text = `I am interested, but on holiday next week. Could we speak on 2 December?

-----Original Message-----
From: ${mailbox.email}
Sent: Monday, 2 November 2026 09:05
To: bob@b.test
Subject: ${SUBJECT}

Hello`;
  imap.deliver(mail(exchange, text));
  const [message] = await read(1);
  expect(message).toMatchObject({
    kind: "REPLY",
    isDoubtful: true,
    category: null,
    recipientId: person.recipient._id,
    replyText: "I am interested, but on holiday next week. Could we speak on 2 December?",
  });
  expect(await recipientNow(person)).toMatchObject({
    status: "REPLIED",
    stopReason: "REPLIED",
    nextStepId: null,
    autoRepliedAt: null,
  });
  expect(await webhooks("REPLIED")).toEqual([{ recipientId: person.recipient._id, email: "bob@b.test" }]);
  expect(await events("AUTO_REPLIED")).toEqual([]);
});

test("an out-of-office reply recognized by its text alone pauses its sender; a help desk receipt stops no one", async () => {
  const campaignId = await newCampaign();
  const [away, desk] = [await contacted("bob@b.test", campaignId), await contacted("help@c.test", campaignId)];
  await watch();
  const back = new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 10);
  const answer = ({ sent }: typeof away, more: Record<string, string> = {}) => ({
    From: sent.to[0] ?? "",
    Subject: `Re: ${SUBJECT}`,
    "In-Reply-To": sent.messageId,
    ...more,
  });
  imap.deliver(
    mail(
      answer(away),
      `Vielen Dank für Ihre Nachricht. Ich bin bis zum ${back.split("-").toReversed().join(".")} im Urlaub.`,
    ),
  );
  imap.deliver(
    mail(
      answer(desk, { Precedence: "bulk" }),
      "Your request has been received. Ticket number: 4711. We will reply within 24 hours.",
    ),
  );
  expect((await read(2)).map(({ kind, category }) => [kind, category])).toEqual([
    ["AUTO_REPLY", "OUT_OF_OFFICE"],
    ["AUTO_REPLY", "AUTO_REPLY"],
  ]);
  expect(await recipientNow(away)).toMatchObject({ status: "PAUSED", pauseReason: "OUT_OF_OFFICE", repliedAt: null });
  expect((await recipientNow(away))?.pausedUntil?.toISOString().slice(0, 10)).toBe(
    new Date(Date.parse(back) + DAY_MS).toISOString().slice(0, 10),
  );
  expect(await recipientNow(desk)).toMatchObject({ status: "IN_PROGRESS", repliedAt: null });
  expect(await webhooks("REPLIED")).toEqual([]);
});

test("an out-of-office reply with a date pauses the recipient until the following day and does not count as a reply", async () => {
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
  expect(paused).toMatchObject({
    status: "PAUSED",
    pauseReason: "OUT_OF_OFFICE",
    repliedAt: null,
    autoRepliedAt: expect.any(Date),
  });
  const nextDay = new Date(back.getTime() + DAY_MS).toISOString().slice(0, 10);
  const local = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "America/New_York",
    dateStyle: "short",
    timeStyle: "short",
  });
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
])("under %j an out-of-office reply without a date leads to %j", async (settings, expected) => {
  const person = await contacted("bob@b.test", await newCampaign(settings));
  await watch();
  imap.deliver(outOfOffice(person.sent));
  await read(1);
  expect(await recipientNow(person)).toMatchObject(expected);
});

test("a reply proves that an email of unknown outcome was sent", async () => {
  const person = await contacted("bob@b.test", await newCampaign(), {
    send: { state: "UNKNOWN", sentAt: null, unknownAt: new Date() },
    recipient: {
      status: "PENDING",
      sentCount: 0,
      currentStepId: null,
      nextStepId: "stp_one",
      thread: null,
      lastSentAt: null,
    },
  });
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Hi" }));
  await read(1);
  expect(await sendNow(person)).toMatchObject({ state: "SENT", evidence: "reply", sentAt: expect.any(Date) });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", sentCount: 1, currentStepId: "stp_one" });
  expect((await webhooks("SENT")).length).toBe(1);
  expect((await webhooks("REPLIED")).length).toBe(1);
});

test("a reply that arrives before its email is recorded as sent is processed only after that record", async () => {
  const person = await contacted("bob@b.test", await newCampaign(), {
    send: { state: "SENDING", phase: "DATA", sentAt: null, leaseUntil: new Date(Date.now() + 60_000) },
  });
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Quick" }));
  await until(() => imap.connections() > 0, { deadlineMs: 30_000, what: "a connection" });
  expect(await scoped(workspaceId).Message.count()).toBe(0);
  await scoped(workspaceId).Send.updateOne(
    { _id: person.send._id },
    { $set: { state: "SENT", phase: null, sentAt: new Date() } },
  );
  await read(1);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
});

test("a reply in the same second as our email is sorted after our email, although the server reports whole seconds", async () => {
  const quick = await quickMailbox();
  await watch();
  const sentAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 1_600);
  const person = await contacted("bob@b.test", await newCampaign(), { send: { sentAt } });
  quick.deliver(mailbox.email, replyTo(person.sent, { text: "At once" }), "INBOX", { date: sentAt });
  const [answer] = await read(1);
  const thread = await scoped(workspaceId).Thread.get(answer?.threadId ?? "");
  expect(thread).toMatchObject({ lastDirection: "INBOUND", snippet: "At once", lastMessageAt: answer?.receivedAt });
  expect((answer?.receivedAt?.getTime() ?? 0) - sentAt.getTime()).toBeLessThan(1_000);
  const messages = await scoped(workspaceId).Message.find({ threadId: answer?.threadId }, { sort: { receivedAt: 1 } });
  expect(messages.map(({ direction }) => direction)).toEqual(["OUTBOUND", "INBOUND"]);
});

test("an unsubscribe email with a valid token takes effect once, no matter who sends it", async () => {
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

test("an email from an address that another workspace has connected counts as a reply; one from a mailbox of the same workspace does not", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const colleague = await contacted("cleo@b.test", person.recipient.campaignId);
  await storedMailbox((await world.workspace()).workspaceId, { email: "bob@b.test" });
  await storedMailbox(workspaceId, { email: "cleo@b.test" });
  await watch();
  imap.deliver(replyTo(person.sent, { text: "Tell me more." }));
  imap.deliver(replyTo(colleague.sent, { text: "Tell me more." }));
  await read(2);
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(await recipientNow(colleague)).toMatchObject({ status: "IN_PROGRESS" });
});
