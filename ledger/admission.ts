import { MAX_WINDOW } from "../domain/webhook.ts";
import { trusted } from "../models/collection.ts";
import { WebhookDelivery } from "../models/webhook-delivery.ts";

/** What the dispatcher needs to start one delivery's workflow. `attempt` is the one to come, 1 to 10. */
export interface DeliveryStart {
  workspaceId: string;
  deliveryId: string;
  event: string;
  subscriptionId: string;
  attempt: number;
}

interface Waiting {
  _id: string;
  workspaceId: string;
  event: string;
  host: string;
}

interface Queue {
  subscriptionId: string;
  window: number;
  waiting: Waiting[];
}

interface InFlight {
  subscriptions: Map<string, number>;
  hosts: Map<string, number>;
}

const LATE_MS = 60_000;

/**
 * Admits deliveries to their first attempt (webhooks.md 4): as many as the window of their subscription and the limit of
 * their host leave room for, the subscriptions in turns, oldest first. Each is answered to one caller, who starts it.
 */
export async function admitDeliveries(limit: number): Promise<DeliveryStart[]> {
  const queues = await waitingQueues();
  if (queues.length === 0) return [];
  const chosen = inTurns(queues, await firstAttemptsInFlight(), limit);
  const ids = chosen.map(({ deliveryId }) => deliveryId);
  if (ids.length === 0) return [];
  const now = new Date();
  const { modifiedCount } = await WebhookDelivery.updateMany(
    { _id: trusted({ $in: ids }), status: "PENDING", startedAt: null },
    { $set: { startedAt: now, nextAttemptAt: now } },
  ).setOptions({ acrossWorkspaces: true });
  if (modifiedCount === ids.length) return chosen;
  // Another dispatcher was at it: the instant tells whose they are, and starting one twice is joining it
  const mine = await WebhookDelivery.find({ _id: trusted({ $in: ids }), startedAt: now }, { _id: 1 })
    .setOptions({ acrossWorkspaces: true })
    .lean<{ _id: string }[]>();
  const won = new Set(mine.map(({ _id }) => _id));
  return chosen.filter(({ deliveryId }) => won.has(deliveryId));
}

/**
 * Deliveries whose next attempt is more than 60 s late, the latest first: their start was lost, or the engine forgot them
 * (security.md 8.5). Starting one whose workflow still runs changes nothing.
 */
export async function overdueDeliveries(limit: number): Promise<DeliveryStart[]> {
  const late: Record<string, unknown> = { $type: "date", $lt: new Date(Date.now() - LATE_MS) };
  const rows = await WebhookDelivery.find({ nextAttemptAt: trusted(late) }, { workspaceId: 1, event: 1, subscriptionId: 1, attempts: 1 })
    .setOptions({ acrossWorkspaces: true })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean<WebhookDelivery[]>();
  return rows.map(({ _id, workspaceId, event, subscriptionId, attempts }) => ({
    workspaceId,
    deliveryId: _id,
    event,
    subscriptionId,
    attempt: attempts + 1,
  }));
}

/** The oldest waiting deliveries of each subscription that has any. One that is off gets no requests, so its rows may leave at once. */
function waitingQueues(): Promise<Queue[]> {
  const waiting = { status: "PENDING", startedAt: { $type: "null" } };
  const isOn = { $and: ["$subscription.enabled", { $eq: ["$subscription.deletedAt", null] }] };
  return WebhookDelivery.aggregate<Queue>([
    { $match: waiting },
    { $sort: { subscriptionId: 1, _id: 1 } },
    { $group: { _id: "$subscriptionId", oldest: { $first: "$_id" } } },
    { $lookup: { from: "webhook_subscriptions", localField: "_id", foreignField: "_id", as: "subscription" } },
    { $unwind: "$subscription" },
    {
      $lookup: {
        from: "webhook_deliveries",
        localField: "_id",
        foreignField: "subscriptionId",
        pipeline: [{ $match: waiting }, { $sort: { _id: 1 } }, { $limit: MAX_WINDOW }, { $project: { workspaceId: 1, event: 1, host: 1 } }],
        as: "waiting",
      },
    },
    { $sort: { oldest: 1 } },
    {
      $project: {
        _id: 0,
        subscriptionId: "$_id",
        window: { $cond: [isOn, "$subscription.admissionWindow", MAX_WINDOW] },
        waiting: 1,
      },
    },
  ]).option({ acrossWorkspaces: true } as never); // an option of our own
}

async function firstAttemptsInFlight(): Promise<InFlight> {
  const counted = await WebhookDelivery.aggregate<{ _id: { subscriptionId: string; host: string }; count: number }>([
    { $match: { status: "PENDING", startedAt: { $gt: new Date(0) } } },
    { $group: { _id: { subscriptionId: "$subscriptionId", host: "$host" }, count: { $sum: 1 } } },
  ]).option({ acrossWorkspaces: true } as never);
  const inFlight: InFlight = { subscriptions: new Map(), hosts: new Map() };
  for (const { _id, count } of counted) {
    add(inFlight.subscriptions, _id.subscriptionId, count);
    add(inFlight.hosts, _id.host, count);
  }
  return inFlight;
}

/** One of each subscription, then a second of each, and so on; a host that is full keeps the rest of its queue waiting. */
function inTurns(queues: Queue[], inFlight: InFlight, limit: number): DeliveryStart[] {
  const chosen: DeliveryStart[] = [];
  for (let turn = 0; turn < MAX_WINDOW; turn++) {
    for (const { subscriptionId, window, waiting } of queues) {
      const next = waiting[turn];
      if (next === undefined || chosen.length >= limit) continue;
      const isFull = countOf(inFlight.subscriptions, subscriptionId) >= window || countOf(inFlight.hosts, next.host) >= MAX_WINDOW;
      if (isFull) continue;
      add(inFlight.subscriptions, subscriptionId, 1);
      add(inFlight.hosts, next.host, 1);
      chosen.push({ workspaceId: next.workspaceId, deliveryId: next._id, event: next.event, subscriptionId, attempt: 1 });
    }
  }
  return chosen;
}

function countOf(counts: Map<string, number>, key: string): number {
  return counts.get(key) ?? 0;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, countOf(counts, key) + count);
}
