import { proxyActivities } from "@temporalio/workflow";
import type { BillingActivities } from "../activities/billing.ts";
import { STRIPE_ORDER, type StripeOrderIds, type StripeOrderOutcome } from "../domain/billing/contract.ts";

const { openStripePage } = proxyActivities<BillingActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: STRIPE_ORDER.startToCloseTimeout,
  retry: { maximumAttempts: STRIPE_ORDER.attempts },
});

/** Opens a page at Stripe, while a caller waits. */
export async function askStripe(ids: StripeOrderIds): Promise<StripeOrderOutcome> {
  return openStripePage(ids);
}
