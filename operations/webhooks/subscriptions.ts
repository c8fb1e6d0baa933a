import { randomBytes } from "node:crypto";
import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { FIRST_WINDOW, WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import type { WebhookSubscription } from "../../models/webhook-subscription.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { changing, flag, namesAny, pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { destination } from "../webhook-destination.ts";
import { Subscription, SubscriptionWithSecret, subscriptionOf, webhookId } from "./record.ts";

/** Limits how much is read; the validation of URLs has a lower limit. */
const url = z.string().min(1).max(10_000).describe("An https URL with a public host, at most 2,048 characters");
const events = z.array(z.enum(WEBHOOK_EVENTS)).transform((named) => [...new Set(named)]);

export const list = operation({
  summary: "List the webhook subscriptions, newest first",
  scope: "webhooks:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    enabled: flag.optional().describe("true: only enabled ones; false: only disabled ones"),
  }),
  output: pageOf(Subscription),
  async run({ workspaceId }, { enabled, sort, ...page }) {
    const filter = { deletedAt: null, ...(enabled !== undefined && { enabled }) };
    return pageFrom(scoped(workspaceId).WebhookSubscription, filter, page, { sort: BY_CREATION.orderOf(sort) });
  },
});

export const create = operation({
  summary:
    "Subscribe an HTTPS URL to events; none named means all. The signing secret is returned only once, never in a replay",
  scope: "webhooks:write",
  errors: ["HOST_NOT_ALLOWED", "LIMIT_EXCEEDED"],
  audits: "webhooks.create",
  stepUp: true,
  showsOnce: ["signingSecret"],
  effects: { DISCLOSES: true },
  input: z.strictObject({ url, events: events.default([]).describe("The events to receive; empty: all") }),
  output: SubscriptionWithSecret,
  async run({ workspaceId, services }, { url, events }) {
    const href = destination(url, services.settings);
    const _id = newId("whs");
    const signingSecret = newSigningSecret(randomBytes(32));
    const sealedSecret = seal(services.keyRing, secretPlace(workspaceId, _id), signingSecret);
    return inTransaction(async () => {
      const { WebhookSubscription } = scoped(workspaceId);
      await refuseBeyondLimit(workspaceId, "webhooks", await WebhookSubscription.count({ deletedAt: null }));
      const stored = await WebhookSubscription.insert({ _id, url: href, events, sealedSecret });
      return { ...stored, signingSecret };
    });
  },
});

export const get = operation({
  summary: "Read one webhook subscription",
  scope: "webhooks:read",
  errors: ["WEBHOOK_NOT_FOUND"],
  input: z.strictObject({ webhookId }),
  output: Subscription,
  async run({ workspaceId }, { webhookId }) {
    return subscriptionOf(workspaceId, webhookId);
  },
});

export const update = operation({
  summary: "Change the URL or events of a subscription, or enable or disable it. Pending deliveries use the new URL",
  scope: "webhooks:write",
  errors: ["HOST_NOT_ALLOWED", "WEBHOOK_NOT_FOUND"],
  audits: "webhooks.update",
  effects: {
    DISCLOSES: (_ctx, { url, events, enabled }) => url !== undefined || events !== undefined || enabled === true,
  },
  input: changing(
    z.strictObject({
      webhookId,
      url: url.optional(),
      events: events.optional().describe("The events to receive; empty: all"),
      enabled: z.boolean().optional().describe("Whether events are delivered; true resets the failure count"),
    }),
    ({ url, events, enabled }) => namesAny({ url, events, enabled }),
  ),
  needsOneOf: ["url", "events", "enabled"],
  output: Subscription,
  async run({ workspaceId, services }, { webhookId, url, events, enabled }) {
    const href = url === undefined ? undefined : destination(url, services.settings);
    return change(workspaceId, webhookId, {
      ...(href !== undefined && { url: href }),
      ...(events !== undefined && { events }),
      ...(enabled !== undefined && (enabled ? FRESH : { enabled })),
    });
  },
});

/** Sets these fields; pending deliveries go to the new URL. @throws AppError WEBHOOK_NOT_FOUND */
function change(workspaceId: string, webhookId: string, fields: Partial<WebhookSubscription>) {
  return inTransaction(async () => {
    const { WebhookSubscription, WebhookDelivery } = scoped(workspaceId);
    const before = await subscriptionOf(workspaceId, webhookId);
    if (Object.keys(fields).length === 0) return before;
    const after = await WebhookSubscription.findOneAndUpdate({ _id: webhookId }, { $set: fields });
    if (fields.url !== undefined)
      await WebhookDelivery.updateMany({ waitsFor: webhookId }, { $set: { host: new URL(fields.url).host } });
    return after ?? before;
  });
}

export const enable = operation({
  summary: "Enable a subscription that was disabled; its earlier failures no longer count",
  scope: "webhooks:write",
  errors: ["WEBHOOK_NOT_FOUND"],
  audits: "webhooks.enable",
  effects: { DISCLOSES: true },
  input: z.strictObject({ webhookId }),
  output: Subscription,
  run: ({ workspaceId }, { webhookId }) => change(workspaceId, webhookId, FRESH),
});

/** The fields of a subscription that is enabled again: its earlier failures no longer count (rules/webhooks 6.3). */
const FRESH = {
  enabled: true,
  disabledReason: null,
  admissionWindow: FIRST_WINDOW,
  failuresInRow: 0,
  failingSince: null,
  failedAttempts: 0,
};

export const remove = operation({
  summary: "Delete a webhook subscription. Undelivered events go to the dead-letter queue",
  scope: "webhooks:write",
  errors: ["WEBHOOK_NOT_FOUND"],
  audits: "webhooks.delete",
  effects: { DESTROYS: true },
  input: z.strictObject({ webhookId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { webhookId }) {
    const deletion = { $set: { deletedAt: new Date(), enabled: false } };
    return inTransaction(async () => {
      const deleted = await scoped(workspaceId).WebhookSubscription.updateOne(
        { _id: webhookId, deletedAt: null },
        deletion,
      );
      if (deleted === 0) throw new AppError("WEBHOOK_NOT_FOUND", "No webhook subscription has this id");
      return { id: webhookId, deleted: true as const };
    });
  },
});
