import { z } from "zod";
import type { Prompt } from "./prompt.ts";

export const setUpWebhook: Prompt = {
  name: "set_up_webhook",
  title: "Set up a webhook",
  description: "Send events such as replies and bounces to a URL, test it, and repair failed deliveries",
  arguments: {
    url: {
      description: "The https URL that receives the events",
      schema: z.url({ protocol: /^https$/, error: "must be an https URL" }).max(2_000),
      example: "https://hooks.acme.example/outreach",
    },
    events: {
      description: "The events, separated by commas, such as REPLIED,BOUNCED. Default: all",
      schema: z
        .string()
        .regex(/^[A-Z_]+(?:, ?[A-Z_]+)*$/, "must be names of events, separated by commas")
        .max(500)
        .transform((text) => text.split(/, ?/))
        .optional(),
      example: "REPLIED,BOUNCED",
    },
  },
  task: "Subscribe the URL to events, and make sure that it receives them.",
  steps: [
    { tool: "webhooks_manage", args: { action: "list" }, why: "shows whether the URL is subscribed already" },
    {
      tool: "webhooks_manage",
      args: { action: "create", url: "{url}", events: "{events?}" },
      why: "subscribes the URL and returns `signingSecret` once",
    },
    {
      tool: "webhooks_manage",
      args: { action: "test", webhookId: "<webhookId>" },
      why: "sends an event of the type TEST",
    },
    {
      tool: "webhooks_manage",
      args: { action: "deliveries", subscriptionId: "<webhookId>" },
      why: "shows what was sent and what the URL answered",
    },
    {
      tool: "webhooks_dlq",
      args: { action: "list" },
      why: "lists deliveries that failed all attempts",
      optional: true,
    },
    {
      tool: "webhooks_dlq",
      args: { action: "requeue", deliveryId: "<deliveryId>" },
      why: "sends one of them again with the same event id, after the receiver is repaired",
      optional: true,
    },
  ],
  end: "Tell the person the result of the test. Show the signing secret once, and say that the receiver must verify each request with it; the resource outreach://guides/webhooks shows how.",
};
