import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { CampaignActivities } from "../activities/campaigns/feeder.ts";
import { type CampaignIds, RECORDS } from "../domain/workflow-contract.ts";

export const changedSignal = defineSignal("changed");
export const progressQuery = defineQuery<CampaignProgress>("progress");

/** The state of a campaign's feeder, for operators. */
export interface CampaignProgress {
  admitted: number;
  wakesAt: string | null;
}

/** `admitted` is the number of recipients that earlier runs admitted. */
export type FeederInput = CampaignIds & { admitted?: number };

const { standingOf, resumeParked, admitRecipients, checkCompletion, stopRecipients } =
  proxyActivities<CampaignActivities>({
    ...RECORDS,
    taskQueue: "engine",
  });

/**
 * Feeds a campaign: starts recipients shortly before their first slot, wakes parked recipients, and ends when no
 * recipient is left.
 */
export async function campaign({ admitted: before = 0, ...ids }: FeederInput): Promise<string> {
  let changed = false;
  const progress: CampaignProgress = { admitted: before, wakesAt: null };
  setHandler(changedSignal, () => {
    changed = true;
  });
  setHandler(progressQuery, () => progress);

  for (;;) {
    changed = false;
    const standing = await standingOf(ids);
    if (standing.status === "GONE") {
      // A signal that arrived meanwhile may have unarchived the campaign
      if (!changed) return "gone";
      continue;
    }
    if (standing.status === "ENDED") {
      await stopRecipients(ids);
      // A signal that arrived meanwhile may have reopened the campaign
      if (!changed) return "ended";
      continue;
    }
    let wakeAt = standing.wakeAt;
    if (standing.status === "ACTIVE") {
      await resumeParked(ids);
      const admitted = await admitRecipients(ids);
      progress.admitted += admitted.count;
      wakeAt = admitted.wakeAt;
      if (admitted.isDrained && (await checkCompletion(ids))) continue;
    }
    progress.wakesAt = new Date(wakeAt).toISOString();
    await condition(() => changed, Math.max(1, wakeAt - Date.now()), { summary: "the next look" });
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
      await continueAsNew<typeof campaign>({ ...ids, admitted: progress.admitted });
    }
  }
}
