import type { BillingState } from "../../domain/billing/account.ts";
import { counter, flag, instant, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** The state of a workspace's Stripe account, as it was last read from Stripe. `_id` is the workspace. */
export interface BillingAccount extends Owned, BillingState {
  /** Stripe's customer id. Stripe's events identify the workspace by it. */
  customerId: string;
  /**
   * The number of the last read that was started, and the number of the read that is stored. A stored read is never
   * replaced by one that began earlier (rules/billing 2.1).
   */
  reads: number;
  storedRead: number;
  syncedAt: Date | null;
  /** How many checkout pages for a plan were created. Only the last one stays open (rules/billing 4.4). */
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
