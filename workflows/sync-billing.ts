import { proxyActivities } from "@temporalio/workflow";
import type { BillingActivities } from "../activities/billing.ts";
import { BILLING_SYNC, type BillingSyncIds } from "../domain/billing/contract.ts";

const { readStripe } = proxyActivities<BillingActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: BILLING_SYNC.startToCloseTimeout,
  scheduleToCloseTimeout: BILLING_SYNC.scheduleToCloseTimeout,
  retry: { initialInterval: BILLING_SYNC.firstWait, maximumInterval: BILLING_SYNC.longestWait },
});

/** Stripe told of something: plan, seats and credits are read there anew. */
export async function syncBilling(ids: BillingSyncIds): Promise<"stored" | "gone"> {
  return readStripe(ids);
}
