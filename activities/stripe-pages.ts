import type { HostedPage, StripeCalls } from "../connectors/stripe.ts";
import { liveOf } from "../domain/billing/account.ts";
import type { BillingOrder } from "../models/billing-order.ts";
import { scoped } from "../models/scoped.ts";
import { beginPlanPage, isLastPlanPage, keepCustomer } from "../store/billing/accounts.ts";

/** NO_PLAN: there is no plan whose seats could be changed. OVERTAKEN: another page that sells the plan was begun meanwhile. */
export type NoPage = "NO_PLAN" | "OVERTAKEN";

/** Opens the page that an order asks for. Who has a plan changes it, since a second one would be paid beside it. */
export async function openPage(stripe: StripeCalls, order: BillingOrder): Promise<HostedPage | NoPage> {
  const { _id: key, workspaceId, item, price, quantity, successUrl, cancelUrl } = order;
  const customerId = await customerOf(stripe, workspaceId);
  if (item === "PORTAL") return stripe.openPortal(customerId, successUrl, key);
  const sale = { customerId, workspaceId, successUrl, cancelUrl };
  if (item === "CREDITS") return stripe.sellCredits({ ...sale, price: price ?? "", quantity: quantity ?? 1 }, key);
  const number = item === "PLAN" ? await beginPlanPage(workspaceId) : null;
  if (number !== null) await closeEarlierPages(stripe, customerId, key);
  // Read after the pages were closed: one that could not be was paid at, and its subscription is there by now
  const live = liveOf(await stripe.listSubscriptions(customerId));
  const wanted = { ...sale, price: price ?? live?.price ?? "", quantity: quantity ?? live?.quantity ?? 1 };
  if (live !== null) return stripe.openChange(customerId, live, wanted, key);
  if (number === null) return "NO_PLAN";
  const page = await stripe.sellPlan(wanted, key);
  if (await isLastPlanPage(workspaceId, number)) return page;
  // Whoever began later may have looked for open pages before this one was there
  await stripe.closePage(page.id);
  return "OVERTAKEN";
}

/** Two pages that are both paid at would be two subscriptions (rules/billing 4.4). One of an earlier try of the same order stays. */
async function closeEarlierPages(stripe: StripeCalls, customerId: string, order: string): Promise<void> {
  for (const page of await stripe.listPlanPages(customerId)) if (page.order !== order) await stripe.closePage(page.id);
}

/** The customer is made before anything can be bought, so that no event comes of one whom nobody knows (rules/billing 1.4). */
async function customerOf(stripe: StripeCalls, workspaceId: string): Promise<string> {
  const account = await scoped(workspaceId).BillingAccount.get(workspaceId);
  if (account !== null) return account.customerId;
  return keepCustomer(workspaceId, await stripe.createCustomer(workspaceId, `customer:${workspaceId}`));
}
