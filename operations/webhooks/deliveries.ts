import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { DELIVERY_STATUSES } from "../../domain/states.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookDelivery } from "../../models/webhook-delivery.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { bodyOf, newDelivery } from "../../store/webhooks/fan-out.ts";
import { commaSeparated, instant, type Paging, pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { Delivery, DeliveryWithLog, deliveryId, deliveryOf, subscriptionOf, webhookId, withPayload } from "./record.ts";

const sorted = { ...paging, sort: BY_CREATION.sort };
const events = commaSeparated(WEBHOOK_EVENTS);

export const list = operation({
  summary: "List the webhook deliveries, newest first",
  scope: "webhooks:read",
  input: z.strictObject({
    ...sorted,
    subscriptionId: webhookId.optional(),
    event: events.optional().describe("Only deliveries of these events"),
    status: commaSeparated(DELIVERY_STATUSES).optional().describe("Only deliveries in one of these states"),
    from: instant.optional().describe("Only deliveries created at this time or later"),
    to: instant.optional().describe("Only deliveries created before this time"),
  }),
  output: pageOf(Delivery),
  async run({ workspaceId }, { subscriptionId, event, status, from, to, ...page }) {
    const created = { ...(from && { $gte: from }), ...(to && { $lt: to }) };
    return pageOfDeliveries(workspaceId, page, {
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(event !== undefined && { event: trusted({ $in: event }) }),
      ...(status !== undefined && { status: trusted({ $in: status }) }),
      ...((from ?? to) !== undefined && { createdAt: trusted(created) }),
    });
  },
});

export const deadLetters = operation({
  summary: "List deliveries that failed ten times, newest first; kept for 30 days",
  scope: "webhooks:read",
  input: z.strictObject({
    ...sorted,
    subscriptionId: webhookId.optional(),
    event: events.optional().describe("Only deliveries of these events"),
  }),
  output: pageOf(Delivery),
  async run({ workspaceId }, { subscriptionId, event, ...page }) {
    return pageOfDeliveries(workspaceId, page, {
      status: "DEAD_LETTERED",
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(event !== undefined && { event: trusted({ $in: event }) }),
    });
  },
});

export const get = operation({
  summary: "Read one webhook delivery with its attempts",
  scope: "webhooks:read",
  errors: ["DELIVERY_NOT_FOUND"],
  input: z.strictObject({ deliveryId }),
  output: DeliveryWithLog,
  async run({ workspaceId }, { deliveryId }) {
    return withPayload(await deliveryOf(workspaceId, deliveryId));
  },
});

export const requeue = operation({
  summary: "Resend a dead-lettered delivery: the same body, up to ten more attempts",
  scope: "webhooks:write",
  errors: ["DELIVERY_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input: z.strictObject({ deliveryId }),
  output: Delivery,
  async run({ workspaceId }, { deliveryId }) {
    return inTransaction(async () => {
      const { WebhookDelivery, WebhookSubscription } = scoped(workspaceId);
      const { subscriptionId, status, event } = await deliveryOf(workspaceId, deliveryId);
      const subscription = await WebhookSubscription.get(subscriptionId);
      const isDeleted = subscription === null || subscription.deletedAt !== null;
      if (isDeleted || (!subscription.enabled && event !== "TEST"))
        throw wrongState(isDeleted ? "SUBSCRIPTION_DELETED" : "SUBSCRIPTION_DISABLED");
      if (status === "DELIVERED") throw wrongState(status);
      const requeued = await WebhookDelivery.findOneAndUpdate(
        { _id: deliveryId, status: "DEAD_LETTERED" },
        { $set: afresh(subscription) },
      );
      if (requeued === null) return withPayload(await deliveryOf(workspaceId, deliveryId));
      await nudge(workspaceId, "DELIVERY", { deliveryId });
      return withPayload(requeued);
    });
  },
});

export const test = operation({
  summary: "Send a TEST event to one subscription; read the delivery for the result",
  scope: "webhooks:write",
  errors: ["WEBHOOK_NOT_FOUND"],
  input: z.strictObject({ webhookId }),
  output: z.object({
    deliveryId,
    event: z.literal("TEST").describe("Always TEST"),
    status: z.literal("PENDING").describe("Always PENDING: read the delivery for the result"),
  }),
  async run({ workspaceId }, { webhookId }) {
    return inTransaction(async () => {
      const subscription = await subscriptionOf(workspaceId, webhookId);
      const happened = { event: "TEST", eventId: newId("evt"), at: new Date().toISOString(), data: { ok: true } };
      const {
        createdAt: _created,
        updatedAt: _updated,
        workspaceId: _own,
        ...delivery
      } = newDelivery(subscription, happened, bodyOf(happened));
      await scoped(workspaceId).WebhookDelivery.insert(delivery);
      await nudge(workspaceId, "DELIVERY", { deliveryId: delivery._id });
      return { deliveryId: delivery._id, event: "TEST" as const, status: "PENDING" as const };
    });
  },
});

async function pageOfDeliveries(
  workspaceId: string,
  { sort, ...page }: Paging & { sort: string },
  filter: Filter<WebhookDelivery>,
) {
  const order = { sort: BY_CREATION.orderOf(sort), select: { attemptLog: 0 } } as const;
  const found = await pageFrom(scoped(workspaceId).WebhookDelivery, filter, page, order);
  return { ...found, items: found.items.map(withPayload) };
}

/**
 * The fields of a delivery that starts again with its first attempt. Earlier attempts stay in its log and its total.
 */
function afresh({ _id, url }: { _id: string; url: string }): Partial<WebhookDelivery> {
  return {
    status: "PENDING",
    attempts: 0,
    waitsFor: _id,
    takenBy: null,
    startedAt: null,
    nextAttemptAt: null,
    deadLetteredAt: null,
    host: new URL(url).host,
  };
}

function wrongState(from: string): AppError {
  return new AppError(
    "INVALID_STATE_TRANSITION",
    "Only a dead-lettered delivery of an enabled subscription can be requeued",
    {
      from,
      action: "requeue",
    },
  );
}
