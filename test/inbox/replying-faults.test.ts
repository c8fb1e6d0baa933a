import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { REPLY_RESERVE } from "../../domain/sending/day-use.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { nextUtcDay, utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { resumeSending, suspendSending } from "../../store/campaigns/kill-switch.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { replyTo } from "../fakes/mails.ts";
import { refuse, slow } from "../fakes/smtp-answers.ts";
import { dayGoesOn, until } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import { listened } from "./mailbox-in.ts";
import { type AnsweringWorld, type Conversation, newKey, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let workspaceId: string;

beforeAll(async () => {
  answering = await startAnsweringWorld();
  ({ workspaceId } = answering);
}, 60_000);
afterAll(() => answering.close());
// The day is the same from the first line of a test to its last
beforeEach(() => dayGoesOn(30_000));

const suppressed = { status: 422, body: { code: "RECIPIENT_SUPPRESSED" } };

test("an email of unknown outcome is never sent again, no matter who asks, and a reply to that email settles the outcome", async () => {
  const to = await answering.conversation("drop@b.test");
  const idempotencyKey = newKey();
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    status: 200,
    body: { status: "UNKNOWN", messageId: null },
  });
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    status: 200,
    body: { status: "UNKNOWN", idempotentReplay: true },
  });
  const [mail, ...others] = answering.mailsTo("drop@b.test");
  if (mail === undefined) throw new Error("nothing arrived");
  expect(others).toEqual([]);
  expect(await sendOf(to)).toMatchObject({ state: "UNKNOWN", phase: null });
  await listened(workspaceId, to.mailboxId);
  answering.sandbox.imapOf("ann@a.test").deliver(replyTo(mail, { text: "Thank you!" }));
  await until(async () => (await sendOf(to))?.state === "SENT", { deadlineMs: 30_000, what: "the answer to be read" });
  expect(await sendOf(to)).toMatchObject({ evidence: "reply" });
  const settled = await answering.answer(to, { idempotencyKey });
  expect(settled.body).toMatchObject({
    status: "SENT",
    messageId: expect.stringMatching(/^msg_/),
    sentAt: expect.any(String),
  });
  expect(await scoped(workspaceId).Message.get(settled.body.messageId)).toMatchObject({
    threadId: to.threadId,
    direction: "OUTBOUND",
  });
  expect(answering.mailsTo("drop@b.test")).toHaveLength(1);
});

test("a suppression of the addressee, the lead, a copy or a domain stops a reply, and its key can be used again", async () => {
  const idempotencyKey = newKey();
  const to = await answering.conversation("gone@b.test", { message: { replyTo: "alias@z.test" } });
  await suppressAddress(workspaceId, "gone@b.test", "MANUAL");
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    ...suppressed,
    body: { details: { addresses: ["gone@b.test"] } },
  });
  const other = await answering.conversation("fine@b.test");
  await answering.rest.post("/block-list", { value: "blocked.test" });
  expect(await answering.answer(other, { cc: ["boss@sub.blocked.test"] })).toMatchObject(suppressed);
  expect(await answering.answer(other, { bcc: ["gone@b.test"] })).toMatchObject(suppressed);
  expect(await answering.answer(await answering.conversation("x@blocked.test"))).toMatchObject(suppressed);
  expect(await answering.answer(other, { idempotencyKey })).toMatchObject({ status: 200, body: { status: "SENT" } });
  for (const email of ["gone@b.test", "alias@z.test", "boss@sub.blocked.test", "x@blocked.test"]) {
    expect([email, answering.mailsTo(email)]).toEqual([email, []]);
  }
});

test("a suppression that commits during the SMTP dialogue stops the email before its content is sent", async () => {
  const to = await answering.conversation("late@b.test");
  // The claim is made before RCPT: the last look finds a suppression that comes later
  answering.sandbox.smtp.setRules((rcpt) => {
    if (rcpt === "late@b.test") void suppressAddress(workspaceId, "late@b.test", "UNSUBSCRIBED");
    return rcpt === "late@b.test" ? slow(700, "RCPT") : { act: "accept" };
  });
  const idempotencyKey = newKey();
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject(suppressed);
  expect(answering.mailsTo("late@b.test")).toEqual([]);
  expect(await sendOf(to)).toMatchObject({ state: "FAILED", failure: { reason: "RECIPIENT_SUPPRESSED" } });
  expect(await sentToday(to.mailboxId)).toBe(await sentBy(to.mailboxId));
});

test("when suppressions race replies, an address suppressed before the claim gets nothing, and only sent emails are counted", async () => {
  const people = await Promise.all(
    Array.from({ length: 12 }, (_, index) => answering.conversation(`race${index}@b.test`, { at: "bob@a.test" })),
  );
  const answers = await Promise.all(
    people.flatMap((to) => [answering.answer(to), suppressAddress(workspaceId, to.from, "MANUAL").then(() => null)]),
  );
  const statuses = answers.flatMap((answer) =>
    answer === null ? [] : [answer.status === 200 ? answer.body.status : answer.body.code],
  );
  for (const [index, to] of people.entries()) {
    expect([to.from, answering.mailsTo(to.from).length]).toEqual([to.from, statuses[index] === "SENT" ? 1 : 0]);
    expect(["SENT", "RECIPIENT_SUPPRESSED"]).toContain(statuses[index]);
  }
  const [first] = people;
  expect(await sentToday(first?.mailboxId ?? "")).toBe(statuses.filter((status) => status === "SENT").length);
});

test("a refusal of the mail server is reported with its code, and a corrected call under the same key is sent", async () => {
  const to = await answering.conversation("refused@b.test");
  const idempotencyKey = newKey();
  answering.sandbox.smtp.setRules(() => refuse(552, "5.3.4 Message too big"));
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    status: 422,
    body: {
      code: "SEND_FAILED",
      details: { reason: "REFUSED_BY_SERVER", code: "552", text: "552 5.3.4 Message too big" },
    },
  });
  answering.sandbox.smtp.setRules(() => ({ act: "accept" }));
  expect(await answering.answer(to, { idempotencyKey, text: "Shorter." })).toMatchObject({
    status: 200,
    body: { status: "SENT" },
  });
  expect(await scoped(workspaceId).Send.count({ threadId: to.threadId })).toBe(1);
});

test("an address that does not exist becomes a hard bounce, and no further email goes to that address", async () => {
  const to = await answering.conversation("nobody@b.test");
  answering.sandbox.smtp.setRules(() => refuse(550, "5.1.1 No such user"));
  expect(await answering.answer(to)).toMatchObject({
    status: 422,
    body: { code: "SEND_FAILED", details: { code: "550" } },
  });
  answering.sandbox.smtp.setRules(() => ({ act: "accept" }));
  expect(await answering.answer(to)).toMatchObject(suppressed);
  expect(await scoped(workspaceId).Lead.get(to.leadId ?? "")).toMatchObject({
    suppressed: true,
    suppressionReason: "HARD_BOUNCE",
  });
});

test("a mailbox at its daily cap, in cooldown, BLOCKED or disconnected sends no reply and gives the reason, and a paused one still replies", async () => {
  const { Mailbox, MailboxDay } = scoped(workspaceId);
  const to = await answering.conversation("capped@b.test", { at: "cid@a.test" });
  const set = (fields: Partial<Mailbox>) => Mailbox.updateOne({ _id: to.mailboxId }, { $set: fields });
  await set({ dailySendLimit: 2, status: "PAUSED" });
  expect((await answering.answer(to)).body).toMatchObject({ status: "SENT" });
  await set({ dailySendLimit: 1 });
  // The replies that a reached limit lets through are used up
  const dayId = `${to.mailboxId}:${utcDay(Date.now())}`;
  await MailboxDay.updateOne({ _id: dayId }, { $set: { "sentBy.none": REPLY_RESERVE } });
  expect(await answering.answer(to)).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED" } });
  await set({ dailySendLimit: 0, status: "COOLING_DOWN" });
  expect(await answering.answer(to)).toMatchObject({ status: 422, body: { code: "NO_SENDING_MAILBOX" } });
  await set({ status: "CONNECTED", health: healthIn("BLOCKED") });
  const blocked = { status: 422, body: { code: "NO_SENDING_MAILBOX", details: { reason: "BLOCKED" } } };
  expect(await answering.answer(to)).toMatchObject(blocked);
  await set({ health: null });
  await answering.rest.post(`/mailboxes/${to.mailboxId}/disconnect`, {});
  expect(await answering.answer(to)).toMatchObject({ status: 422, body: { code: "NO_SENDING_MAILBOX" } });
  expect(answering.mailsTo("capped@b.test")).toHaveLength(1);
  expect(await MailboxDay.get(`${to.mailboxId}:${utcDay(Date.now())}`)).toMatchObject({ sent: 1 });
});

test("a mailbox at provider B sends replies at that provider's pace and daily limit, however many are requested at once", async () => {
  const { Mailbox, MailboxDay, Send } = scoped(workspaceId);
  const people = await Promise.all(
    ["p1@b.test", "p2@b.test", "p3@b.test"].map((from) => answering.conversation(from, { at: "eve@a.test" })),
  );
  const [first] = people;
  if (first === undefined) throw new Error("nobody has written");
  const { mailboxId } = first;
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { provider: "PROVIDERB" } });
  const answers = await Promise.all(people.map((to) => answering.answer(to)));
  expect(answers.map(({ body }) => body.status)).toEqual(["SENT", "SENT", "SENT"]);
  const [one = 0, two = 0, three = 0] = (await Send.find({ mailboxId }))
    .map(({ claimedAt }) => claimedAt?.getTime() ?? 0)
    .sort();
  // The pace is set earlier in the claim's transaction than the instant measured here
  expect(Math.min(two - one, three - two)).toBeGreaterThanOrEqual(1_500);
  await MailboxDay.updateOne({ _id: `${mailboxId}:${utcDay(Date.now())}` }, { $set: { sent: 10_000 } });
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { paceAt: null } });
  expect(await answering.answer(first)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: "provider", resetsAt: nextUtcDay(Date.now()).toISOString() } },
  });
  // The claim said so, whenever the error is read
  const failed = await Send.findOne({ mailboxId, state: "FAILED" });
  expect(failed?.failure?.resetsAt).toEqual(nextUtcDay(Date.now()));
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { provider: "SMTP" } });
  await MailboxDay.deleteOne({ _id: `${mailboxId}:${utcDay(Date.now())}` });
});

test("a reply is refused while sending is paused, and a repeated request with its idempotency key sends it after sending resumes", async () => {
  const to = await answering.conversation("stopped@b.test");
  const idempotencyKey = newKey();
  await suspendSending(workspaceId, null);
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({
    status: 422,
    body: { code: "SEND_FAILED", details: { reason: "WORKSPACE_SUSPENDED" } },
  });
  expect(answering.mailsTo("stopped@b.test")).toEqual([]);
  await resumeSending(workspaceId, null);
  expect(await answering.answer(to, { idempotencyKey })).toMatchObject({ status: 200, body: { status: "SENT" } });
});

test("a reply delays the next campaign email of its mailbox by the gap, and never moves that email forward", async () => {
  const { Mailbox } = scoped(workspaceId);
  const to = await answering.conversation("gap@b.test", { at: "dan@a.test" });
  const before = Date.now();
  await answering.answer(to);
  const moved = (await Mailbox.get(to.mailboxId))?.nextAt?.getTime() ?? 0;
  expect(moved).toBeGreaterThan(before + 480_000);
  const far = new Date(before + DAY_MS);
  await Mailbox.updateOne({ _id: to.mailboxId }, { $set: { nextAt: far } });
  expect((await answering.answer(to)).body).toMatchObject({ status: "SENT" });
  expect((await Mailbox.get(to.mailboxId))?.nextAt).toEqual(far);
});

test("an email that a killed worker had only claimed is sent after its lease ends, and one whose transmission had begun is not", async () => {
  const { Send } = scoped(workspaceId);
  const [claimed, begun] = await Promise.all(
    ["claimed@b.test", "begun@b.test"].map((from) => answering.conversation(from, { at: "eve@a.test" })),
  );
  if (claimed === undefined || begun === undefined) throw new Error("nobody wrote");
  const keys = { claimed: newKey(), begun: newKey() };
  await answering.answer(claimed, { idempotencyKey: keys.claimed });
  await answering.answer(begun, { idempotencyKey: keys.begun });
  expect(answering.mailsTo("claimed@b.test")).toHaveLength(1);
  // The row as a dead attempt leaves it, with a lease that still holds for a moment
  const dead = { state: "SENDING", sentAt: null, attemptId: "dead", leaseUntil: new Date(Date.now() + 1_500) };
  await Send.updateOne({ sendKey: keys.claimed }, { $set: { ...dead, phase: "CLAIMED" } });
  await Send.updateOne({ sendKey: keys.begun }, { $set: { ...dead, phase: "DATA" } });
  const [first, second] = await Promise.all([
    answering.answer(claimed, { idempotencyKey: keys.claimed }),
    answering.answer(begun, { idempotencyKey: keys.begun }),
  ]);
  expect([first?.body.status, second?.body.status]).toEqual(["SENT", "UNKNOWN"]);
  expect([answering.mailsTo("claimed@b.test").length, answering.mailsTo("begun@b.test").length]).toEqual([2, 1]);
});

async function sendOf({ threadId }: Conversation) {
  return scoped(workspaceId).Send.findOne({ threadId });
}

async function sentToday(mailboxId: string): Promise<number> {
  return (await scoped(workspaceId).MailboxDay.get(`${mailboxId}:${utcDay(Date.now())}`))?.sent ?? 0;
}

/** The number of emails that went out or may have gone out. */
async function sentBy(mailboxId: string): Promise<number> {
  const rows = await scoped(workspaceId).Send.find({ mailboxId });
  return rows.filter(({ state }) => state === "SENT" || state === "UNKNOWN").length;
}
