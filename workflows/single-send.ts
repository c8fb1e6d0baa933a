import { proxyActivities } from "@temporalio/workflow";
import type { SingleSendActivities } from "../activities/single-send.ts";
import type { SendIds, SingleOutcome } from "../domain/engine.ts";

const { sendOnce } = proxyActivities<SingleSendActivities>({
  taskQueue: "smtp",
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "2s", maximumAttempts: 3 },
});

/** One mail that somebody waits for: a test, or an answer. Its ledger row decides that it goes out once. */
export async function singleSend(ids: SendIds): Promise<SingleOutcome> {
  return sendOnce(ids);
}
