import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { newKey } from "./replying-world.ts";

let world: World;
let rest: Rest;
let workspaceId: string;
let threadId: string;

beforeAll(async () => {
  world = await startWorld();
  ({ rest, workspaceId } = await world.workspace());
  const { Message, Thread } = scoped(workspaceId);
  const { _id: mailboxId } = await storedMailbox(workspaceId);
  threadId = newId("thr");
  await Thread.insert({ _id: threadId, mailboxId, subject: "Widgets", lastMessageAt: new Date() });
  const written = { kind: "REPLY", from: "bob@b.test", rfcMessageId: "<1@b.test>", receivedAt: new Date() } as const;
  await Message.insert({ _id: newId("msg"), mailboxId, threadId, contentKey: "one", ...written });
});
afterAll(() => world.close());

const rows = async () => {
  const { OutgoingMail, OutboxRow, ScheduledReply, Send } = scoped(workspaceId);
  return [await Send.count(), await OutgoingMail.count(), await OutboxRow.count(), await ScheduledReply.count()];
};

test("while Temporal is unreachable a reply is refused with 503 and nothing is stored", async () => {
  const answer = await rest.post(`/inbox/threads/${threadId}/reply`, { text: "Hello", idempotencyKey: newKey() });
  expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect(await rows()).toEqual([0, 0, 0, 0]);
});

test("while Temporal is unreachable a reply can be scheduled as usual, and its timer waits in the outbox", async () => {
  const sendAt = new Date(Date.now() + 60_000).toISOString();
  const call = { text: "Hello", sendAt, idempotencyKey: newKey() };
  const [first, second] = await Promise.all([1, 2].map(() => rest.post(`/inbox/threads/${threadId}/schedule`, call)));
  expect([first?.status, second?.status, first?.body.id]).toEqual([201, 201, second?.body.id]);
  expect(await rows()).toEqual([0, 0, 1, 1]);
  const [row] = await scoped(workspaceId).OutboxRow.find();
  expect(row).toMatchObject({
    kind: "SCHEDULED_REPLY",
    payload: { scheduledId: first?.body.id, signal: "start" },
    doneAt: null,
  });
});

test("when Temporal does not respond in time a reply stays QUEUED in the outbox, and a repeated call returns that reply", async () => {
  const late = async () => Promise.reject(new AppError("SERVICE_UNAVAILABLE", "late"));
  const { engine } = world.services;
  world.services.engine = { ...engine, isReachable: async () => true, execute: late };
  const call = { text: "Hello", idempotencyKey: newKey() };
  const path = `/inbox/threads/${threadId}/reply`;
  const queued = await rest.post(path, call);
  expect(queued).toMatchObject({
    status: 200,
    body: { status: "QUEUED", messageId: null, sentAt: null, to: "bob@b.test" },
  });
  world.services.engine = engine;
  expect(await rest.post(path, call)).toMatchObject({
    status: 200,
    body: { status: "QUEUED", idempotentReplay: true },
  });
  const { OutboxRow, Send } = scoped(workspaceId);
  const send = await Send.findOne({ sendKey: call.idempotencyKey });
  expect(send).toMatchObject({ state: "RESERVED", kind: "REPLY", threadId });
  expect(await OutboxRow.find({ kind: "REPLY" })).toMatchObject([{ payload: { sendId: send?._id }, doneAt: null }]);
});

test("when a reply and a scheduled reply use the same key at the same instant, one is accepted and the other refused", async () => {
  const late = async () => Promise.reject(new AppError("SERVICE_UNAVAILABLE", "late"));
  const { engine } = world.services;
  world.services.engine = { ...engine, isReachable: async () => true, execute: late };
  const sendAt = new Date(Date.now() + 60_000).toISOString();
  const { ScheduledReply, Send } = scoped(workspaceId);
  const both = async () => {
    const call = { text: "Hello", idempotencyKey: newKey() };
    const [now, later] = await Promise.all([
      rest.post(`/inbox/threads/${threadId}/reply`, call),
      rest.post(`/inbox/threads/${threadId}/schedule`, { ...call, sendAt }),
    ]);
    const isNow = now.status === 200;
    expect([now.status, later.status]).toEqual(isNow ? [200, 409] : [409, 201]);
    expect((isNow ? later : now).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    const stored = [
      await Send.count({ sendKey: call.idempotencyKey }),
      await ScheduledReply.count({ idempotencyKey: call.idempotencyKey }),
    ];
    expect(stored).toEqual(isNow ? [1, 0] : [0, 1]);
  };
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 4 }, both));
  world.services.engine = engine;
});
