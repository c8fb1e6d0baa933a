import { z } from "zod";
import type { WebhookEvent } from "../../domain/webhook.ts";

const recipientId = z.string().describe("The recipient: the membership of a lead in a campaign");
const email = z.string().describe("The recipient's address");
const campaignId = z.string().describe("The campaign");
const url = z.string().describe("The target URL of the link");

interface EventText {
  /** When it fires. */
  when: string;
  data: z.ZodObject;
  example: Record<string, unknown>;
}

/** When each event fires, and the content of its `data`. */
export const EVENTS: Record<WebhookEvent, EventText> = {
  SENT: {
    when: "An email was sent to a recipient",
    data: z.object({ recipientId, email, campaignId }),
    example: {
      recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H",
      email: "ada@people.example",
      campaignId: "cmp_01KA2M5W8X3Y6Z9B1C4D7F0G2H",
    },
  },
  OPEN: {
    when: "A recipient opened a tracked email",
    data: z.object({ recipientId }),
    example: { recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H" },
  },
  CLICK: {
    when: "A recipient clicked a tracked link",
    data: z.object({ recipientId, url }),
    example: { recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H", url: "https://example.com/prices" },
  },
  REPLIED: {
    when: "A recipient replied",
    data: z.object({ recipientId, email }),
    example: { recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H", email: "ada@people.example" },
  },
  BOUNCED: {
    when: "An email to a recipient bounced, hard or soft",
    data: z.object({ recipientId, email }),
    example: { recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H", email: "ada@people.example" },
  },
  UNSUBSCRIBE: {
    when: "A recipient unsubscribed",
    data: z.object({ recipientId, email }),
    example: { recipientId: "rcp_01KA2M5W8X3Y6Z9B1C4D7F0G2H", email: "ada@people.example" },
  },
  TEST: {
    when: "`POST /webhooks/{webhookId}/test` was called",
    data: z.object({ ok: z.literal(true).describe("Always true") }),
    example: { ok: true },
  },
};
