import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import type { EventPayload } from "../../domain/outbox.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import { bytesOf, WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOut, fanOutMany } from "../../store/webhooks/fan-out.ts";
import { findWaiting, recordFirstAttempts, refuseWaiting, takeWaiting } from "../../store/webhooks/feed.ts";
import { findWaitingFeeds, overdueDeliveries } from "../../store/webhooks/first-attempts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function subscribe(workspaceId: string, fields: Partial<WebhookSubscription> = {}): Promise<WebhookSubscription> {
  const _id = newId("whs");
  const sealedSecret = seal(world.services.keyRing, secretPlace(workspaceId, _id), newSigningSecret(randomBytes(32)));
  return scoped(workspaceId).WebhookSubscription.insert({
    _id,
    url: `https://${_id}.example.com/`,
    sealedSecret,
    ...fields,
  });
}

const happening = (event = "SENT"): EventPayload => ({
  event,
  eventId: newId("evt"),
  at: "2026-03-01T10:00:00+01:00",
  data: { recipientId: "rcp_1", email: "ü@x.example", campaignId: "cmp_1" },
});

async function flood({ workspaceId }: WebhookSubscription, count: number): Promise<string[]> {
  return fanOutMany(Array.from({ length: count }, () => ({ workspaceId, payload: { ...happening() } })));
}

test("an event creates one delivery, with the documented bytes, for each enabled subscription to its type", async () => {
  const { workspaceId } = await world.workspace();
  const all = await subscribe(workspaceId);
  const sent = await subscribe(workspaceId, { events: ["OPEN", "SENT"] });
  await subscribe(workspaceId, { events: ["OPEN"] });
  await subscribe(workspaceId, { enabled: false });
  await subscribe(workspaceId, { deletedAt: new Date() });
  await subscribe((await world.workspace()).workspaceId);
  const event = happening();
  const ids = await fanOut(workspaceId, event);
  const stored = await scoped(workspaceId).WebhookDelivery.find({}, { sort: { _id: 1 } });
  expect(stored.map(({ _id }) => _id)).toEqual(ids);
  expect(new Set(stored.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set([all._id, sent._id]));
  for (const delivery of stored) {
    expect(bytesOf(delivery).toString()).toBe(
      '{"event":"SENT","data":{"recipientId":"rcp_1","email":"ü@x.example","campaignId":"cmp_1"},"timestamp":"2026-03-01T09:00:00.000Z"}',
    );
    expect(delivery).toMatchObject({
      status: "PENDING",
      attempts: 0,
      startedAt: null,
      nextAttemptAt: null,
      eventId: event.eventId,
    });
  }
});

test("dispatching an event again, alone or among new events, adds no delivery", async () => {
  const { workspaceId } = await world.workspace();
  await subscribe(workspaceId);
  const [one, two] = [happening(), happening()];
  expect(await fanOut(workspaceId, one)).toHaveLength(1);
  expect(await fanOut(workspaceId, one)).toEqual([]);
  const rows = [one, two, two].map((payload) => ({ workspaceId, payload: { ...payload } }));
  expect(await fanOutMany(rows)).toHaveLength(1);
  expect(await scoped(workspaceId).WebhookDelivery.count()).toBe(2);
});

test("an event without a subscriber creates no delivery", async () => {
  const { workspaceId } = await world.workspace();
  expect(await fanOut(workspaceId, happening())).toEqual([]);
  expect(await fanOutMany([])).toEqual([]);
});

test("each subscription with waiting deliveries is found once, with the time of its oldest delivery", async () => {
  const { workspaceId } = await world.workspace();
  const [one, two, idle] = [
    await subscribe(workspaceId),
    await subscribe(workspaceId),
    await subscribe(workspaceId, { events: ["OPEN"] }),
  ];
  await flood(one, 3);
  const own = (await findWaitingFeeds()).filter((feed) => feed.workspaceId === workspaceId);
  expect(new Set(own.map(({ subscriptionId }) => subscriptionId))).toEqual(new Set([one._id, two._id]));
  const [oldest] = await scoped(workspaceId).WebhookDelivery.find(
    { subscriptionId: one._id },
    { sort: { _id: 1 }, limit: 1 },
  );
  expect(own.find(({ subscriptionId }) => subscriptionId === one._id)?.waitingSince).toBe(oldest?.createdAt.getTime());
  expect(await findWaiting(workspaceId, idle._id, 10)).toEqual([]);
});

test("finding feeds with waiting deliveries reads one index key per subscription, whatever the length of the queues", async () => {
  const { workspaceId } = await world.workspace();
  await flood(await subscribe(workspaceId), 200);
  const plan = await WebhookDelivery.collection
    .aggregate([
      { $match: { waitsFor: { $gt: "" } } },
      { $sort: { waitsFor: 1, _id: 1 } },
      { $group: { _id: "$waitsFor", workspaceId: { $first: "$workspaceId" }, createdAt: { $first: "$createdAt" } } },
    ])
    .explain("queryPlanner");
  expect(JSON.stringify(plan)).toContain("DISTINCT_SCAN");
});

test("the oldest deliveries are taken first, and concurrent callers never take the same delivery", async () => {
  const { workspaceId } = await world.workspace();
  const subscription = await subscribe(workspaceId);
  const made = await flood(subscription, 20);
  const waiting = await findWaiting(workspaceId, subscription._id, 12);
  expect(waiting.map(({ _id }) => _id)).toEqual(made.slice(0, 12));
  const callers = ["a", "b", "c", "d"];
  const taken = await Promise.all(callers.map((token, n) => takeWaiting(waiting.slice(n), subscription._id, token)));
  const all = taken.flat().map(({ _id }) => _id);
  expect(all.toSorted()).toEqual(made.slice(0, 12));
  const stored = await scoped(workspaceId).WebhookDelivery.find(
    { takenBy: trusted({ $ne: null }) },
    { sort: { _id: 1 } },
  );
  const owners = new Map(taken.flatMap((rows, n) => rows.map(({ _id }) => [_id, callers[n]] as const)));
  expect(stored.map(({ _id, takenBy }) => [_id, takenBy])).toEqual(made.slice(0, 12).map((id) => [id, owners.get(id)]));
  for (const row of stored)
    expect(row).toMatchObject({ status: "PENDING", attempts: 1, totalAttempts: 1, waitsFor: null });
});

test("a feed that records late changes neither a delivery whose run has tried again nor a requeued delivery", async () => {
  const { workspaceId } = await world.workspace();
  const subscription = await subscribe(workspaceId);
  await flood(subscription, 3);
  const { WebhookDelivery } = scoped(workspaceId);
  const rows = await findWaiting(workspaceId, subscription._id, 3);
  await takeWaiting(rows, subscription._id, "dead");
  const [tried, requeued, own] = rows.map(({ _id }) => _id);
  await WebhookDelivery.updateOne({ _id: tried }, { $set: { status: "RETRYING", attempts: 4, lastError: "HTTP_503" } });
  await WebhookDelivery.updateOne({ _id: requeued }, { $set: { waitsFor: subscription._id, attempts: 0 } });
  const before = await WebhookDelivery.find({ _id: trusted({ $in: [tried, requeued] }) });
  const outcome = {
    attempt: 1,
    startedAt: new Date(),
    ms: 5,
    statusCode: 500,
    cause: null,
    bodyExcerpt: "",
    location: null,
    ok: false,
  };
  const attempts = rows.map(({ _id, event }) => ({ ...outcome, deliveryId: _id, event }));
  const { failed } = await recordFirstAttempts(subscription, "dead", attempts);
  expect(failed.map(({ deliveryId }) => deliveryId)).toEqual([own]);
  expect(await WebhookDelivery.find({ _id: trusted({ $in: [tried, requeued] }) })).toEqual(before);
  expect(await WebhookDelivery.get(own ?? "")).toMatchObject({
    status: "RETRYING",
    attempts: 1,
    lastError: "HTTP_500",
  });
  expect((await recordFirstAttempts(subscription, "another", attempts)).failed).toEqual([]);
});

test("a delivery taken by a feed is not refused afterwards, and a refused delivery is not taken", async () => {
  const { workspaceId } = await world.workspace();
  const subscription = await subscribe(workspaceId);
  await flood(subscription, 10);
  const rows = await findWaiting(workspaceId, subscription._id, 10);
  await takeWaiting(rows.slice(0, 4), subscription._id, "a");
  await refuseWaiting(rows, subscription._id, "SUBSCRIPTION_DISABLED");
  expect(await takeWaiting(rows, subscription._id, "b")).toEqual([]);
  const { WebhookDelivery } = scoped(workspaceId);
  expect(await WebhookDelivery.count({ status: "PENDING", attempts: 1 })).toBe(4);
  const refused = { status: "DEAD_LETTERED", lastError: "SUBSCRIPTION_DISABLED", attempts: 0, totalAttempts: 0 };
  expect(await WebhookDelivery.count(refused)).toBe(6);
});

test("a delivery over a minute overdue is returned with its next attempt number; ended, waiting and less overdue deliveries are not", async () => {
  const { workspaceId } = await world.workspace();
  const { WebhookDelivery } = scoped(workspaceId);
  const subscription = await subscribe(workspaceId);
  await flood(subscription, 5);
  const [late, dead, ended, soon] = await takeWaiting(
    await findWaiting(workspaceId, subscription._id, 4),
    subscription._id,
    "a",
  );
  const before = new Date(Date.now() - 61_000);
  await WebhookDelivery.updateOne(
    { _id: late?._id },
    { $set: { nextAttemptAt: before, status: "RETRYING", attempts: 3 } },
  );
  await WebhookDelivery.updateOne({ _id: dead?._id }, { $set: { nextAttemptAt: new Date(before.getTime() + 1) } });
  await WebhookDelivery.updateOne({ _id: ended?._id }, { $set: { nextAttemptAt: null, status: "DELIVERED" } });
  await WebhookDelivery.updateOne({ _id: soon?._id }, { $set: { nextAttemptAt: new Date(Date.now() - 10_000) } });
  const overdue = (await overdueDeliveries(1_000)).filter((start) => start.workspaceId === workspaceId);
  const about = { workspaceId, event: "SENT", subscriptionId: subscription._id };
  expect(overdue).toEqual([
    { ...about, deliveryId: late?._id, attempt: 4 },
    { ...about, deliveryId: dead?._id, attempt: 2 },
  ]);
});
