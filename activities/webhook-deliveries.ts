import { ApplicationFailure, Context } from "@temporalio/activity";
import type { Egress } from "../connectors/net/egress.ts";
import { type KeyRing, open } from "../domain/access/seal.ts";
import { type DeliveryEnd, type DeliveryIds, WEBHOOK_DELIVERY, type WebhookEvent } from "../domain/webhook.ts";
import { secretPlace, signingAt } from "../domain/webhook-signature.ts";
import { scoped } from "../models/scoped.ts";
import { bytesOf, type WebhookDelivery } from "../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../models/webhook-subscription.ts";
import { deadLetter, recordAttempt } from "../store/webhooks/deliveries.ts";
import { withHeartbeat } from "./beat.ts";
import { postToSubscriber } from "./post-event.ts";

export interface DeliveryDependencies {
  egress: Egress;
  keyRing: KeyRing;
}

export interface DeliveryActivities {
  /**
   * Makes one attempt of a delivery whose first attempt failed, or that is older than the feed. Throws a retryable
   * DeliveryFailed when the receiver did not accept it (rules/webhooks 1.2, 2.1).
   */
  postEvent(ids: DeliveryIds): Promise<DeliveryEnd>;
  /** Moves the delivery to the dead-letter queue after its last attempt. */
  bury(ids: DeliveryIds): Promise<void>;
}

export function deliveryActivities({ egress, keyRing }: DeliveryDependencies): DeliveryActivities {
  async function postEvent(ids: DeliveryIds): Promise<DeliveryEnd> {
    const { WebhookDelivery, WebhookSubscription } = scoped(ids.workspaceId);
    const delivery = await WebhookDelivery.get(ids.deliveryId);
    if (delivery === null || delivery.status === "DEAD_LETTERED") return "dead-lettered";
    if (delivery.status === "DELIVERED") return "delivered"; // it was recorded, but the activity's result was lost
    if (delivery.waitsFor !== null) return "waiting";
    const subscription = await WebhookSubscription.get(delivery.subscriptionId);
    const run = (ids.attempt ?? 1) - 1 + Context.current().info.attempt;
    // If Temporal lost a workflow, the new one continues with the number of attempts stored in the delivery
    const attempt = Math.max(run, delivery.attempts + 1);
    const refusal = refusalOf(subscription, delivery);
    if (subscription === null || refusal !== null || attempt > WEBHOOK_DELIVERY.retry.maximumAttempts) {
      await deadLetter(ids, refusal);
      return "dead-lettered";
    }
    const { ok, failure } = await attemptOf(delivery, subscription, attempt, run);
    if (ok) return "delivered";
    const nonRetryable = attempt >= WEBHOOK_DELIVERY.retry.maximumAttempts; // a late run counts fewer attempts
    throw ApplicationFailure.create({
      message: `Attempt ${attempt}: ${failure}`,
      type: "DeliveryFailed",
      nonRetryable,
    });
  }

  async function attemptOf(delivery: WebhookDelivery, subscription: WebhookSubscription, attempt: number, run: number) {
    const startedAt = new Date();
    const { ok, ...outcome } = await postToSubscriber(egress, {
      url: subscription.url,
      body: bytesOf(delivery),
      event: delivery.event as WebhookEvent, // only known events are stored
      deliveryId: delivery._id,
      ...secretsOf(keyRing, subscription, startedAt),
      attempt,
      now: startedAt,
      signal: Context.current().cancellationSignal,
    });
    await recordAttempt(delivery, subscription, { ...outcome, attempt, startedAt, ok, run });
    return { ok, failure: outcome.cause ?? `HTTP ${outcome.statusCode}` };
  }

  return { postEvent, bury: (ids) => withHeartbeat(() => deadLetter(ids)) };
}

/** The secrets that sign deliveries at this time, decrypted. */
export function secretsOf(
  keyRing: KeyRing,
  subscription: WebhookSubscription,
  now: Date,
): { secret: string; nextSecret?: string } {
  const place = secretPlace(subscription.workspaceId, subscription._id);
  const { secret, nextSecret } = signingAt(subscription, now);
  return {
    secret: open(keyRing, place, secret),
    ...(nextSecret !== null && { nextSecret: open(keyRing, place, nextSecret) }),
  };
}

/**
 * Why a delivery must not be sent; null if it may (rules/webhooks 6.2). A TEST is sent even to a disabled subscription,
 * to show whether the receiver would accept deliveries.
 */
export function refusalOf(
  subscription: WebhookSubscription | null,
  { event }: Pick<WebhookDelivery, "event">,
): string | null {
  if (subscription === null || subscription.deletedAt !== null) return "SUBSCRIPTION_DELETED";
  return subscription.enabled || event === "TEST" ? null : "SUBSCRIPTION_DISABLED";
}
