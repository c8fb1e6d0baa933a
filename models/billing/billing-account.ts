import type { BillingState } from "../../domain/billing/account.ts";
import { counter, flag, instant, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** What a workspace has at Stripe, as it was last read there. `_id` is the workspace. */
export interface BillingAccount extends Owned, BillingState {
  /** Stripe's id of the customer. Stripe's events name the workspace by it. */
  customerId: string;
  /**
   * How many reads have begun, and which of them is stored. A stored read is never replaced by one that began earlier
   * (rules/billing 2.1).
   */
  reads: number;
  storedRead: number;
  syncedAt: Date | null;
  /** How many pages that sell a plan were begun. Only the last one stays open (rules/billing 4.4). */
  planPages: number;
}

export const BillingAccount = tenantModel<BillingAccount>(
  "BillingAccount",
  "billing_accounts",
  {
    customerId: required,
    reads: counter,
    storedRead: counter,
    syncedAt: instant,
    planPages: counter,
    status: required,
    subscriptions: counter,
    subscriptionId: text,
    planId: text,
    seats: counter,
    renewsAt: instant,
    isEnding: flag,
    paymentMethodLast4: text,
    invoices: { type: [Object], required: true, default: [] },
  },
  [{ fields: { customerId: 1 }, unique: true }],
);
