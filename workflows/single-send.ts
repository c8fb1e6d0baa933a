import { proxyActivities, sleep } from "@temporalio/workflow";
import type { SingleSendActivities } from "../activities/sending/one-off.ts";
import type { SendIds, SingleEnd } from "../domain/workflow-contract.ts";

const { sendOnce } = proxyActivities<SingleSendActivities>({
  taskQueue: "smtp",
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "2s", maximumAttempts: 3 },
});

/** One mail that somebody waits for: a test, or an answer. Its ledger row decides that it goes out once. */
export async function singleSend(ids: SendIds): Promise<SingleEnd> {
  for (;;) {
    const outcome = await sendOnce(ids);
    if (outcome.kind !== "later") return outcome;
    await sleep(Math.max(1, outcome.at - Date.now()));
  }
}
