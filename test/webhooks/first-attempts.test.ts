import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import type { EventPayload } from "../../domain/outbox.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import { bytesOf } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { newId } from "../../mongo/ids.ts";
import { fanOut, fanOutMany } from "../../store/webhooks/fan-out.ts";
import { admitDeliveries, overdueDeliveries } from "../../store/webhooks/first-attempts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function subscribe(workspaceId: string, fields: Partial<WebhookSubscription> = {}): Promise<WebhookSubscription> {
  const _id = newId("whs");
  const sealedSecret = seal(world.services.keyRing, secretPlace(workspaceId, _id), newSigningSecret(randomBytes(32)));
  return scoped(workspaceId).WebhookSubscription.insert({ _id, url: `https://${_id}.example.com/`, sealedSecret, ...fields });
}

const happening = (event = "SENT"): EventPayload => ({
  event,
  eventId: newId("evt"),
  at: "2026-03-01T10:00:00+01:00",
  data: { recipientId: "rcp_1", email: "ü@x.example", campaignId: "cmp_1" },
});

async function flood(subscription: WebhookSubscription, count: number): Promise<void> {
  await fanOutMany(Array.from({ length: count }, () => ({ workspaceId: subscription.workspaceId, payload: { ...happening() } })));
}

const countOf = async (subscriptionId: string, limit = 1_000) =>
  (await admitDeliveries(limit)).filter((start) => start.subscriptionId === subscriptionId).length;

test("each enabled subscription to the event type gets one delivery, with the bytes that the interface promises", async () => {
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
    expect(delivery).toMatchObject({ status: "PENDING", attempts: 0, startedAt: null, nextAttemptAt: null, eventId: event.eventId });
  }
});

test("an event that is dispatched again, alone or among new ones, adds no delivery", async () => {
  const { workspaceId } = await world.workspace();
  await subscribe(workspaceId);
  const [one, two] = [happening(), happening()];
  expect(await fanOut(workspaceId, one)).toHaveLength(1);
  expect(await fanOut(workspaceId, one)).toEqual([]);
  const rows = [one, two, two].map((payload) => ({ workspaceId, payload: { ...payload } }));
  expect(await fanOutMany(rows)).toHaveLength(1);
  expect(await scoped(workspaceId).WebhookDelivery.count()).toBe(2);
  await admitDeliveries(100);
});

test("an event without a subscriber leaves no delivery", async () => {
  const { workspaceId } = await world.workspace();
  expect(await fanOut(workspaceId, happening())).toEqual([]);
  expect(await fanOutMany([])).toEqual([]);
});

test("a subscription has no more first attempts in flight than its window, oldest first, however many dispatchers ask", async () => {
  const { workspaceId } = await world.workspace();
  const subscription = await subscribe(workspaceId);
  await flood(subscription, 10);
  const oldest = await scoped(workspaceId).WebhookDelivery.find({}, { sort: { _id: 1 }, limit: 4 });
  const rounds = await Promise.all([admitDeliveries(100), admitDeliveries(100), admitDeliveries(100)]);
  expect(new Set(rounds.flat().map(({ deliveryId }) => deliveryId))).toEqual(new Set(oldest.map(({ _id }) => _id)));
  expect(rounds.flat()[0]).toEqual({
    workspaceId,
    deliveryId: oldest[0]?._id,
    subscriptionId: subscription._id,
    event: "SENT",
    attempt: 1,
  });
  expect(await admitDeliveries(100)).toEqual([]);
  await scoped(workspaceId).WebhookDelivery.updateOne({ _id: oldest[0]?._id }, { $set: { status: "RETRYING", attempts: 1 } });
  expect(await countOf(subscription._id)).toBe(1);
});

test("subscriptions take turns, so that a long queue does not make a short one wait", async () => {
  const { workspaceId } = await world.workspace();
  const long = await subscribe(workspaceId, { admissionWindow: 32 });
  await flood(long, 100);
  const short = await subscribe(workspaceId);
  await flood(short, 2);
  const admitted = (await admitDeliveries(6)).map(({ subscriptionId }) => subscriptionId);
  expect(admitted.filter((id) => id === short._id)).toHaveLength(2);
  expect(admitted.filter((id) => id === long._id)).toHaveLength(4);
  expect(await countOf(long._id)).toBe(28);
});

test("a host has at most 32 first attempts in flight, however many subscriptions name it", async () => {
  const { workspaceId } = await world.workspace();
  for (let n = 0; n < 3; n++) await subscribe(workspaceId, { url: `https://one.example.com/${n}`, admissionWindow: 20 });
  await fanOutMany(Array.from({ length: 20 }, () => ({ workspaceId, payload: { ...happening() } })));
  expect(await admitDeliveries(1_000)).toHaveLength(32);
});

test("deliveries that wait for a disabled subscription leave the queue without regard to its window", async () => {
  const { workspaceId } = await world.workspace();
  const subscription = await subscribe(workspaceId, { admissionWindow: 1 });
  await flood(subscription, 5);
  await scoped(workspaceId).WebhookSubscription.updateOne({ _id: subscription._id }, { $set: { enabled: false } });
  expect(await countOf(subscription._id)).toBe(5);
});

test("a started delivery whose next attempt is over a minute late is started again, and one that waits or has ended is not", async () => {
  const { workspaceId } = await world.workspace();
  const { WebhookDelivery } = scoped(workspaceId);
  const subscription = await subscribe(workspaceId, { admissionWindow: 3 });
  await flood(subscription, 4);
  const [late, ended, soon] = await admitDeliveries(100);
  const before = new Date(Date.now() - 61_000);
  await WebhookDelivery.updateOne({ _id: late?.deliveryId }, { $set: { nextAttemptAt: before, status: "RETRYING", attempts: 3 } });
  await WebhookDelivery.updateOne({ _id: ended?.deliveryId }, { $set: { nextAttemptAt: null, status: "DELIVERED" } });
  await WebhookDelivery.updateOne({ _id: soon?.deliveryId }, { $set: { nextAttemptAt: new Date(Date.now() - 50_000) } });
  const overdue = (await overdueDeliveries(1_000)).filter((start) => start.workspaceId === workspaceId);
  expect(overdue).toEqual([{ ...late, attempt: 4 }]);
});
