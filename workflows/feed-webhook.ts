import { continueAsNew, defineQuery, proxyActivities, setHandler, workflowInfo } from "@temporalio/workflow";
import type { FeedActivities } from "../activities/webhooks/feed.ts";
import { type FeedIds, WEBHOOK_FEED } from "../domain/webhook.ts";

/** How many first attempts this run has made, and how many of them were accepted. */
const feedProgressQuery = defineQuery<{ posted: number; delivered: number }>("progress");

const { postBatch } = proxyActivities<FeedActivities>({ ...WEBHOOK_FEED, taskQueue: "feed" });

/** Makes the first attempts of a subscription's deliveries, turn by turn, until none has waited for some seconds. */
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
