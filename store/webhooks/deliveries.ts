import { type DeliveryIds, FAILING_AFTER, gapAfter, nextWindow, WEBHOOK_DELIVERY } from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import type { DeliveryAttempt, WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { trusted } from "../../mongo/collection.ts";

const UNDELIVERED = ["PENDING", "RETRYING"];
const KEPT_ATTEMPTS = 100;
const GONE = 410;

/**
 * Records one attempt and all its consequences. `run` counts the attempts of the workflow's activity, whose retry
 * policy determines the gaps.
 */
export async function recordAttempt(
  delivery: WebhookDelivery,
  subscription: WebhookSubscription,
  attempt: DeliveryAttempt & { ok: boolean; run: number },
): Promise<void> {
  await Promise.all([recordOnDelivery(delivery, attempt), recordOnSubscription(subscription, [attempt])]);
}

/**
 * Moves a delivery to the dead-letter queue. `reason` is set when the cause is not a failed attempt. A delivery that
 * has already ended does not change. If the last response was 410, the subscription is disabled (rules/webhooks 6.1).
 */
export async function deadLetter(
  { workspaceId, deliveryId }: DeliveryIds,
  reason: string | null = null,
): Promise<void> {
  const { WebhookDelivery, WebhookSubscription } = scoped(workspaceId);
  const buried = await WebhookDelivery.findOneAndUpdate(
    { _id: deliveryId, status: trusted({ $in: UNDELIVERED }) },
    { $set: deadLetterSet(reason) },
  );
  if (buried === null || reason !== null || buried.lastStatusCode !== GONE) return;
  await WebhookSubscription.updateOne(
    { _id: buried.subscriptionId, enabled: true },
    { $set: { enabled: false, disabledReason: "GONE" } },
  );
}

/** The fields that change when a delivery is given up. */
export function deadLetterSet(reason: string | null): Partial<WebhookDelivery> {
  return {
    status: "DEAD_LETTERED",
    deadLetteredAt: new Date(),
    nextAttemptAt: null,
    waitsFor: null,
    ...(reason !== null && { lastError: reason }),
  };
}

/**
 * The fields of a delivery after an attempt that ended at `now`, in epoch milliseconds. `run` is the number of the
 * attempt within the retry schedule.
 */
export function attemptFacts(
  { ok, run, attempt, statusCode, cause, startedAt }: DeliveryAttempt & { ok: boolean; run: number },
  now: number,
): Partial<WebhookDelivery> {
  const isLast = attempt >= WEBHOOK_DELIVERY.retry.maximumAttempts;
  const end: Partial<WebhookDelivery> = ok
    ? { status: "DELIVERED", deliveredAt: new Date(now), nextAttemptAt: null }
    : // after the last attempt, only the move to the dead-letter queue is due
      { status: "RETRYING", nextAttemptAt: new Date(isLast ? now : now + gapAfter(run)) };
  return {
    ...end,
    attempts: attempt,
    waitsFor: null,
    lastAttemptAt: startedAt,
    lastStatusCode: statusCode,
    lastError: ok ? null : (cause ?? `HTTP_${statusCode}`),
  };
}

async function recordOnDelivery(
  delivery: WebhookDelivery,
  { ok, run, ...attempt }: DeliveryAttempt & { ok: boolean; run: number },
): Promise<void> {
  await scoped(delivery.workspaceId).WebhookDelivery.updateOne(
    { _id: delivery._id, status: trusted({ $in: UNDELIVERED }) },
    {
      $set: attemptFacts({ ...attempt, ok, run }, Date.now()),
      $inc: { totalAttempts: 1 },
      $push: { attemptLog: { $each: [attempt], $slice: -KEPT_ATTEMPTS } },
    },
  );
}

/**
 * Updates the window and the failure times of a subscription after attempts. The write succeeds only if neither has
 * changed since it was read; otherwise it is repeated. Concurrent attempts are therefore all counted. `attempts` are in
 * the order in which they ended. Returns the subscription after the write; null when it does not exist.
 */
export async function recordOnSubscription(
  seen: WebhookSubscription,
  attempts: readonly { ok: boolean; startedAt: Date }[],
): Promise<WebhookSubscription | null> {
  const { WebhookSubscription } = scoped(seen.workspaceId);
  for (
    let current: WebhookSubscription | null = seen;
    current !== null;
    current = await WebhookSubscription.get(seen._id)
  ) {
    const subscription: WebhookSubscription = current;
    const { _id, admissionWindow, failuresInRow, failedAttempts } = subscription;
    const change: Partial<WebhookSubscription> = {};
    for (const attempt of attempts) Object.assign(change, after({ ...subscription, ...change }, attempt));
    if (
      (await WebhookSubscription.updateOne({ _id, admissionWindow, failuresInRow, failedAttempts }, { $set: change })) >
      0
    ) {
      return { ...subscription, ...change };
    }
  }
  return null;
}

function after(
  subscription: WebhookSubscription,
  { ok, startedAt: at }: { ok: boolean; startedAt: Date },
): Partial<WebhookSubscription> {
  const last = { lastDeliveryAt: at, lastDeliveryStatus: ok ? "DELIVERED" : "FAILED" };
  const { admissionWindow, failuresInRow, failingSince, enabled } = subscription;
  const next = nextWindow(admissionWindow, failuresInRow, ok ? "success" : "failure");
  const window = { ...last, admissionWindow: next.window, failuresInRow: next.failuresInRow };
  if (ok) return { ...window, failingSince: null, failedAttempts: 0 };
  const since = failingSince ?? at;
  const failedAttempts = subscription.failedAttempts + 1;
  const isFailing =
    enabled && at.getTime() - since.getTime() >= FAILING_AFTER.ms && failedAttempts >= FAILING_AFTER.attempts;
  return {
    ...window,
    failingSince: since,
    failedAttempts,
    ...(isFailing && { enabled: false, disabledReason: "FAILING" }),
  };
}
