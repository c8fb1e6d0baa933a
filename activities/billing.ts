import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import type { Egress } from "../connectors/net/egress.ts";
import { type HostedPage, type StripeCalls, StripeTrouble, stripeAt } from "../connectors/stripe.ts";
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
import type { BillingOrder } from "../models/billing/billing-order.ts";
import { scoped } from "../models/scoped.ts";
import { beginPlanPage, beginRead, isLastPlanPage, keepCustomer } from "../store/billing/accounts.ts";
import { loadOrder, storePage } from "../store/billing/orders.ts";
import { storeRead } from "../store/billing/store-read.ts";

export interface BillingDeps {
  egress: Pick<Egress, "request">;
  keyRing: KeyRing;
  /** Address and key of Stripe; null when billing is not configured. */
  stripe: StripeAccess | null;
  plans: BillingPlans;
  creditsPerMonth: number;
  log: Pick<Logger, "warn">;
}

export interface BillingActivities {
  openStripePage(ids: StripeOrderIds): Promise<StripeOrderOutcome>;
  readStripe(ids: BillingSyncIds): Promise<"stored" | "gone">;
}

export function billingActivities({
  egress,
  keyRing,
  stripe,
  plans,
  creditsPerMonth,
  log,
}: BillingDeps): BillingActivities {
  async function openStripePage(ids: StripeOrderIds): Promise<StripeOrderOutcome> {
    const order = await loadOrder(ids);
    if (order === null || stripe === null) return { kind: "refused", code: "AWAY" };
    try {
      const page = await openPage(
        stripeAt(egress, stripe, STRIPE_ORDER.callMs, Context.current().cancellationSignal),
        order,
      );
      if (typeof page === "string") return { kind: "refused", code: page };
      await storePage(keyRing, ids, page);
      return { kind: "opened" };
    } catch (err) {
      if (!(err instanceof StripeTrouble)) throw err;
      log.warn({ err, workspaceId: ids.workspaceId, kind: err.kind }, "Stripe did not open a page");
      const codes = { key: "KEY_REFUSED", refused: "REFUSED", away: "AWAY" } as const;
      return { kind: "refused", code: codes[err.kind] };
    }
  }

  async function readStripe({ workspaceId }: BillingSyncIds): Promise<"stored" | "gone"> {
    if (stripe === null) throw new StripeTrouble("key");
    const calls = stripeAt(egress, stripe, BILLING_SYNC.callMs, Context.current().cancellationSignal);
    const { outcome, living } = await syncAccount(calls, workspaceId, plans, creditsPerMonth);
    if (living > 1)
      log.warn(
        { workspaceId, living },
        "a workspace pays for more than one subscription: cancel all but the newest in Stripe",
      );
    return outcome;
  }

  return { openStripePage, readStripe };
}

/**
 * Reads a workspace's subscriptions from Stripe again, stores them and returns how many are live. @throws StripeTrouble
 * when a retry may help
 */
export async function syncAccount(
  stripe: Pick<StripeCalls, "listSubscriptions" | "listInvoices">,
  workspaceId: string,
  plans: BillingPlans,
  creditsPerMonth: number,
): Promise<{ outcome: "stored" | "gone"; living: number }> {
  // The number is taken before Stripe is asked, so this read includes every event that Stripe reported before that
  // number
  const begun = await beginRead(workspaceId);
  if (begun === null) return { outcome: "gone", living: 0 };
  const subscriptions = await stripe.listSubscriptions(begun.customerId);
  const invoices = await stripe.listInvoices(begun.customerId);
  const state = stateOf(subscriptions, invoices, plans);
  const purchases = purchasesOf(invoices, plans);
  await storeRead(workspaceId, { read: begun.read, state, purchases }, creditsPerMonth, new Date());
  return { outcome: "stored", living: state.subscriptions };
}

/**
 * NO_PLAN: the workspace has no plan whose seats could be changed. OVERTAKEN: meanwhile a later order began to open a
 * page that sells a plan.
 */
type NoPage = "NO_PLAN" | "OVERTAKEN";

/**
 * Opens the page that an order asks for. If the workspace has a plan, the page changes that plan: a second subscription
 * would be charged in addition.
 */
async function openPage(stripe: StripeCalls, order: BillingOrder): Promise<HostedPage | NoPage> {
  const { _id: key, workspaceId, item, price, quantity, successUrl, cancelUrl } = order;
  const customerId = await customerOf(stripe, workspaceId);
  if (item === "PORTAL") return stripe.openPortal(customerId, successUrl, key);
  const sale = { customerId, workspaceId, successUrl, cancelUrl };
  if (item === "CREDITS") return stripe.sellCredits({ ...sale, price: price ?? "", quantity: quantity ?? 1 }, key);
  const number = item === "PLAN" ? await beginPlanPage(workspaceId) : null;
  if (number !== null) {
    const pages = await stripe.listPlanPages(customerId);
    // Otherwise this run could close a page of a later run, and no page would be left to pay on
    if (!(await isLastPlanPage(workspaceId, number))) return "OVERTAKEN";
    // Two pages that are both paid would be two subscriptions (rules/billing 4.4). A page that an earlier attempt opened
    // for this order stays open
    for (const page of pages) if (page.order !== key) await stripe.closePage(page.id);
  }
  // Read only after the pages were closed: a page that could not be closed was paid, so its subscription exists by now
  const live = liveOf(await stripe.listSubscriptions(customerId));
  const wanted = { ...sale, price: price ?? live?.price ?? "", quantity: quantity ?? live?.quantity ?? 1 };
  if (live !== null) return stripe.openChange(customerId, live, wanted, key);
  if (number === null) return "NO_PLAN";
  const page = await stripe.sellPlan(wanted, key);
  if (await isLastPlanPage(workspaceId, number)) return page;
  // A later run sells the plan too, and may have closed the open Stripe pages before this page was created
  await stripe.closePage(page.id);
  return "OVERTAKEN";
}

/**
 * Creates the customer before anything can be bought, so that no event names an unknown customer (rules/billing 1.4).
 */
async function customerOf(stripe: StripeCalls, workspaceId: string): Promise<string> {
  const account = await scoped(workspaceId).BillingAccount.get(workspaceId);
  if (account !== null) return account.customerId;
  return keepCustomer(workspaceId, await stripe.createCustomer(workspaceId, `customer:${workspaceId}`));
}
