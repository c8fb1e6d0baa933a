import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { beginScheduled } from "../../store/inbox/reply.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { refuse } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import type { RestAnswer } from "../support/rest.ts";
import { type AnsweringWorld, newKey, startAnsweringWorld } from "./replying-world.ts";

let answering: AnsweringWorld;
let workspaceId: string;

beforeAll(async () => {
  answering = await startAnsweringWorld();
  ({ workspaceId } = answering);
}, 60_000);
afterAll(() => answering.close());

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const soon = () => ({ sendAt: inMs(1_200) });

test("a scheduled reply is sent once at its time and appears in the thread, and a repeated call returns the same reply", async () => {
  const to = await answering.conversation("later@b.test");
  const call = { ...soon(), idempotencyKey: newKey(), cc: ["boss@b.test"] };
  const stored = await answering.schedule(to, call);
  expect(stored).toMatchObject({
    status: 201,
    body: {
      status: "PENDING",
      threadId: to.threadId,
      mailboxId: to.mailboxId,
      leadId: to.leadId,
      to: "later@b.test",
      subject: "Re: Widgets",
      bodyText: "As promised.",
      bodyHtml: null,
      sentMessageId: null,
      error: null,
      cancelledAt: null,
      sendAt: call.sendAt,
      idempotencyKey: call.idempotencyKey,
      idempotentReplay: false,
    },
  });
  expect(answering.mailsTo("later@b.test")).toEqual([]);
  const sent = await ended(stored);
  expect(sent).toMatchObject({ status: "SENT", sentMessageId: expect.stringMatching(/^msg_/) });
  const [mail, ...others] = answering.mailsTo("later@b.test");
  expect(others).toEqual([]);
  expect(mail?.at).toBeGreaterThanOrEqual(Date.parse(call.sendAt));
  expect(await scoped(workspaceId).Message.get(sent?.sentMessageId ?? "")).toMatchObject({
    kind: "SCHEDULED",
    direction: "OUTBOUND",
    threadId: to.threadId,
    rfcMessageId: mail?.messageId,
    inReplyTo: to.rfcMessageId,
  });
  expect(await answering.schedule(to, call)).toMatchObject({
    status: 201,
    body: { id: stored.body.id, status: "SENT", idempotentReplay: true },
  });
  expect(await answering.schedule(to, { ...call, text: "Other" })).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  expect(await answering.answer(to, { idempotencyKey: call.idempotencyKey })).toMatchObject({ status: 409 });
  expect(await cancel(stored.body.id)).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", details: { from: "SENT", action: "cancel" } },
  });
});

test("a cancelled reply is never sent, and a second cancellation changes nothing", async () => {
  const to = await answering.conversation("never@b.test");
  const { body } = await answering.schedule(to, { sendAt: inMs(3_000) });
  await until(() => runs(body.id), { deadlineMs: 30_000, what: "its timer" });
  const cancelled = await cancel(body.id);
  expect(cancelled).toMatchObject({ status: 200, body: { status: "CANCELLED", cancelledAt: expect.any(String) } });
  expect(await cancel(body.id)).toMatchObject({ status: 200, body: cancelled.body });
  expect(await cancel("srp_none")).toMatchObject({ status: 404, body: { code: "SCHEDULED_REPLY_NOT_FOUND" } });
  const stranger = await answering.world.workspace();
  expect(await stranger.rest.post(`/inbox/scheduled/${body.id}/cancel`, {})).toMatchObject({ status: 404 });
  const { engine } = answering.world.services;
  await until(() => engine.hasEnded(`scheduled-reply/${body.id}`, 1_000), {
    deadlineMs: 20_000,
    what: "the end of the run",
  });
  expect(answering.mailsTo("never@b.test")).toEqual([]);
  expect(await scoped(workspaceId).Send.get(body.id)).toBeNull();
});

test("when cancel and the start of sending race, one of them wins: the reply is cancelled and not sent, or sent and not cancelled", async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const to = await answering.conversation(`either${index}@b.test`);
      return (await answering.schedule(to)).body;
    }),
  );
  const both = await Promise.all(replies.map(({ id }) => Promise.all([cancel(id), beginScheduled(workspaceId, id)])));
  for (const [answer, begun] of both) {
    const isCancelled = answer.status === 200;
    expect([answer.status, begun?.status]).toEqual(isCancelled ? [200, "CANCELLED"] : [409, "SENDING"]);
    expect((await scoped(workspaceId).Send.get(begun?._id ?? "")) === null).toBe(isCancelled);
  }
});

test("scheduling a reply to a suppressed address is refused, and an address suppressed before the send time gets nothing", async () => {
  const to = await answering.conversation("changed@b.test");
  const { body } = await answering.schedule(to, soon());
  await suppressAddress(workspaceId, "changed@b.test", "UNSUBSCRIBED");
  expect(await answering.schedule(to)).toMatchObject({ status: 422, body: { code: "RECIPIENT_SUPPRESSED" } });
  expect(await ended({ body })).toMatchObject({
    status: "FAILED",
    error: { code: "RECIPIENT_SUPPRESSED", message: expect.any(String) },
  });
  expect(answering.mailsTo("changed@b.test")).toEqual([]);
});

test("deleting a lead cancels scheduled replies to that lead, and erases sent ones", async () => {
  const to = await answering.conversation("erased@b.test");
  await answering.answer(to);
  const { body } = await answering.schedule(to);
  expect((await answering.rest.post("/leads/manage", { action: "delete", leadId: to.leadId })).status).toBe(200);
  const { OutgoingMail, ScheduledReply, Send } = scoped(workspaceId);
  const [send] = await Send.find({ threadId: to.threadId });
  expect(send).toMatchObject({ state: "SENT", subject: null, content: null });
  expect(await ScheduledReply.get(body.id)).toMatchObject({ status: "CANCELLED", bodyText: "", subject: "" });
  expect(await OutgoingMail.get(send?._id ?? "")).toBeNull();
  expect(JSON.stringify([send, await ScheduledReply.get(body.id)])).not.toContain("erased@b.test");
});

test("a scheduled reply fails if its mailbox is disconnected before the send time, and a reply with an unknown outcome is not retried", async () => {
  const [lost, unknown] = await Promise.all([
    answering.conversation("lost@b.test", { at: "bob@a.test" }),
    answering.conversation("drop@b.test", { at: "cid@a.test" }),
  ]);
  const replies = await Promise.all([answering.schedule(lost, soon()), answering.schedule(unknown, soon())]);
  await answering.rest.post(`/mailboxes/${lost.mailboxId}/disconnect`, {});
  const [failed, unclear] = await Promise.all(replies.map(ended));
  expect(failed).toMatchObject({ status: "FAILED", error: { code: "NO_SENDING_MAILBOX" } });
  expect(unclear).toMatchObject({ status: "FAILED", error: { code: "SEND_UNKNOWN" } });
  expect([answering.mailsTo("lost@b.test").length, answering.mailsTo("drop@b.test").length]).toEqual([0, 1]);
});

test("a permanent refusal fails the reply with its reason", async () => {
  const to = await answering.conversation("big@b.test", { at: "dan@a.test" });
  answering.sandbox.smtp.setRules(() => refuse(552, "5.3.4 Message too big"));
  const failed = await ended(await answering.schedule(to, soon()));
  answering.sandbox.smtp.setRules(() => ({ act: "accept" }));
  expect(failed).toMatchObject({ status: "FAILED", error: { code: "SEND_FAILED" } });
});

test("the time of a scheduled reply must be in the future, within a year, and name a time zone", async () => {
  const to = await answering.conversation("hours@b.test");
  for (const sendAt of [
    inMs(-1_000),
    inMs(400 * 24 * HOUR_MS),
    "2027-03-01T09:00:00",
    "2027-03-01",
    "soon",
    undefined,
  ]) {
    expect([sendAt, await answering.schedule(to, { sendAt })]).toMatchObject([
      sendAt,
      { status: 400, body: { code: "VALIDATION_FAILED" } },
    ]);
  }
  expect(await answering.schedule(to, { idempotencyKey: undefined })).toMatchObject({
    body: { code: "IDEMPOTENCY_KEY_REQUIRED" },
  });
  expect(await scoped(workspaceId).ScheduledReply.count({ threadId: to.threadId })).toBe(0);
});

test("scheduled replies are listed in the order of their times, by page, status and mailbox", async () => {
  const to = await answering.conversation("listed@b.test", { at: "eve@a.test" });
  const made: string[] = [];
  for (const hours of [5, 3, 4]) made.push((await answering.schedule(to, { sendAt: inMs(hours * HOUR_MS) })).body.id);
  const [last, first, second] = made;
  const of = (query: string) => answering.rest.get(`/inbox/scheduled?mailboxIds=${to.mailboxId}${query}`);
  expect((await of("")).body).toMatchObject({
    total: 3,
    page: 1,
    items: [{ id: first }, { id: second }, { id: last }],
  });
  expect((await of("&page=2&pageSize=2")).body).toMatchObject({ total: 3, items: [{ id: last }] });
  await cancel(second ?? "");
  expect((await of("&status=CANCELLED,SENT")).body).toMatchObject({ total: 1, items: [{ id: second }] });
  expect((await of(",mbx_other&status=PENDING")).body).toMatchObject({
    total: 2,
    items: [{ id: first }, { id: last }],
  });
  expect(await of("&status=SOON")).toMatchObject({ status: 400 });
  const all = (await answering.rest.get("/inbox/scheduled?pageSize=200")).body.items.map(
    ({ sendAt }: { sendAt: string }) => sendAt,
  );
  expect(all).toEqual([...all].sort());
});

function cancel(id: string): Promise<RestAnswer> {
  return answering.rest.post(`/inbox/scheduled/${id}/cancel`, {});
}

/** The record once no further change is to come. */
async function ended({ body }: Pick<RestAnswer, "body">) {
  const { ScheduledReply } = scoped(workspaceId);
  const isOver = async () => !["PENDING", "SENDING"].includes((await ScheduledReply.get(body.id))?.status ?? "");
  await until(isOver, { deadlineMs: 20_000, what: `the end of ${body.id}` });
  return ScheduledReply.get(body.id);
}

async function runs(id: string): Promise<boolean> {
  try {
    const run = await answering.world.temporal?.client.workflow.getHandle(`scheduled-reply/${id}`).describe();
    return run?.status.name === "RUNNING";
  } catch {
    return false;
  }
}

test("a scheduled reply fails when its mailbox is BLOCKED at the send time", async () => {
  const to = await answering.conversation("blocked@b.test", { at: "eve@a.test" });
  const reply = await answering.schedule(to, soon());
  const { Mailbox } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: to.mailboxId }, { $set: { health: healthIn("BLOCKED") } });
  expect(await ended(reply)).toMatchObject({ status: "FAILED", error: { code: "NO_SENDING_MAILBOX" } });
  await Mailbox.updateOne({ _id: to.mailboxId }, { $set: { health: null } });
  expect(answering.mailsTo("blocked@b.test")).toHaveLength(0);
});
