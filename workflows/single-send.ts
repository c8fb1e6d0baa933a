import { condition, defineQuery, defineSignal, proxyActivities, setHandler, sleep } from "@temporalio/workflow";
import type { SingleSendActivities } from "../activities/sending/one-off.ts";
import { type ScheduledReplyIds, SEND_STEP, type SendIds, type SingleEnd } from "../domain/workflow-contract.ts";
import { sendUntilSettled } from "./settled.ts";

const { sendOnce } = proxyActivities<SingleSendActivities>({
  taskQueue: "smtp",
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "2s", maximumAttempts: 3 },
});

/**
 * Sends one email while a caller waits: a test email or a reply. Its row in `sends` ensures that it is sent only once.
 */
export function singleSend(ids: SendIds): Promise<SingleEnd> {
  return sendUntilSettled(() => sendOnce(ids));
}

export const cancelSignal = defineSignal("cancel");
export const statusQuery = defineQuery<string>("status");

const { sendReply } = proxyActivities<SingleSendActivities>({ ...SEND_STEP, taskQueue: "smtp" });

/**
 * Waits until a scheduled reply is due and sends it. The reply's document says whether it was cancelled by then; its
 * send ensures that it is sent only once.
 */
export async function scheduledReply(ids: ScheduledReplyIds): Promise<string> {
  let isCancelled = false;
  let status = "PENDING";
  setHandler(cancelSignal, () => {
    isCancelled = true;
  });
  setHandler(statusQuery, () => status);
  const waitMs = Math.max(1, ids.sendAt - Date.now());
  if (await condition(() => isCancelled, waitMs, { summary: "the hour it was scheduled for" })) return "CANCELLED";
  status = "SENDING";
  for (;;) {
    const outcome = await sendReply(ids);
    if (outcome.kind === "ended") return outcome.status;
    await sleep(Math.max(1, outcome.at - Date.now()));
  }
}
