import { proxyActivities, sleep } from "@temporalio/workflow";
import type { SingleSendActivities } from "../activities/sending/one-off.ts";
import type { SendIds, SingleEnd } from "../domain/workflow-contract.ts";

const { sendOnce } = proxyActivities<SingleSendActivities>({
  taskQueue: "smtp",
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "2s", maximumAttempts: 3 },
});

/** Sends one mail for which somebody waits: a test mail or a reply. Its row in `sends` ensures that it is sent only once. */
export async function singleSend(ids: SendIds): Promise<SingleEnd> {
  for (;;) {
    const outcome = await sendOnce(ids);
    if (outcome.kind !== "later") return outcome;
    await sleep(Math.max(1, outcome.at - Date.now()));
  }
}
