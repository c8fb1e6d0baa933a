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
  url: z.string().describe("Where events are posted"),
  events: z.array(z.enum(WEBHOOK_EVENTS)).describe("The events that it receives; none: all"),
  enabled: z.boolean().describe("Whether it receives events"),
  disabledReason: nullable(z.string()).describe("Why the service switched it off: GONE or FAILING"),
  lastDeliveryAt: optionalTime.describe("When it was last posted to"),
  lastDeliveryStatus: nullable(z.string()).describe("How that went"),
};

export const Subscription = record(subscription).meta({
  id: "WebhookSubscription",
  description: "A URL that receives events",
});
/** Returned where a secret is created, and nowhere else: a replay by idempotency key returns the plain subscription. */
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
  eventId: z.string().describe("The event; the same for every subscription"),
  status: z.enum(DELIVERY_STATUSES).describe("Its status"),
  attempts: z.number().int().describe("Attempts since it was made or requeued"),
  totalAttempts: z.number().int().describe("Attempts in all"),
  nextAttemptAt: optionalTime.describe("When the next one is due"),
  lastAttemptAt: optionalTime.describe("When the last one was"),
  lastStatusCode: nullable(z.number().int()).describe("The HTTP status of the response"),
  lastError: nullable(z.string()).describe("Why no response came; null when one came"),
  payload: z.record(z.string(), z.unknown()).describe("The body: `event`, `data` and `timestamp`"),
  deliveredAt: optionalTime.describe("When it succeeded"),
  deadLetteredAt: optionalTime.describe("When it was given up"),
};

const Attempt = z
  .object({
    attempt: z.number().int().describe("Which attempt this was, from 1"),
    startedAt: time.describe("When it was made"),
    ms: z.number().int().describe("How long it took, in milliseconds"),
    statusCode: nullable(z.number().int()).describe("The HTTP status of the response"),
    cause: nullable(z.string()).describe("Why no response came; null when one came"),
    bodyExcerpt: nullable(z.string()).describe("The beginning of the answer"),
    location: nullable(z.string()).describe("Where a redirect led; none is followed"),
  })
  .meta({ id: "WebhookAttempt", description: "One attempt to deliver" });

export const Delivery = record(delivery).meta({
  id: "WebhookDelivery",
  description: "One event on its way to one subscription",
});
export const DeliveryWithLog = record({
  ...delivery,
  attemptLog: z.array(Attempt).describe("Its attempts of 30 days"),
}).meta({
  id: "WebhookDeliveryWithLog",
  description: "A delivery with each attempt",
});

export const webhookId = describedIds.webhookId;
export const deliveryId = describedIds.deliveryId;

/** The stored delivery with its parsed body as `payload`. */
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
