import { MINUTE_MS } from "../../domain/time/durations.ts";
import { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";

/**
 * A subscription for which deliveries wait. `waitingSince` is when the oldest of them was made, in epoch milliseconds.
 */
export interface WaitingFeed {
  workspaceId: string;
  subscriptionId: string;
  waitingSince: number;
}

/**
 * The data that the reconciler needs to start the workflow of a delivery. `attempt` is the next attempt, 1 to 10, or 11
 * when only the end is left.
 */
export interface DeliveryStart {
  workspaceId: string;
  deliveryId: string;
  event: string;
  subscriptionId: string;
  attempt: number;
}

const everywhere = { acrossWorkspaces: true };
const LATE_MS = MINUTE_MS;

/** Every subscription with waiting deliveries. Each costs one index look-up, however many deliveries wait. */
export async function findWaitingFeeds(): Promise<WaitingFeed[]> {
  const found = await WebhookDelivery.aggregate<{ _id: string; workspaceId: string; createdAt: Date }>([
    { $match: { waitsFor: IS_TEXT } },
    { $sort: { waitsFor: 1, _id: 1 } },
    { $group: { _id: "$waitsFor", workspaceId: { $first: "$workspaceId" }, createdAt: { $first: "$createdAt" } } },
  ]).option(everywhere as never); // `acrossWorkspaces` is our own option
  return found.map(({ _id, workspaceId, createdAt }) => ({
    workspaceId,
    subscriptionId: _id,
    waitingSince: createdAt.getTime(),
  }));
}

/** The ids of the subscriptions with waiting deliveries, read from index keys alone. */
export function findWaitingSubscriptions(): Promise<string[]> {
  return WebhookDelivery.distinct("waitsFor", { waitsFor: trusted(IS_TEXT) })
    .setOptions(everywhere)
    .exec();
}

/**
 * Deliveries whose next attempt is more than 60 s late, most overdue first. Their start was lost, their feed died after
 * taking them, or Temporal has lost its data (rules/sending 11.2). Starting a delivery whose workflow still runs
 * changes nothing.
 */
export async function overdueDeliveries(limit: number): Promise<DeliveryStart[]> {
  const late: Record<string, unknown> = { $type: "date", $lt: new Date(Date.now() - LATE_MS) };
  const rows = await WebhookDelivery.find(
    { nextAttemptAt: trusted(late) },
    { workspaceId: 1, event: 1, subscriptionId: 1, attempts: 1 },
  )
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
