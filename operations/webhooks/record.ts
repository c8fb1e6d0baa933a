import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { DELIVERY_STATUSES } from "../../domain/states.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import { bytesOf, type WebhookDelivery } from "../../models/webhook-delivery.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const subscription = {
  url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  enabled: z.boolean(),
  disabledReason: nullable(z.string()),
  lastDeliveryAt: optionalTime,
  lastDeliveryStatus: nullable(z.string()),
};

export const Subscription = record(subscription).meta({ id: "WebhookSubscription", description: "An address that is told of events" });
/** Returned where a secret is created, and nowhere else: a replay by idempotency key returns the plain subscription. */
export const SubscriptionWithSecret = record({
  ...subscription,
  signingSecret: z.string().optional().describe("Shown once: the response to a repeated request lacks this field"),
}).meta({ id: "WebhookSubscriptionWithSecret", description: "A subscription with its signing secret, which is shown once" });

const delivery = {
  subscriptionId: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  eventId: z.string(),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int(),
  totalAttempts: z.number().int(),
  nextAttemptAt: optionalTime,
  lastAttemptAt: optionalTime,
  lastStatusCode: nullable(z.number().int()),
  lastError: nullable(z.string()),
  payload: z.record(z.string(), z.unknown()),
  deliveredAt: optionalTime,
  deadLetteredAt: optionalTime,
};

const Attempt = z
  .object({
    attempt: z.number().int(),
    startedAt: time,
    ms: z.number().int(),
    statusCode: nullable(z.number().int()),
    cause: nullable(z.string()),
    bodyExcerpt: nullable(z.string()),
    location: nullable(z.string()),
  })
  .meta({ id: "WebhookAttempt", description: "One attempt to deliver" });

export const Delivery = record(delivery).meta({ id: "WebhookDelivery", description: "One event on its way to one subscription" });
export const DeliveryWithLog = record({ ...delivery, attemptLog: z.array(Attempt) }).meta({
  id: "WebhookDeliveryWithLog",
  description: "A delivery with each attempt",
});

export const webhookId = z.string().max(64);
export const deliveryId = z.string().max(64);

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
