import { expect, test } from "@jest/globals";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newKey } from "../inbox/replying-world.ts";
import { inboxOf, LATER, refusal, tokenOf, writtenBy } from "./permit-parts.ts";
import { useSetup, world } from "./planned-replies-setup.ts";

useSetup();

test("the plan of a reply shows the exact email, needs no idempotency key and stores nothing", async () => {
  const { agent, thread, mailbox, workspaceId, waiting, rest } = await inboxOf(world);
  const by = await agent({ sends: "PLAN" });
  const threadId = await thread("ada@people.test");
  const asked = { text: "Gladly.", cc: ["Bob@people.test"], planOnly: true };
  const now = await by.post(`/inbox/threads/${threadId}/reply`, asked);
  expect(now.body.plan.effect).toMatchObject({
    kind: "REPLY",
    people: 2,
    mails: 1,
    cost: 1,
    recipients: ["ada@people.test", "bob@people.test"],
    firstSendAt: null,
    mailboxes: [{ id: mailbox._id }],
    texts: [{ to: "ada@people.test", cc: ["bob@people.test"], subject: "Re: Widgets", text: "Gladly.", html: null }],
  });
  const later = await by.post(`/inbox/threads/${threadId}/schedule`, { ...asked, sendAt: LATER });
  expect(later.body.plan.effect).toMatchObject({ kind: "SCHEDULED_REPLY", firstSendAt: LATER, lastSendAt: LATER });
  await rest.post("/block-list", { value: "ada@people.test" });
  expect(await by.post(`/inbox/threads/${threadId}/reply`, asked)).toMatchObject(refusal(422, "RECIPIENT_SUPPRESSED"));
  const { Send, OutgoingMail } = scoped(workspaceId);
  expect([await Send.count(), await OutgoingMail.count(), await waiting()]).toEqual([0, 0, 0]);
});

test("a credential that may send only by plan needs a plan to reply, and a credential that may not send cannot reply", async () => {
  const { agent, thread, schedule, reply, waiting } = await inboxOf(world);
  const [byPlan, mute] = [await agent({ sends: "PLAN" }), await agent({ sends: "NONE" })];
  const threadId = await thread("ada@people.test");
  for (const ask of [schedule, reply]) {
    expect(await ask(byPlan, threadId)).toMatchObject(refusal(403, "PLAN_REQUIRED"));
    expect(await ask(mute, threadId)).toMatchObject(refusal(403, "SENDING_NOT_ALLOWED"));
  }
  expect(await waiting()).toBe(0);
  const planToken = tokenOf(await schedule(byPlan, threadId, { planOnly: true }));
  expect(await schedule(byPlan, threadId, { planToken, idempotencyKey: undefined })).toMatchObject(
    refusal(400, "IDEMPOTENCY_KEY_REQUIRED"),
  );
  expect(await schedule(byPlan, threadId, { planToken })).toMatchObject({
    status: 201,
    body: { status: "PENDING", to: "ada@people.test" },
  });
  expect(await waiting()).toBe(1);
});

test("a planned reply is stored once, even when ten keys commit the plan together; a repeat with the first key returns the reply", async () => {
  const { agent, thread, schedule, waiting } = await inboxOf(world);
  const by = await agent({ sends: "PLAN" });
  const threadId = await thread("ada@people.test");
  const planToken = tokenOf(await schedule(by, threadId, { planOnly: true }));
  const keys = Array.from({ length: 10 }, newKey);
  const answers = await Promise.all(
    keys.map((idempotencyKey) => schedule(by, threadId, { planToken, idempotencyKey })),
  );
  const done = answers.filter(({ status }) => status === 201);
  expect(done).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
    Array(9).fill("PLAN_STALE"),
  );
  expect(await waiting()).toBe(1);
  const idempotencyKey = done[0]?.body.idempotencyKey;
  expect(await schedule(by, threadId, { planToken, idempotencyKey })).toMatchObject({
    status: 201,
    body: { id: done[0]?.body.id, idempotentReplay: true },
  });
});

test("the plan of a reply becomes stale when someone else writes in the thread, since the reply would go to them", async () => {
  const { agent, thread, schedule, waiting, workspaceId, mailbox } = await inboxOf(world);
  const by = await agent({ sends: "PLAN" });
  const threadId = await thread("ada@people.test");
  const planToken = tokenOf(await schedule(by, threadId, { planOnly: true }));
  await writtenBy(workspaceId, threadId, mailbox._id, "eve@people.test");
  const answer = await schedule(by, threadId, { planToken });
  expect(answer).toMatchObject(refusal(409, "PLAN_STALE"));
  expect(answer.body.details.plan.effect.recipients).toEqual(["eve@people.test"]);
  expect(await waiting()).toBe(0);
});

test("a reply under an undo period is queued like a scheduled reply, can be cancelled, and is found again by its idempotency key", async () => {
  const { agent, thread, reply, workspaceId } = await inboxOf(world);
  const by = await agent({ undoSeconds: 120 });
  const threadId = await thread("ada@people.test");
  const idempotencyKey = newKey();
  const before = Date.now();
  const answer = await reply(by, threadId, { idempotencyKey });
  expect(answer).toMatchObject({
    status: 200,
    body: { status: "QUEUED", to: "ada@people.test", messageId: null, idempotentReplay: false },
  });
  const { scheduledId, sendAt } = answer.body;
  expect(Date.parse(sendAt) - before).toBeGreaterThanOrEqual(120 * SECOND_MS);
  expect((await reply(by, threadId, { idempotencyKey })).body).toMatchObject({ scheduledId, idempotentReplay: true });
  expect(await reply(by, threadId, { idempotencyKey, text: "Other" })).toMatchObject(
    refusal(409, "IDEMPOTENCY_KEY_REUSED"),
  );
  expect((await by.post(`/inbox/scheduled/${scheduledId}/cancel`)).body).toMatchObject({ status: "CANCELLED" });
  expect(await reply(by, threadId, { idempotencyKey })).toMatchObject(
    refusal(422, "SEND_FAILED", { reason: "CANCELLED" }),
  );
  const { ScheduledReply, Send } = scoped(workspaceId);
  expect([await ScheduledReply.count(), await Send.count()]).toEqual([1, 0]);
});
