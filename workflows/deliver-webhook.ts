import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { DeliveryActivities } from "../activities/webhook-deliveries.ts";
import { type DeliveryEnd, type DeliveryIds, WEBHOOK_DELIVERY } from "../domain/webhook.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

const { postEvent } = proxyActivities<DeliveryActivities>({ ...WEBHOOK_DELIVERY, taskQueue: "webhook" });
const { bury } = proxyActivities<DeliveryActivities>({ ...RECORDS, taskQueue: "webhook" });

/** Posts one event to one subscriber. After ten failed attempts the delivery goes to the dead-letter queue. */
export async function deliverWebhook(ids: DeliveryIds): Promise<DeliveryEnd> {
  try {
    return await postEvent.executeWithOptions({ summary: "POST to the subscriber, at most ten times" }, [ids]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    await bury(ids);
    return "dead-lettered";
  }
}
