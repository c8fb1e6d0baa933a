import { proxyActivities } from "@temporalio/workflow";
import type { ContentScoreActivities } from "../activities/campaigns/content-scores.ts";
import { CONTENT_SCORE, type ContentScoreIds } from "../domain/campaigns/content-score.ts";

const { scoreContents: ask } = proxyActivities<ContentScoreActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: CONTENT_SCORE.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Asks the spam filter about some mails while a caller waits. What it says is stored, so a second run asks about the rest alone. */
export async function scoreContents(ids: ContentScoreIds): Promise<number> {
  return ask(ids);
}
