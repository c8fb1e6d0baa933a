import type { Sealed } from "../../domain/access/seal.ts";
import { type Owned, oneOf, required, secret, tenantModel, text } from "../../mongo/schema.ts";

const ORDER_ITEMS = ["PLAN", "SEATS", "CREDITS", "PORTAL"] as const;

/**
 * A page at Stripe that a caller waits for: first what it is to sell, then where it is. It is deleted once the caller
 * has the answer.
 */
export interface BillingOrder extends Owned {
  item: (typeof ORDER_ITEMS)[number];
  /** Stripe's id of the price that is bought; null when nothing is bought. */
  price: string | null;
  /** How many to buy; null: as many as there are now, or one. */
  quantity: number | null;
  successUrl: string;
  cancelUrl: string;
  /** Address, id and end of the page, sealed, because anyone who has the address acts for the workspace there. */
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
