import { type BillingPlans, planOf } from "./plans.ts";

/** A Stripe subscription in its current state. Its only item is the seats of a plan. */
export interface PaidSubscription {
  id: string;
  itemId: string;
  /** Stripe's word, such as `past_due`. */
  status: string;
  price: string | null;
  quantity: number;
  createdAt: Date;
  renewsAt: Date | null;
  /** Whether the subscription ends at `renewsAt` instead of being renewed. */
  isEnding: boolean;
  paymentMethodLast4: string | null;
}

export interface PaidInvoice {
  id: string;
  amountCents: number;
  currency: string;
  /** Stripe's word, such as `open`. */
  status: string;
  at: Date;
  lines: { price: string | null; quantity: number }[];
}

/**
 * What we store about a workspace's Stripe account. It depends only on Stripe's current data, not on the order in which
 * Stripe's events arrived.
 */
export interface BillingState {
  status: string;
  /**
   * The number of live subscriptions. If there are several, the customer pays for each, and the newest one decides the
   * plan.
   */
  subscriptions: number;
  subscriptionId: string | null;
  planId: string | null;
  seats: number;
  renewsAt: Date | null;
  isEnding: boolean;
  paymentMethodLast4: string | null;
  invoices: { id: string; amountCents: number; currency: string; status: string; at: Date }[];
}

/** Credits that a paid invoice adds. Each invoice id adds credits only once. */
export interface CreditPurchase {
  invoiceId: string;
  credits: number;
}

/**
 * The statuses in which the plan is valid. `past_due` is one of them, because Stripe retries a failed payment before it
 * ends the plan (rules/billing 2.3).
 */
const LIVE = ["active", "trialing", "past_due"];
const SHOWN_INVOICES = 24;

export const NO_BILLING: BillingState = {
  status: "NONE",
  subscriptions: 0,
  subscriptionId: null,
  planId: null,
  seats: 0,
  renewsAt: null,
  isEnding: false,
  paymentMethodLast4: null,
  invoices: [],
};

/** The subscription that counts: the newest one that is live; null when none is. */
export function liveOf(subscriptions: readonly PaidSubscription[]): PaidSubscription | null {
  return newestOf(livingOf(subscriptions));
}

function livingOf(subscriptions: readonly PaidSubscription[]): PaidSubscription[] {
  return subscriptions.filter(({ status }) => LIVE.includes(status));
}

export function stateOf(
  subscriptions: readonly PaidSubscription[],
  invoices: readonly PaidInvoice[],
  plans: BillingPlans,
): BillingState {
  const live = liveOf(subscriptions);
  const subscription = live ?? newestOf(subscriptions);
  const plan = live === null ? null : planOf(plans, live.price);
  return {
    status: subscription?.status.toUpperCase() ?? "NONE",
    subscriptions: livingOf(subscriptions).length,
    subscriptionId: live?.id ?? null,
    planId: plan?.id ?? null,
    seats: plan === null ? 0 : (live?.quantity ?? 0),
    renewsAt: live?.renewsAt ?? null,
    isEnding: live?.isEnding ?? false,
    paymentMethodLast4: subscription?.paymentMethodLast4 ?? null,
    invoices: [...invoices]
      .sort((one, other) => other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1))
      .slice(0, SHOWN_INVOICES)
      .map(({ id, amountCents, currency, status, at }) => ({
        id,
        amountCents,
        currency,
        status: status.toUpperCase(),
        at,
      })),
  };
}

/** The credits that paid invoices add, in an order that does not depend on the order of the invoices. */
export function purchasesOf(invoices: readonly PaidInvoice[], { credits: pack }: BillingPlans): CreditPurchase[] {
  if (pack === null) return [];
  return invoices
    .filter(({ status }) => status === "paid")
    .map(({ id, lines }) => ({
      invoiceId: id,
      credits:
        pack.credits * lines.reduce((sum, { price, quantity }) => sum + (price === pack.price ? quantity : 0), 0),
    }))
    .filter(({ credits }) => credits > 0)
    .sort((one, other) => (one.invoiceId < other.invoiceId ? -1 : 1));
}

function newestOf(subscriptions: readonly PaidSubscription[]): PaidSubscription | null {
  const [newest = null] = [...subscriptions].sort(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  );
  return newest;
}
