import type { Sealed } from "../../domain/access/seal.ts";
import { type Owned, oneOf, required, secret, tenantModel, text } from "../../mongo/schema.ts";

const ORDER_ITEMS = ["PLAN", "SEATS", "CREDITS", "PORTAL"] as const;

/**
 * A Stripe page that a caller waits for. It first holds what the page sells, then the address of the page. It is
 * deleted once the caller has received the address.
 */
export interface BillingOrder extends Owned {
  item: (typeof ORDER_ITEMS)[number];
  /** Stripe's id of the price that is bought; null when nothing is bought. */
  price: string | null;
  /** How many to buy. Null: the present number, or one. */
  quantity: number | null;
  successUrl: string;
  cancelUrl: string;
  /** The URL, id and expiry of the page, encrypted because anyone who has the URL can act for the workspace there. */
  sealedPage: Sealed | null;
  expiresAt: Date;
}

export const BillingOrder = tenantModel<BillingOrder>(
  "BillingOrder",
  "billing_orders",
  {
    item: oneOf(ORDER_ITEMS, ORDER_ITEMS[0]),
    price: text,
    quantity: { type: Number, default: null },
    successUrl: required,
    cancelUrl: required,
    sealedPage: secret,
    expiresAt: { type: Date, required: true },
  },
  [{ fields: { expiresAt: 1 }, expireAfterSeconds: 0 }],
);
