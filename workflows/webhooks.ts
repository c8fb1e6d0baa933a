import {
  continueAsNew,
  defineQuery,
  isCancellation,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { DeliveryActivities } from "../activities/webhook-deliveries.ts";
import type { FeedActivities } from "../activities/webhooks/feed.ts";
import {
  type DeliveryEnd,
  type DeliveryIds,
  type FeedIds,
  retriesFrom,
  WEBHOOK_DELIVERY,
  WEBHOOK_FEED,
} from "../domain/webhook.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

/** The number of first attempts in this run, and how many of them were accepted. */
const feedProgressQuery = defineQuery<{ posted: number; delivered: number }>("progress");

const { postBatch } = proxyActivities<FeedActivities>({ ...WEBHOOK_FEED, taskQueue: "feed" });

/** Makes the first attempts of a subscription's deliveries, batch by batch, until none has waited for some seconds. */
export async function feedWebhook(ids: FeedIds): Promise<void> {
  let progress = { posted: 0, delivered: 0 };
  setHandler(feedProgressQuery, () => progress);
  for (;;) {
    const turn = await postBatch.executeWithOptions({ summary: "first attempts" }, [ids]);
    progress = { posted: progress.posted + turn.posted, delivered: progress.delivered + turn.delivered };
    if (turn.isEmpty) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof feedWebhook>(ids);
  }
}

const { postEvent } = proxyActivities<DeliveryActivities>({ ...WEBHOOK_DELIVERY, taskQueue: "webhook" });
const { bury } = proxyActivities<DeliveryActivities>({ ...RECORDS, taskQueue: "webhook" });

/**
 * Posts one event to one subscriber, starting with the attempt in the input. After ten failed attempts the delivery
 * moves to the dead-letter queue.
 */
export async function deliverWebhook(ids: DeliveryIds): Promise<DeliveryEnd> {
  try {
    const { attempt = 1 } = ids;
    const summary =
      attempt === 1 ? "POST to the subscriber, at most ten times" : `POST to the subscriber, attempts ${attempt} to 10`;
    return await postEvent.executeWithOptions({ summary, retry: retriesFrom(attempt) }, [ids]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    await bury(ids);
    return "dead-lettered";
  }
}
