import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { newId } from "../../mongo/ids.ts";
import { createLog } from "../../runtime/log.ts";
import { nudge } from "../../store/outbox.ts";
import { fanOut, fanOutMany } from "../../store/webhooks/fan-out.ts";
import { webhookDeliveryWorkflowId, webhookFeedWorkflowId } from "../../temporal/ids.ts";
import * as runs from "../../temporal/runs.ts";
import { startDispatcher } from "../../worker/dispatcher.ts";
import { type Answer, type FakeSubscriber, type Received, startSubscriber } from "../fakes/subscriber.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { killedWorkerOf } from "../system/killed-worker.ts";

const DEADLINE = { deadlineMs: 60_000 };
const ago = (ms: number) => new Date(Date.now() - ms);

let world: World;
let workspaceId: string;
let stopWorker: (() => Promise<void>) | null = null;
const receivers: FakeSubscriber[] = [];

beforeAll(async () => {
  world = await startWorld({ temporal: true });
  ({ workspaceId } = await world.workspace());
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await stopWorker?.();
  await world.close();
});

function engine() {
  if (world.temporal === null) throw new Error("There is no engine");
  return world.temporal.client;
}

/** Starts the worker of this process, unless a test before has. */
async function work(): Promise<void> {
  if (world.temporal !== null) stopWorker ??= await realWorker()({ services: world.services, temporal: world.temporal });
}

/** A receiver with its subscription to one kind of event. */
async function subscribed(event: string, answer: (request: Received) => Answer = () => ({})) {
  const receiver = await startSubscriber({ answer });
  receivers.push(receiver);
  const _id = newId("whs");
  const sealedSecret = seal(world.services.keyRing, secretPlace(workspaceId, _id), newSigningSecret(randomBytes(32)));
  await scoped(workspaceId).WebhookSubscription.insert({ _id, url: receiver.url, events: [event], sealedSecret });
  return { receiver, subscriptionId: _id };
}

const happening = (event: string) => ({ event, eventId: newId("evt"), at: "2026-03-01T09:00:00.000Z", data: { recipientId: "rcp_1" } });

async function happened(event: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await nudge(workspaceId, "EVENT", happening(event));
}

const statusesOf = async (subscriptionId: string) =>
  (await scoped(workspaceId).WebhookDelivery.find({ subscriptionId })).map(({ status }) => status);

test("killed in the middle of a feed, the worker loses nothing: what it had in hand is posted again as attempt 2, and nothing else twice", async () => {
  const { receiver, subscriptionId } = await subscribed("BOUNCED", () => ({ delayMs: 40 }));
  const worker = await killedWorkerOf(world, "");
  const { WebhookDelivery } = scoped(workspaceId);
  const COUNT = 300;
  await fanOutMany(Array.from({ length: COUNT }, () => ({ workspaceId, payload: happening("BOUNCED") })));
  let inHand = 0;
  try {
    worker.start();
    await until(async () => receiver.received.length >= 60, { ...DEADLINE, what: "the first requests", longestMs: 20 });
    await worker.kill();
    // What follows needs no minute: the engine gives the feed up, and the rows in hand become overdue
    await engine().workflow.getHandle(webhookFeedWorkflowId(subscriptionId)).terminate("its worker died");
    const taken = { subscriptionId, status: "PENDING", waitsFor: null };
    inHand = await WebhookDelivery.updateMany(taken, { $set: { nextAttemptAt: ago(2 * MINUTE_MS) } });
    worker.start();
    const delivered = async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length;
    await until(async () => (await delivered()) === COUNT, { ...DEADLINE, what: "every delivery" });
  } finally {
    await worker.kill();
  }
  const attempts = Map.groupBy(receiver.received, ({ headers }) => String(headers["x-service-delivery"]));
  expect(attempts.size).toBe(COUNT);
  const numbers = [...attempts.values()].map((requests) => requests.map(({ headers }) => String(headers["x-service-attempt"])).join());
  for (const seen of numbers) expect(["1", "2", "1,2"]).toContain(seen);
  expect(inHand).toBeGreaterThan(0);
  expect(numbers.filter((seen) => seen !== "1")).toHaveLength(inHand);
});

test("what an earlier version left is all delivered: rows that wait, rows admitted with and without a run, one that retries, a nudge", async () => {
  const { receiver, subscriptionId } = await subscribed("SENT");
  const { WebhookDelivery } = scoped(workspaceId);
  const leave = async (fields: Partial<WebhookDelivery>) => {
    const [id = ""] = await fanOut(workspaceId, happening("SENT"));
    await WebhookDelivery.updateOne({ _id: id }, { $set: fields, $unset: { takenBy: "" } });
    return id;
  };
  const waiting = await leave({});
  const nudged = await leave({});
  await nudge(workspaceId, "DELIVERY", { deliveryId: nudged });
  const admitted = await leave({ waitsFor: null, startedAt: ago(1_000), nextAttemptAt: ago(1_000) });
  const { workflow, options } = runs.deliveryRun({ v: 1, workspaceId, deliveryId: admitted }, "SENT");
  await engine().workflow.start(workflow, options);
  const forgotten = await leave({ waitsFor: null, startedAt: ago(5 * MINUTE_MS), nextAttemptAt: ago(5 * MINUTE_MS) });
  const tried = { status: "RETRYING", attempts: 3, totalAttempts: 3, waitsFor: null, startedAt: ago(9 * MINUTE_MS) } as const;
  const retrying = await leave({ ...tried, nextAttemptAt: ago(2 * MINUTE_MS) });
  // And a row that a feed had taken when its process died
  const taken = await leave({
    waitsFor: null,
    attempts: 1,
    totalAttempts: 1,
    startedAt: ago(3 * MINUTE_MS),
    nextAttemptAt: ago(2 * MINUTE_MS),
  });

  await work();
  await until(async () => (await statusesOf(subscriptionId)).every((status) => status === "DELIVERED"), { ...DEADLINE, what: "all six" });
  const seen = receiver.received.map(({ headers }) => [headers["x-service-delivery"], headers["x-service-attempt"]]);
  const wanted = [waiting, nudged, admitted, forgotten].map((id) => [id, "1"]);
  expect(new Set(seen.map(String))).toEqual(new Set([...wanted, [retrying, "4"], [taken, "2"]].map(String)));
  expect(seen).toHaveLength(6);
  await expect(engine().workflow.getHandle(webhookDeliveryWorkflowId(waiting)).describe()).rejects.toThrow();
});

test("however many dispatchers look, a subscription has one feed, and each event reaches its receiver once", async () => {
  await work();
  const { receiver, subscriptionId } = await subscribed("OPEN");
  const others = [1, 2].map(() => startDispatcher(engine, createLog("silent")));
  try {
    await happened("OPEN", 60);
    await until(async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length === 60, {
      ...DEADLINE,
      what: "sixty deliveries",
    });
  } finally {
    await Promise.all(others.map((dispatcher) => dispatcher.stop()));
  }
  expect(new Set(receiver.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(60);
  expect(receiver.received).toHaveLength(60);
  const { status } = await engine().workflow.getHandle(webhookFeedWorkflowId(subscriptionId)).describe();
  expect(["RUNNING", "COMPLETED"]).toContain(status.name);
});

test("a receiver that hangs holds its own feed alone, and no more requests than its window", async () => {
  await work();
  const hanging = await subscribed("CLICK", () => ({ hang: true }));
  const healthy = await subscribed("CLICK");
  await happened("CLICK", 40);
  await until(async () => (await statusesOf(healthy.subscriptionId)).filter((status) => status === "DELIVERED").length === 40, {
    ...DEADLINE,
    what: "the healthy receiver's deliveries",
  });
  expect(healthy.receiver.received).toHaveLength(40);
  const underWay = { subscriptionId: hanging.subscriptionId, status: "PENDING", waitsFor: null };
  expect(await scoped(workspaceId).WebhookDelivery.count(underWay)).toBeLessThanOrEqual(4);
  const left = await scoped(workspaceId).WebhookDelivery.count({ waitsFor: hanging.subscriptionId });
  expect(left).toBeGreaterThanOrEqual(36 - hanging.receiver.received.length);
});

test("a delivery that is refused once has a run of its own for attempts 2 to 10, and its feed goes on", async () => {
  await work();
  let refused = "";
  const { receiver, subscriptionId } = await subscribed("REPLIED", ({ headers }) => {
    refused ||= String(headers["x-service-delivery"]);
    return { status: headers["x-service-delivery"] === refused ? 503 : 200 };
  });
  await happened("REPLIED", 10);
  await until(async () => (await statusesOf(subscriptionId)).filter((status) => status === "DELIVERED").length === 9, {
    ...DEADLINE,
    what: "the nine others",
  });
  expect(await scoped(workspaceId).WebhookDelivery.get(refused)).toMatchObject({ status: "RETRYING", attempts: 1 });
  const handle = engine().workflow.getHandle(webhookDeliveryWorkflowId(refused));
  const history = await until(() => handle.fetchHistory().catch(() => null), { ...DEADLINE, what: "its run" });
  const [started] = history?.events ?? [];
  const { input, firstWorkflowTaskBackoff } = started?.workflowExecutionStartedEventAttributes ?? {};
  const [ids] = (input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()));
  expect(ids).toEqual({ v: 1, workspaceId, deliveryId: refused, attempt: 2 });
  expect(Number(firstWorkflowTaskBackoff?.seconds)).toBe(60);
  expect(receiver.received).toHaveLength(10);
});
