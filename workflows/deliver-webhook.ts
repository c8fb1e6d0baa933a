import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { DeliveryActivities } from "../activities/webhook-deliveries.ts";
import { type DeliveryEnd, type DeliveryIds, retriesFrom, WEBHOOK_DELIVERY } from "../domain/webhook.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

const { postEvent } = proxyActivities<DeliveryActivities>({ ...WEBHOOK_DELIVERY, taskQueue: "webhook" });
const { bury } = proxyActivities<DeliveryActivities>({ ...RECORDS, taskQueue: "webhook" });

/**
 * Posts one event to one subscriber, from the attempt on that it is started with. After ten failed attempts the delivery goes to the
 * dead-letter queue.
 */
export async function deliverWebhook(ids: DeliveryIds): Promise<DeliveryEnd> {
  try {
    const { attempt = 1 } = ids;
    const summary = attempt === 1 ? "POST to the subscriber, at most ten times" : `POST to the subscriber, attempts ${attempt} to 10`;
    return await postEvent.executeWithOptions({ summary, retry: retriesFrom(attempt) }, [ids]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    await bury(ids);
    return "dead-lettered";
  }
}
