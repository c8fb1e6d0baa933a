import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { DELIVERY_STATUSES } from "../../domain/states.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import { bytesOf, type WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const { subscriptionId } = describedIds;

const subscription = {
  url: z.string().describe("The URL that events are posted to"),
  events: z.array(z.enum(WEBHOOK_EVENTS)).describe("The events to deliver; empty: all"),
  enabled: z.boolean().describe("Whether events are delivered"),
  disabledReason: nullable(z.string()).describe("Why the service disabled the subscription: GONE or FAILING"),
  lastDeliveryAt: optionalTime.describe("When an event was last posted"),
  lastDeliveryStatus: nullable(z.string()).describe("The result of the last post"),
};

export const Subscription = record(subscription).meta({
  id: "WebhookSubscription",
  description: "A URL that receives events",
});
/**
 * The response that creates a secret. All other responses, including replays by idempotency key, return the plain
 * subscription.
 */
export const SubscriptionWithSecret = record({
  ...subscription,
  signingSecret: z.string().optional().describe("Shown once: the response to a repeated request lacks this field"),
}).meta({
  id: "WebhookSubscriptionWithSecret",
  description: "A subscription with its signing secret, which is shown once",
});

const delivery = {
  subscriptionId,
  event: z.enum(WEBHOOK_EVENTS).describe("The type of the event"),
  eventId: z.string().describe("The id of the event; the same for every subscription"),
  status: z.enum(DELIVERY_STATUSES).describe("The status of the delivery"),
  attempts: z.number().int().describe("Attempts since it was created or requeued"),
  totalAttempts: z.number().int().describe("All attempts"),
  nextAttemptAt: optionalTime.describe("When the next attempt is due"),
  lastAttemptAt: optionalTime.describe("When the last attempt was"),
  lastStatusCode: nullable(z.number().int()).describe("The HTTP status of the response"),
  lastError: nullable(z.string()).describe("Why no response came; null when one came"),
  payload: z.record(z.string(), z.unknown()).describe("The body: `event`, `data` and `timestamp`"),
  deliveredAt: optionalTime.describe("When the delivery succeeded"),
  deadLetteredAt: optionalTime.describe("When the delivery was dead-lettered"),
};

const Attempt = z
  .object({
    attempt: z.number().int().describe("The number of the attempt, from 1"),
    startedAt: time.describe("When the attempt started"),
    ms: z.number().int().describe("The duration in milliseconds"),
    statusCode: nullable(z.number().int()).describe("The HTTP status of the response"),
    cause: nullable(z.string()).describe("Why no response came; null when one came"),
    bodyExcerpt: nullable(z.string()).describe("The start of the response body"),
    location: nullable(z.string()).describe("The target of a redirect; redirects are not followed"),
  })
  .meta({ id: "WebhookAttempt", description: "One attempt to deliver" });

export const Delivery = record(delivery).meta({
  id: "WebhookDelivery",
  description: "The delivery of one event to one subscription",
});
export const DeliveryWithLog = record({
  ...delivery,
  attemptLog: z.array(Attempt).describe("The attempts of the last 30 days"),
}).meta({
  id: "WebhookDeliveryWithLog",
  description: "A delivery with each attempt",
});

export const webhookId = describedIds.webhookId;
export const deliveryId = describedIds.deliveryId;

/** A stored delivery, with its parsed body as `payload`. */
export function withPayload(stored: WebhookDelivery) {
  return { ...stored, payload: JSON.parse(bytesOf(stored).toString()) };
}

/** @throws WEBHOOK_NOT_FOUND, also for a deleted subscription */
export async function subscriptionOf(workspaceId: string, id: string): Promise<WebhookSubscription> {
  const found = await scoped(workspaceId).WebhookSubscription.findOne({ _id: id, deletedAt: null });
  if (found === null) throw new AppError("WEBHOOK_NOT_FOUND", "No webhook subscription has this id");
  return found;
}

/** @throws DELIVERY_NOT_FOUND */
export async function deliveryOf(workspaceId: string, id: string): Promise<WebhookDelivery> {
  const found = await scoped(workspaceId).WebhookDelivery.get(id);
  if (found === null) throw new AppError("DELIVERY_NOT_FOUND", "No webhook delivery has this id");
  return found;
}
