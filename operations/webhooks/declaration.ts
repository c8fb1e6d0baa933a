import type { Declaration } from "../declaration.ts";
import { deadLetters, get as getDelivery, list as listDeliveries, requeue, test as testWebhook } from "./deliveries.ts";
import { deadLetterQueue, manage as manageWebhooks } from "./manage.ts";
import { rotateSecret } from "./rotate-secret.ts";
import * as webhooks from "./subscriptions.ts";

export const webhooksDeclaration = {
  verbs: {
    "webhooks.list": webhooks.list,
    "webhooks.create": webhooks.create,
    "webhooks.get": webhooks.get,
    "webhooks.update": webhooks.update,
    "webhooks.delete": webhooks.remove,
    "webhooks.manage": manageWebhooks,
    "webhooks.test": testWebhook,
    "webhooks.rotateSecret": rotateSecret,
  },
  routes: [
    ["get", "/webhooks", webhooks.list],
    ["post", "/webhooks", webhooks.create, 201],
    ["get", "/webhooks/:webhookId", webhooks.get],
    ["patch", "/webhooks/:webhookId", webhooks.update],
    ["delete", "/webhooks/:webhookId", webhooks.remove],
    ["post", "/webhooks/:webhookId/test", testWebhook, 202],
    ["post", "/webhooks/:webhookId/rotate-secret", rotateSecret],
  ],
  tools: {
    webhooks: {
      webhooks_manage: {
        operation: manageWebhooks,
        title: "Webhooks",
        destructive: true,
        openWorld: true,
        untrusted: true,
        when: "URLs that receive events as signed requests; `deliveries` shows what was sent and answered. The signing secret is shown once, when a webhook is created.",
      },
    },
  },
  examples: {
    content: [
      {
        at: "post /webhooks",
        title: "Receive replies and bounces",
        body: { url: "https://hooks.example.com/in", events: ["REPLIED", "BOUNCED"] },
      },
      { at: "patch /webhooks/:webhookId", title: "Receive all events", body: { events: [] } },
    ],
    end: [
      { at: "post /webhooks/:webhookId/rotate-secret", title: "Rotate the signing secret", body: { overlapHours: 24 } },
    ],
  },
} as const satisfies Declaration;

export const webhookDeliveriesDeclaration = {
  verbs: {
    "webhookDeliveries.list": listDeliveries,
    "webhookDeliveries.get": getDelivery,
    "webhookDeliveries.listDeadLetters": deadLetters,
    "webhookDeliveries.requeue": requeue,
    "webhookDeliveries.manageDeadLetters": deadLetterQueue,
  },
  routes: [
    ["get", "/webhooks/deliveries", listDeliveries, 200, { after: "post /webhooks" }],
    ["get", "/webhooks/deliveries/dlq", deadLetters],
    ["get", "/webhooks/deliveries/:deliveryId", getDelivery],
    ["post", "/webhooks/deliveries/:deliveryId/requeue", requeue],
  ],
  tools: {
    webhooks: {
      webhooks_dlq: {
        operation: deadLetterQueue,
        title: "Dead webhook deliveries",
        openWorld: true,
        untrusted: true,
        when: "Deliveries that failed all attempts; requeue tries one again with the same event id.",
      },
    },
  },
} as const satisfies Declaration;
