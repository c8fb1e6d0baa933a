import { gapAfter } from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import type { DeliveryAttempt, WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { trusted } from "../../mongo/collection.ts";
import { attemptFacts, deadLetterSet, recordOnSubscription } from "./deliveries.ts";

/** The fields of a delivery that a first attempt needs. */
export type WaitingDelivery = Pick<WebhookDelivery, "_id" | "workspaceId" | "event" | "body">;

export type FirstAttempt = DeliveryAttempt & { deliveryId: string; event: string; ok: boolean };

const BY_AGE = "waitsFor_1__id_1";

/** The oldest deliveries that wait for the feed of a subscription. */
export function findWaiting(workspaceId: string, subscriptionId: string, limit: number): Promise<WaitingDelivery[]> {
  const select = { workspaceId: 1, event: 1, body: 1 } as const;
  return scoped(workspaceId).WebhookDelivery.read(
    { waitsFor: subscriptionId },
    { select, sort: { _id: 1 }, limit, hint: BY_AGE },
  );
}

/**
 * Takes waiting deliveries for their first attempt, which counts from here on even if it is never recorded. Each
 * delivery is returned to one caller only. `token` distinguishes the caller's deliveries from those that another caller
 * took at the same time.
 */
export async function takeWaiting<T extends WaitingDelivery>(
  rows: readonly T[],
  subscriptionId: string,
  token: string,
): Promise<T[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { WebhookDelivery } = scoped(first.workspaceId);
  const ids = trusted({ $in: rows.map(({ _id }) => _id) });
  const now = Date.now();
  const taken = {
    waitsFor: null,
    takenBy: token,
    startedAt: new Date(now),
    attempts: 1,
    nextAttemptAt: new Date(now + gapAfter(1)),
  };
  const changed = await WebhookDelivery.updateMany(
    { _id: ids, waitsFor: subscriptionId, status: "PENDING" },
    { $set: taken, $inc: { totalAttempts: 1 } },
  );
  if (changed === rows.length) return [...rows];
  const mine = new Set(
    (await WebhookDelivery.find({ _id: ids, takenBy: token }, { select: { _id: 1 } })).map(({ _id }) => _id),
  );
  return rows.filter(({ _id }) => mine.has(_id));
}

/** Moves waiting deliveries to the dead-letter queue without an attempt. */
export async function refuseWaiting(
  rows: readonly WaitingDelivery[],
  subscriptionId: string,
  reason: string,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  await scoped(first.workspaceId).WebhookDelivery.updateMany(
    { _id: trusted({ $in: rows.map(({ _id }) => _id) }), waitsFor: subscriptionId, status: "PENDING" },
    { $set: deadLetterSet(reason) },
  );
}

/**
 * Records first attempts in one command, and their consequences for the subscription. Returns the subscription after
 * that, and the failed attempts for which the caller must start the delivery's workflow. A delivery that the caller no
 * longer owns does not change, because its workflow has continued without this attempt.
 */
export async function recordFirstAttempts(
  seen: WebhookSubscription,
  token: string,
  attempts: readonly FirstAttempt[],
): Promise<{ subscription: WebhookSubscription | null; failed: FirstAttempt[] }> {
  const { WebhookDelivery } = scoped(seen.workspaceId);
  const now = Date.now();
  const statements = attempts.map(({ deliveryId, event: _event, ok, ...attempt }) => ({
    filter: { _id: deliveryId, status: "PENDING", takenBy: token, waitsFor: null },
    change: {
      $set: { ...attemptFacts({ ...attempt, ok, run: 1 }, now), updatedAt: new Date(now) },
      $push: { attemptLog: attempt },
    },
  }));
  const [areAllMine, subscription] = await Promise.all([
    WebhookDelivery.wroteAll(statements),
    recordOnSubscription(seen, attempts),
  ]);
  const failed = attempts.filter(({ ok }) => !ok);
  if (areAllMine || failed.length === 0) return { subscription, failed };
  const ids = trusted({ $in: failed.map(({ deliveryId }) => deliveryId) });
  const recorded = await WebhookDelivery.find(
    { _id: ids, takenBy: token, status: "RETRYING", attempts: 1 },
    { select: { _id: 1 } },
  );
  const mine = new Set(recorded.map(({ _id }) => _id));
  return { subscription, failed: failed.filter(({ deliveryId }) => mine.has(deliveryId)) };
}
