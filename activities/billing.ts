import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import type { Egress } from "../connectors/net/egress.ts";
import { type StripeCalls, StripeTrouble, stripeAt } from "../connectors/stripe.ts";
import type { KeyRing } from "../domain/access/seal.ts";
import { liveOf, purchasesOf, stateOf } from "../domain/billing/account.ts";
import {
  BILLING_SYNC,
  type BillingSyncIds,
  STRIPE_ORDER,
  type StripeOrderIds,
  type StripeOrderOutcome,
} from "../domain/billing/contract.ts";
import type { BillingPlans, StripeAccess } from "../domain/billing/plans.ts";
import type { BillingOrder } from "../models/billing-order.ts";
import { scoped } from "../models/scoped.ts";
import { beginRead, keepCustomer } from "../store/billing/accounts.ts";
import { loadOrder, type StripePage, storePage } from "../store/billing/orders.ts";
import { storeRead } from "../store/billing/store-read.ts";

export interface BillingDeps {
  egress: Pick<Egress, "request">;
  keyRing: KeyRing;
  /** How Stripe is reached; null: there is no billing. */
  stripe: StripeAccess | null;
  plans: BillingPlans;
  creditsPerMonth: number;
  log: Pick<Logger, "warn">;
}

export interface BillingActivities {
  openStripePage(ids: StripeOrderIds): Promise<StripeOrderOutcome>;
  readStripe(ids: BillingSyncIds): Promise<"stored" | "gone">;
}

export function billingActivities({ egress, keyRing, stripe, plans, creditsPerMonth, log }: BillingDeps): BillingActivities {
  async function openStripePage(ids: StripeOrderIds): Promise<StripeOrderOutcome> {
    const order = await loadOrder(ids);
    if (order === null || stripe === null) return { kind: "refused", code: "AWAY" };
    try {
      const page = await pageOf(stripeAt(egress, stripe, STRIPE_ORDER.callMs, Context.current().cancellationSignal), order);
      if (page === null) return { kind: "refused", code: "NO_PLAN" };
      await storePage(keyRing, ids, page);
      return { kind: "opened" };
    } catch (err) {
      if (!(err instanceof StripeTrouble)) throw err;
      log.warn({ err, workspaceId: ids.workspaceId, kind: err.kind }, "Stripe opened no page");
      const codes = { key: "KEY_REFUSED", refused: "REFUSED", away: "AWAY" } as const;
      return { kind: "refused", code: codes[err.kind] };
    }
  }

  async function readStripe({ workspaceId }: BillingSyncIds): Promise<"stored" | "gone"> {
    if (stripe === null) throw new StripeTrouble("key");
    const calls = stripeAt(egress, stripe, BILLING_SYNC.callMs, Context.current().cancellationSignal);
    return syncAccount(calls, workspaceId, plans, creditsPerMonth);
  }

  return { openStripePage, readStripe };
}

/** Reads anew what Stripe has of a workspace, and stores it. @throws StripeTrouble, worth another try */
export async function syncAccount(
  stripe: Pick<StripeCalls, "listSubscriptions" | "listInvoices">,
  workspaceId: string,
  plans: BillingPlans,
  creditsPerMonth: number,
): Promise<"stored" | "gone"> {
  // The number comes before the questions: whatever was told before it is in the answers
  const begun = await beginRead(workspaceId);
  if (begun === null) return "gone";
  const subscriptions = await stripe.listSubscriptions(begun.customerId);
  const invoices = await stripe.listInvoices(begun.customerId);
  const state = stateOf(subscriptions, invoices, plans);
  const purchases = purchasesOf(invoices, plans);
  await storeRead(workspaceId, { read: begun.read, state, purchases }, creditsPerMonth, new Date());
  return "stored";
}

/** Null: there is no plan whose seats could be changed. Who has a plan changes it, since a second one would be paid beside it. */
async function pageOf(stripe: StripeCalls, order: BillingOrder): Promise<StripePage | null> {
  const { _id: key, workspaceId, item, price, quantity, successUrl, cancelUrl } = order;
  const customerId = await customerOf(stripe, workspaceId);
  if (item === "PORTAL") return stripe.openPortal(customerId, successUrl, key);
  const sale = { customerId, workspaceId, successUrl, cancelUrl };
  if (item === "CREDITS") return stripe.sellCredits({ ...sale, price: price ?? "", quantity: quantity ?? 1 }, key);
  const live = liveOf(await stripe.listSubscriptions(customerId));
  const wanted = { ...sale, price: price ?? live?.price ?? "", quantity: quantity ?? live?.quantity ?? 1 };
  if (live !== null) return stripe.openChange(customerId, live, wanted, key);
  return item === "PLAN" ? stripe.sellPlan(wanted, key) : null;
}

/** The customer is made before anything can be bought, so that no event comes of one whom nobody knows (rules/billing 1.4). */
async function customerOf(stripe: StripeCalls, workspaceId: string): Promise<string> {
  const account = await scoped(workspaceId).BillingAccount.get(workspaceId);
  if (account !== null) return account.customerId;
  return keepCustomer(workspaceId, await stripe.createCustomer(workspaceId, `customer:${workspaceId}`));
}
