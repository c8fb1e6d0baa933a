import type { Declaration } from "../declaration.ts";
import * as conversions from "./conversions.ts";
import { reportConversions } from "./report-conversions.ts";

export const conversionsDeclaration = {
  verbs: {
    "conversions.report": reportConversions,
    "conversions.list": conversions.list,
    "conversions.try": conversions.tryOne,
  },
  routes: [
    ["post", "/conversions", reportConversions, 200, { after: "post /custom-fields/manage" }],
    ["get", "/conversions", conversions.list, 200, { after: "post /jobs/:jobId/cancel" }],
    ["post", "/conversions/test", conversions.tryOne],
  ],
  examples: {
    people: [
      {
        at: "post /conversions",
        title: "Report a purchase by hashed address",
        body: {
          events: [
            {
              event_name: "Purchase",
              event_id: "order-4711",
              user_data: { em: "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b" },
              custom_data: { value: 129.9, currency: "EUR" },
            },
          ],
        },
      },
    ],
    content: [
      {
        at: "post /conversions/test",
        title: "Test how a purchase would be recorded",
        body: {
          event: {
            event_name: "Purchase",
            event_id: "order-1007",
            user_data: { cid: "x7Gk2mQ9rT4vW1" },
            custom_data: { value: 49.9, currency: "EUR" },
          },
        },
      },
    ],
  },
} as const satisfies Declaration;
