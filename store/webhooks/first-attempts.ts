import { MINUTE_MS } from "../../domain/time/durations.ts";
import { MAX_WINDOW } from "../../domain/webhook.ts";
import { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { trusted } from "../../mongo/collection.ts";

/** What the dispatcher needs to start one delivery's workflow. `attempt` is the coming one, 1 to 10. */
export interface DeliveryStart {
  workspaceId: string;
  deliveryId: string;
  event: string;
  subscriptionId: string;
  attempt: number;
}

type Waiting = Pick<WebhookDelivery, "_id" | "workspaceId" | "subscriptionId" | "event" | "host">;

interface InFlight {
  subscriptions: Map<string, number>;
  hosts: Map<string, number>;
}

const everywhere = { acrossWorkspaces: true };
const LATE_MS = MINUTE_MS;

/**
 * Admits deliveries to their first attempt (rules/webhooks 3.1): as many as their subscription's window and their host's limit allow,
 * taking
 * turns between subscriptions, oldest first. Each delivery is returned to exactly one caller, who starts it.
 */
export async function admitDeliveries(limit: number): Promise<DeliveryStart[]> {
  // One index lookup per subscription, however long the queues are
  const waiting: string[] = await WebhookDelivery.distinct("waitsFor", { waitsFor: trusted({ $gt: "" }) }).setOptions(everywhere);
  if (waiting.length === 0) return [];
  const windows = await windowsOf(waiting);
  const queues = await queuesOf(windows, await firstAttemptsInFlight());
  // Counted again after the rows were read: a delivery that another dispatcher admits is then either counted here or among those rows
  const chosen = inTurns(queues, windows, await firstAttemptsInFlight(), limit);
  const ids = chosen.map(({ deliveryId }) => deliveryId);
  if (ids.length === 0) return [];
  const now = new Date();
  const { modifiedCount } = await WebhookDelivery.updateMany(
    { _id: trusted({ $in: ids }), status: "PENDING", waitsFor: trusted({ $ne: null }) },
    { $set: { waitsFor: null, startedAt: now, nextAttemptAt: now } },
  ).setOptions(everywhere);
  if (modifiedCount === ids.length) return chosen;
  // Another dispatcher admitted some of them: `startedAt` shows which are ours, and starting one twice only joins its workflow
  const mine = await WebhookDelivery.find({ _id: trusted({ $in: ids }), startedAt: now }, { _id: 1 })
    .setOptions(everywhere)
    .lean<{ _id: string }[]>();
  const won = new Set(mine.map(({ _id }) => _id));
  return chosen.filter(({ deliveryId }) => won.has(deliveryId));
}

/**
 * Deliveries whose next attempt is more than 60 s late, the most overdue first: their start was lost, or Temporal has forgotten them
 * (rules/sending 11.2). Starting one whose workflow still runs changes nothing.
 */
export async function overdueDeliveries(limit: number): Promise<DeliveryStart[]> {
  const late: Record<string, unknown> = { $type: "date", $lt: new Date(Date.now() - LATE_MS) };
  const rows = await WebhookDelivery.find({ nextAttemptAt: trusted(late) }, { workspaceId: 1, event: 1, subscriptionId: 1, attempts: 1 })
    .setOptions(everywhere)
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

/** How many first attempts each subscription may have. A disabled one gets no requests, so its deliveries may leave the queue at once. */
async function windowsOf(subscriptionIds: string[]): Promise<Map<string, number>> {
  const found = await WebhookSubscription.find({ _id: trusted({ $in: subscriptionIds }) }, { admissionWindow: 1, enabled: 1, deletedAt: 1 })
    .setOptions(everywhere)
    .lean<WebhookSubscription[]>();
  return new Map(
    found.map(({ _id, admissionWindow, enabled, deletedAt }) => [_id, enabled && deletedAt === null ? admissionWindow : MAX_WINDOW]),
  );
}

/** The oldest waiting deliveries of each subscription, as many as it has room for; the queue with the oldest delivery comes first. */
async function queuesOf(windows: Map<string, number>, { subscriptions }: InFlight): Promise<Waiting[][]> {
  const rooms = [...windows].map(([waitsFor, window]) => ({ waitsFor, room: window - countOf(subscriptions, waitsFor) }));
  const queues = await Promise.all(
    rooms
      .filter(({ room }) => room > 0)
      .map(({ waitsFor, room }) =>
        WebhookDelivery.find({ waitsFor }, { workspaceId: 1, subscriptionId: 1, event: 1, host: 1 })
          .setOptions(everywhere)
          .sort({ _id: 1 })
          .limit(room)
          .lean<Waiting[]>(),
      ),
  );
  const ageOf = (queue: Waiting[]) => queue[0]?._id ?? "";
  return queues.sort((one, other) => (ageOf(one) < ageOf(other) ? -1 : 1));
}

async function firstAttemptsInFlight(): Promise<InFlight> {
  const counted = await WebhookDelivery.aggregate<{ _id: { subscriptionId: string; host: string }; count: number }>([
    { $match: { status: "PENDING", startedAt: { $type: "date", $gt: new Date(0) } } },
    { $group: { _id: { subscriptionId: "$subscriptionId", host: "$host" }, count: { $sum: 1 } } },
  ]).option(everywhere as never); // `acrossWorkspaces` is an option of our own
  const inFlight: InFlight = { subscriptions: new Map(), hosts: new Map() };
  for (const { _id, count } of counted) {
    add(inFlight.subscriptions, _id.subscriptionId, count);
    add(inFlight.hosts, _id.host, count);
  }
  return inFlight;
}

/** Takes one delivery of each queue, then a second of each, and so on; deliveries to a full host are left waiting. */
function inTurns(queues: Waiting[][], windows: Map<string, number>, { subscriptions, hosts }: InFlight, limit: number): DeliveryStart[] {
  const chosen: DeliveryStart[] = [];
  for (let turn = 0; turn < MAX_WINDOW; turn++) {
    for (const next of queues.flatMap((queue) => queue[turn] ?? [])) {
      if (chosen.length >= limit) return chosen;
      const { _id: deliveryId, workspaceId, event, subscriptionId, host } = next;
      if (countOf(subscriptions, subscriptionId) >= countOf(windows, subscriptionId) || countOf(hosts, host) >= MAX_WINDOW) continue;
      add(subscriptions, subscriptionId, 1);
      add(hosts, host, 1);
      chosen.push({ workspaceId, deliveryId, event, subscriptionId, attempt: 1 });
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
