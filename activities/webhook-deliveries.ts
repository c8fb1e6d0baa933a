import { ApplicationFailure, Context } from "@temporalio/activity";
import type { Egress } from "../connectors/net/egress.ts";
import { type KeyRing, open } from "../domain/access/seal.ts";
import { type DeliveryEnd, type DeliveryIds, WEBHOOK_DELIVERY, type WebhookEvent } from "../domain/webhook.ts";
import { secretPlace, signingAt } from "../domain/webhook-signature.ts";
import { scoped } from "../models/scoped.ts";
import { bytesOf, type WebhookDelivery } from "../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../models/webhook-subscription.ts";
import { deadLetter, recordAttempt } from "../store/webhooks/deliveries.ts";
import { beating } from "./beat.ts";
import { postToSubscriber } from "./post-event.ts";

export interface DeliveryDependencies {
  egress: Egress;
  keyRing: KeyRing;
  metrics?: { delivered(): void; failed(): void };
  /** Told after each attempt: the window may let another delivery begin. */
  onAttempt?: () => void;
}

export interface DeliveryActivities {
  /** One attempt. Throws DeliveryFailed, retryable, when the receiver did not take it (webhooks.md 2 and 3). */
  postEvent(ids: DeliveryIds): Promise<DeliveryEnd>;
  /** Ends the delivery in the dead-letter queue after its last attempt. */
  bury(ids: DeliveryIds): Promise<void>;
}

export function deliveryActivities({ egress, keyRing, metrics, onAttempt }: DeliveryDependencies): DeliveryActivities {
  async function postEvent(ids: DeliveryIds): Promise<DeliveryEnd> {
    const { WebhookDelivery, WebhookSubscription } = scoped(ids.workspaceId);
    const delivery = await WebhookDelivery.get(ids.deliveryId);
    if (delivery === null || delivery.status === "DEAD_LETTERED") return "dead-lettered";
    if (delivery.status === "DELIVERED") return "delivered"; // its answer was recorded, but not this activity's
    const subscription = await WebhookSubscription.get(delivery.subscriptionId);
    const { attempt: run } = Context.current().info;
    // A run started anew after the engine lost one goes on where the rows say
    const attempt = Math.max(run, delivery.attempts + 1);
    const refusal = refusalOf(subscription, delivery);
    if (subscription === null || refusal !== null || attempt > WEBHOOK_DELIVERY.retry.maximumAttempts) {
      await deadLetter(ids, refusal);
      return "dead-lettered";
    }
    const { ok, failure } = await attemptOf(delivery, subscription, attempt, run);
    if (ok) metrics?.delivered();
    else metrics?.failed();
    onAttempt?.();
    if (ok) return "delivered";
    const nonRetryable = attempt >= WEBHOOK_DELIVERY.retry.maximumAttempts; // this run may have begun later than the schedule
    throw ApplicationFailure.create({ message: `Attempt ${attempt}: ${failure}`, type: "DeliveryFailed", nonRetryable });
  }

  async function attemptOf(delivery: WebhookDelivery, subscription: WebhookSubscription, attempt: number, run: number) {
    const startedAt = new Date();
    const { ok, ...outcome } = await postToSubscriber(egress, {
      url: subscription.url,
      body: bytesOf(delivery),
      event: delivery.event as WebhookEvent, // stored as one of them
      deliveryId: delivery._id,
      ...secretsOf(subscription, startedAt),
      attempt,
      now: startedAt,
      signal: Context.current().cancellationSignal,
    });
    await recordAttempt(delivery, subscription, { ...outcome, attempt, startedAt, ok, run });
    return { ok, failure: outcome.cause ?? `HTTP ${outcome.statusCode}` };
  }

  function secretsOf(subscription: WebhookSubscription, now: Date): { secret: string; nextSecret?: string } {
    const place = secretPlace(subscription.workspaceId, subscription._id);
    const { secret, nextSecret } = signingAt(subscription, now);
    return { secret: open(keyRing, place, secret), ...(nextSecret !== null && { nextSecret: open(keyRing, place, nextSecret) }) };
  }

  return { postEvent, bury: (ids) => beating(() => deadLetter(ids)) };
}

/** Why a delivery may not be tried at all (webhooks.md 7); a TEST asks whether a disabled one would work. */
function refusalOf(subscription: WebhookSubscription | null, { event }: WebhookDelivery): string | null {
  if (subscription === null || subscription.deletedAt !== null) return "SUBSCRIPTION_DELETED";
  return subscription.enabled || event === "TEST" ? null : "SUBSCRIPTION_DISABLED";
}
