import { proxyActivities } from "@temporalio/workflow";
import type { PlacementActivities, PlacementLookActivities } from "../activities/deliverability/placement.ts";
import type { SingleSendActivities } from "../activities/sending/one-off.ts";
import {
  LANES_AT_ONCE,
  PLACEMENT_LOOK,
  PLACEMENT_SEND,
  type PlacementIds,
  type PlacementStatus,
} from "../domain/deliverability/placement.ts";
import { RECORDS } from "../domain/workflow-contract.ts";
import { sendUntilSettled } from "./settled.ts";

const { beginPlacementTest, closePlacementTest } = proxyActivities<PlacementActivities>({
  ...RECORDS,
  taskQueue: "jobs",
});
const { sendOnce } = proxyActivities<SingleSendActivities>({ ...PLACEMENT_SEND, taskQueue: "smtp" });
const { lookForPlacements } = proxyActivities<PlacementLookActivities>({ ...PLACEMENT_LOOK, taskQueue: "imap" });

/**
 * Sends the emails of a placement test, one at a time from each sender, and meanwhile checks where they arrive.
 * The rows in `sends` ensure that each is sent only once. Documents record the progress, so a lost run can simply be started again.
 */
export async function placementTest(ids: PlacementIds): Promise<PlacementStatus | null> {
  const work = await beginPlacementTest(ids);
  if (work === null) return closePlacementTest(ids);
  const lanes = [...work.lanes];
  const sending = Array.from({ length: LANES_AT_ONCE }, async () => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift())
      for (const sendId of lane) await sendUntilSettled(() => sendOnce({ v: 1, workspaceId: ids.workspaceId, sendId }));
  });
  await Promise.all([...sending, ...work.mailboxIds.map((mailboxId) => lookForPlacements({ ...ids, mailboxId }))]);
  return closePlacementTest(ids);
}
