import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { StillRecording } from "../../store/sending/delivery-evidence.ts";
import { outOfOffice, replyTo } from "../fakes/mails.ts";
import {
  contacted,
  events,
  leadNow,
  listening,
  mailbox,
  newCampaign,
  recipientNow,
  SUBJECT,
  sendNow,
  webhooks,
  workspaceId,
} from "./listening.ts";
import { answered, mail, take, takeSent } from "./reading.ts";

listening();

const OURS = "We make widgets that never rust, and we would like to show you one.";

test("a copy in Sent reveals the provider's thread id, and a reply without our ids is attributed by that thread id", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  expect(await takeSent(person.sent.raw, { providerThreadId: "t1" })).toMatchObject({
    kind: "OWN",
    sendId: person.send._id,
  });
  expect(await take(mail({ From: "x@elsewhere.test" }), { providerThreadId: "t2" })).toMatchObject({ kind: "OTHER" });
  expect(await take(mail({ From: "x@elsewhere.test" }), { providerThreadId: "t1" })).toMatchObject({
    kind: "REPLY",
    recipientId: person.recipient._id,
    evidence: { rule: "attribution 3", value: "t1" },
  });
  expect(await leadNow(person)).toMatchObject({ secondaryEmails: ["x@elsewhere.test"] });
});

test("a colleague's reply that quotes our email under our subject stops the sequence and suppresses no address", async () => {
  const person = await contacted("bob@corp.test", await newCampaign(), {
    send: { content: { text: `Hi Bob,\n${OURS}\nAnn`, html: null } },
  });
  const words = (text: string) =>
    `${text}\n\n> Hi Bob,\n> We make widgets that never rust, and we would\n> like to show you one.\n> Ann`;
  const from = { From: "eve@corp.test", Subject: `Re: ${SUBJECT}` };
  expect(await take(mail(from, "Nothing of yours is in here."))).toMatchObject({ kind: "OTHER" });
  expect(await take(mail({ ...from, From: "eve@other.test" }, words("Hi")))).toMatchObject({ kind: "OTHER" });
  expect(await take(mail(from, words("Hi")), { authentication: "FAIL" })).toMatchObject({ kind: "OTHER" });
  expect(await take(mail(from, words("Please remove us from your list.")))).toMatchObject({
    kind: "REPLY",
    recipientId: person.recipient._id,
    category: null,
    evidence: { rule: "attribution 5", value: "corp.test" },
  });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED" });
  expect(await leadNow(person)).toMatchObject({ suppressed: false, secondaryEmails: [] });
  expect(await scoped(workspaceId).Approval.count()).toBe(0);
});

test("a reply whose sender may be forged is attributed only by our Message-ID, and an opt-out in such a reply waits for a decision", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const subject = { Subject: `Re: ${SUBJECT}` };
  expect(await take(mail(subject), { authentication: "FAIL" })).toMatchObject({ kind: "OTHER" });
  const clear = mail({ ...subject, "In-Reply-To": person.sent.messageId }, "Please unsubscribe me.");
  const message = await take(clear, { authentication: "FAIL" });
  expect(message).toMatchObject({
    kind: "REPLY",
    category: null,
    evidence: { rule: "attribution 2", value: person.sent.messageId },
  });
  expect(await leadNow(person)).toMatchObject({ suppressed: false, status: "REPLIED" });
  expect(await scoped(workspaceId).Approval.find()).toMatchObject([
    { kind: "OPT_OUT", messageId: message._id, status: "PENDING" },
  ]);
});

test("an unclear opt-out pauses the recipient until a user decides; a later clear opt-out approves the question and suppresses the lead", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const first = await take(replyTo(person.sent, { text: "How do I unsubscribe?" }));
  expect(await recipientNow(person)).toMatchObject({ status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" });
  const [approval] = await scoped(workspaceId).Approval.find();
  expect(approval).toMatchObject({
    kind: "OPT_OUT",
    status: "PENDING",
    messageId: first._id,
    threadId: expect.stringMatching(/^thr_/),
    recipientId: person.recipient._id,
    campaignId: person.recipient.campaignId,
    stepId: "stp_one",
    proposedText: "How do I unsubscribe?",
    decidedBy: null,
  });
  expect(approval?.expiresAt).toBeNull();
  await take(replyTo(person.sent, { text: "And what does it cost?" }));
  expect(await scoped(workspaceId).Approval.find()).toMatchObject([{ status: "PENDING" }]);
  const clear = await take(replyTo(person.sent, { text: "Unsubscribe me." }));
  expect(clear).toMatchObject({ kind: "REPLY", category: "UNSUBSCRIBE" });
  expect(await scoped(workspaceId).Approval.find()).toMatchObject([
    { status: "APPROVED", note: "The address was suppressed" },
  ]);
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "OPT_OUT_REPLY" });
});

test("a reply to a user's email from the inbox is attributed to the thread's recipient, who keeps the time of the first reply", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const first = await take(replyTo(person.sent, { text: "Hi" }));
  const repliedAt = (await recipientNow(person))?.repliedAt;
  const reply = await answered(person, (await scoped(workspaceId).Message.get(first._id))?.threadId ?? null);
  const second = await take(mail({ From: "bob@private.test", "In-Reply-To": reply.messageId }));
  expect(second).toMatchObject({ kind: "REPLY", recipientId: person.recipient._id, sendId: reply._id });
  expect(await recipientNow(person)).toMatchObject({ status: "REPLIED", repliedAt });
  expect(await leadNow(person)).toMatchObject({ secondaryEmails: ["bob@private.test"] });
  expect(await webhooks("REPLIED")).toHaveLength(2);
});

test("an email that a user writes in another mail program joins the thread, and replies to that email are attributed to the recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const first = await take(replyTo(person.sent, { text: "Hi" }));
  const byHand = {
    From: mailbox.email,
    To: "bob@b.test",
    "Message-ID": "<by-hand@a.test>",
    "In-Reply-To": first.rfcMessageId,
  };
  const manual = await takeSent(mail(byHand, "As I said on the phone"));
  expect(manual).toMatchObject({
    kind: "MANUAL",
    direction: "OUTBOUND",
    threadId: first.threadId,
    recipientId: person.recipient._id,
  });
  expect(await take(mail({ From: "bob@private.test", "In-Reply-To": "<by-hand@a.test>" }))).toMatchObject({
    kind: "REPLY",
    recipientId: person.recipient._id,
    threadId: first.threadId,
  });
  expect(await takeSent(mail({ From: mailbox.email, To: "friend@x.test" }))).toMatchObject({
    kind: "OWN",
    threadId: null,
  });
});

test("a reply that fits several campaigns sends one event for the newest email and stops the person in all those campaigns", async () => {
  const older = await contacted("bob@b.test", await newCampaign(), { send: { sentAt: new Date(Date.now() - DAY_MS) } });
  const newer = await contacted("bob@b.test", await newCampaign());
  expect(await take(mail({ Subject: `Re: ${SUBJECT}` }))).toMatchObject({
    recipientId: newer.recipient._id,
    evidence: { rule: "attribution 4", value: "bob@b.test" },
  });
  expect(await recipientNow(newer)).toMatchObject({ status: "REPLIED", repliedAt: expect.any(Date) });
  expect(await recipientNow(older)).toMatchObject({ status: "REPLIED", repliedAt: null });
  expect(await webhooks("REPLIED")).toHaveLength(1);
});

test("one reply in two connected mailboxes sends one event, and a different email with the same Message-ID is not taken for the reply", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const other = await scoped(workspaceId).Mailbox.insert({ ...mailbox, _id: "mbx_other", email: "other@a.test" });
  const reply = replyTo(person.sent, { text: "Hi" });
  await take(reply);
  await take(reply, { mailbox: other, uid: 1_000 }).catch(() => null);
  expect(await scoped(workspaceId).Message.count({ kind: "REPLY", recipientId: person.recipient._id })).toBe(2);
  expect(await webhooks("REPLIED")).toHaveLength(1);
  const id = /Message-ID: (<.+>)/.exec(reply.toString())?.[1] ?? "";
  await take(mail({ From: "stranger@x.test", "Message-ID": id, Subject: "Not yours" }));
  expect(await webhooks("REPLIED")).toHaveLength(1);
});

test("an out-of-office reply without our Message-ID is attributed by sender and subject, and one from a stranger is not", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const notice = { Subject: `Automatic reply: ${SUBJECT}`, "Auto-Submitted": "auto-replied" };
  expect(await take(mail(notice, "I am out of the office."))).toMatchObject({
    kind: "AUTO_REPLY",
    category: "OUT_OF_OFFICE",
    recipientId: person.recipient._id,
  });
  expect(await recipientNow(person)).toMatchObject({ status: "PAUSED", pauseReason: "OUT_OF_OFFICE" });
  expect(await take(mail({ ...notice, From: "stranger@x.test" }, "Your ticket is 7."))).toMatchObject({
    kind: "AUTO_REPLY",
    category: "AUTO_REPLY",
    recipientId: null,
  });
});

test("repeated out-of-office replies count as no reply and are not answered", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const before = await scoped(workspaceId).Send.count();
  for (let round = 0; round < 5; round++) await take(outOfOffice(person.sent));
  expect(await recipientNow(person)).toMatchObject({ status: "PAUSED", repliedAt: null });
  expect(await scoped(workspaceId).Send.count()).toBe(before);
  expect(await events("REPLIED")).toEqual([]);
});

test("a copy in Sent proves that an email of unknown outcome was sent, also when the provider replaced the Message-ID", async () => {
  const thread = { subject: SUBJECT, ids: [] as string[] };
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
  const copy = mail({
    From: mailbox.email,
    To: "bob@b.test",
    "Message-ID": "<theirs@provider.test>",
    "X-Mail-Ref": person.send.mailRef,
  });
  expect(await takeSent(copy)).toMatchObject({
    kind: "OWN",
    evidence: { rule: "X-Mail-Ref", value: person.send.mailRef },
  });
  expect(await sendNow(person)).toMatchObject({
    state: "SENT",
    evidence: "sent copy",
    messageIds: [person.send.messageId, "<theirs@provider.test>"],
  });
  expect(await recipientNow(person)).toMatchObject({
    sentCount: 1,
    thread: { ...thread, ids: ["<theirs@provider.test>"] },
  });
  expect(await take(mail({ "In-Reply-To": "<theirs@provider.test>" }))).toMatchObject({ kind: "REPLY" });
});

test("a reply to an email that is still being sent is read only after the lease of the send has ended, and proves that the email was sent", async () => {
  const person = await contacted("bob@b.test", await newCampaign(), {
    send: { state: "SENDING", phase: "DATA", sentAt: null, leaseUntil: new Date(Date.now() + 60_000) },
  });
  const answer = replyTo(person.sent, { text: "Quick" });
  await expect(take(answer)).rejects.toThrow(StillRecording);
  expect(await scoped(workspaceId).Message.count()).toBe(0);
  expect(await sendNow(person)).toMatchObject({ state: "SENDING", phase: "DATA", evidence: null });
  await scoped(workspaceId).Send.updateOne({ _id: person.send._id }, { $set: { leaseUntil: new Date() } });
  expect(await take(answer)).toMatchObject({ kind: "REPLY" });
  expect(await sendNow(person)).toMatchObject({ state: "SENT", evidence: "reply" });
});

test("an incoming email with our own address in From has no effect on the recipient", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const marked = { From: mailbox.email, "X-Mail-Ref": person.send.mailRef, "In-Reply-To": person.sent.messageId };
  expect(await take(mail(marked, "Unsubscribe me"))).toMatchObject({ kind: "OTHER" });
  const outside = { ...marked, Received: "from evil.test by mx.a.test with ESMTPS id 1" };
  expect(await take(mail(outside), { folder: "Archive" })).toMatchObject({ kind: "OTHER" });
  expect(await sendNow(person)).toMatchObject({ messageIds: [person.sent.messageId] });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

test("a received warmup email changes no recipient and does not count as a reply", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const warm = await answered(person, null, { kind: "WARMUP", to: mailbox.email });
  expect(await take(mail({ From: "partner@c.test", "Message-ID": warm.messageId }))).toMatchObject({
    kind: "OTHER",
    recipientId: null,
  });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});
