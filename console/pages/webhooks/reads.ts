import type { Endpoint, ItemOf } from "../../api/call.ts";

export type Subscription = ItemOf<"get /webhooks">;
export type Delivery = ItemOf<"get /webhooks/deliveries">;

/** What has to be read anew when a webhook was changed, and when something was posted again. */
export const RENEWS: readonly Endpoint[] = ["get /webhooks"];
export const RENEWS_DELIVERIES: readonly Endpoint[] = [
  "get /webhooks/deliveries",
  "get /webhooks/deliveries/:deliveryId",
];
