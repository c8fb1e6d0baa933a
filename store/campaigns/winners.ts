import type { Step } from "../../domain/sequences/sequence.ts";
import { winnerAmong } from "../../domain/sequences/winner.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadTrial } from "./trial.ts";

/**
 * Chooses the winner of every step that chooses automatically (rules/campaigns 3.2), and stores it where the counts show a winner or a
 * different one than before. Setting the mode to OFF removes the winner again. Returns how many changed.
 */
export async function chooseWinners(workspaceId: string, campaignId: string, steps: readonly Step[]): Promise<number> {
  let chosen = 0;
  for (const step of steps) {
    if (!isContest(step)) continue;
    const winnerVariantId = winnerAmong(await loadTrial(workspaceId, campaignId, step), step.winner);
    if (winnerVariantId === null || winnerVariantId === step.winner.winnerVariantId) continue;
    if (await inTransaction(() => write(workspaceId, campaignId, step, winnerVariantId))) chosen++;
  }
  return chosen;
}

/** Whether this step must be checked for a winner from time to time. */
export function isContest({ winner, variants }: Step): boolean {
  return winner.mode === "AUTO" && variants.filter(({ enabled }) => enabled).length > 1;
}

/** Increments the campaign's version, as every edit of the sequence does. If this step was edited in between, that edit wins. */
async function write(workspaceId: string, campaignId: string, judged: Step, winnerVariantId: string): Promise<boolean> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const campaign = await Campaign.findOne({ _id: campaignId, status: trusted({ $ne: "ARCHIVED" }) });
  const sequence = await Sequence.findOne({ campaignId });
  const at = sequence?.steps.findIndex(({ stepId }) => stepId === judged.stepId) ?? -1;
  const step = sequence?.steps[at];
  if (campaign === null || step === undefined || JSON.stringify(step) !== JSON.stringify(judged)) return false;
  const version = campaign.version + 1;
  await Sequence.updateOne({ campaignId }, { $set: { [`steps.${at}.winner.winnerVariantId`]: winnerVariantId, version } });
  await Campaign.updateOne({ _id: campaignId }, { $set: { version } });
  return true;
}
