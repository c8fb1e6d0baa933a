/**
 * What the runs of billing, their activities and their callers agree on. It imports nothing: it is part of the workflow
 * bundle.
 */

export interface StripeOrderIds {
  v: 1;
  workspaceId: string;
  /** The id under which the order is stored, and by which Stripe knows a repetition. */
  orderId: string;
}

export interface BillingSyncIds {
  v: 1;
  workspaceId: string;
  /** The id of Stripe's event. It names the run. We trust the event only about which account it concerns. */
  eventId: string;
}

/**
 * How the request for a page at Stripe ended. The page's address is stored for the caller, because runs carry only ids.
 */
export type StripeOrderOutcome = { kind: "opened" } | { kind: "refused"; code: StripeRefusal };
/** OVERTAKEN: another page that sells the plan was begun meanwhile, and that page counts. */
export type StripeRefusal = "NO_PLAN" | "OVERTAKEN" | "KEY_REFUSED" | "REFUSED" | "AWAY";

/** Every attempt has the same key at Stripe, so only one page is made, however many attempts there are. */
export const STRIPE_ORDER = {
  workflow: "askStripe",
  startToCloseTimeout: "12s",
  attempts: 2,
  callMs: 8_000,
  callerMs: 28_000,
} as const;

/** An event is worked on until Stripe answers, for as long as Stripe itself would repeat it. */
export const BILLING_SYNC = {
  workflow: "syncBilling",
  startToCloseTimeout: "60s",
  scheduleToCloseTimeout: "3d",
  firstWait: "1s",
  longestWait: "5m",
  callMs: 20_000,
} as const;
