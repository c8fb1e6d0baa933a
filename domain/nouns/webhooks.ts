import type { NounFacts } from "./noun.ts";

export const webhookNouns = [
  {
    noun: "webhook subscription",
    prefix: "whs",
    id: { of: "the webhook subscription", fields: ["webhookId", "subscriptionId"] },
    missing: { code: "WEBHOOK_NOT_FOUND", says: "This workspace has no such webhook subscription" },
    limit: { name: "webhooks", most: 50, called: "subscriptions" },
  },
  {
    noun: "delivery",
    prefix: "whd",
    id: { of: "the delivery", fields: ["deliveryId"] },
    missing: { code: "DELIVERY_NOT_FOUND", says: "This workspace has no such delivery" },
  },
] as const satisfies readonly NounFacts[];
