/**
 * Names, types and limits that the billing workflows, their activities and their callers share. This file imports
 * nothing, because it is part of the workflow bundle.
 */

export interface StripeOrderIds {
  v: 1;
  workspaceId: string;
  /** The id under which the order is stored. It is also the idempotency key at Stripe. */
  orderId: string;
}

export interface BillingSyncIds {
  v: 1;
  workspaceId: string;
  /**
   * The id of Stripe's event. It is part of the workflow's id. We read only the account from the event itself; all
   * other data is read from Stripe.
   */
  eventId: string;
}

/**
 * The result of requesting a page from Stripe. The page's URL is stored for the caller, because workflows contain only
 * ids.
 */
export type StripeOrderOutcome = { kind: "opened" } | { kind: "refused"; code: StripeRefusal };
/** OVERTAKEN: a later request for a page that sells the plan replaced this page. */
export type StripeRefusal = "NO_PLAN" | "OVERTAKEN" | "KEY_REFUSED" | "REFUSED" | "AWAY";

/** All attempts use the same idempotency key at Stripe, so only one page is created. */
export const STRIPE_ORDER = {
  workflow: "askStripe",
  startToCloseTimeout: "12s",
  attempts: 2,
  callMs: 8_000,
  callerMs: 28_000,
} as const;

/** An event is processed again until Stripe answers, for as long as Stripe itself would repeat the event. */
export const BILLING_SYNC = {
  workflow: "syncBilling",
  startToCloseTimeout: "60s",
  scheduleToCloseTimeout: "3d",
  firstWait: "1s",
  longestWait: "5m",
  callMs: 20_000,
} as const;
