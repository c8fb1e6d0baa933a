import type { Endpoint, ItemOf } from "../../api/call.ts";

export type Subscription = ItemOf<"get /webhooks">;
export type Delivery = ItemOf<"get /webhooks/deliveries">;

/** Endpoints to read again after a webhook was changed or a delivery was sent again. */
export const RENEWS: readonly Endpoint[] = ["get /webhooks"];
export const RENEWS_DELIVERIES: readonly Endpoint[] = [
  "get /webhooks/deliveries",
  "get /webhooks/deliveries/:deliveryId",
];
