import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { barWordOf, maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { winnerAmong } from "../../domain/sequences/winner.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { reassignLost } from "../mailboxes/failover.ts";
import { tripReplyRateFloor } from "./auto-pause.ts";
import { loadCampaignMailboxes } from "./mailboxes-of-campaign.ts";
import { moveCampaign } from "./status.ts";
import { loadTrial } from "./trial.ts";

/** Milliseconds without any mailbox that can send after which a campaign pauses (rules/campaigns 5.3). */
const UNSENDABLE_MS = 24 * HOUR_MS;

/** The recurring checks of an active campaign. If its settings require no other check, only its mailboxes are read. */
export async function runMaintenance(campaign: Campaign): Promise<void> {
  const { workspaceId, _id: campaignId } = campaign;
  const settings = settingsOf(campaign.settings);
  if (await pauseUnsendable(campaign, settings)) return;
  if (settings.replyRateFloor !== null && (await tripReplyRateFloor(workspaceId, campaignId))) return;
  const steps = (await scoped(workspaceId).Sequence.findOne({ campaignId }))?.steps ?? [];
  await chooseWinners(workspaceId, campaignId, steps);
  if (settings.mailboxFailover === "REASSIGN") await reassignLost(campaign, settings, steps);
}

/** When the recurring checks must run again even if nothing changes, in epoch milliseconds; Infinity when never. */
export function looksAgainAt(settings: Settings, steps: readonly Step[], now: number): number {
  const isWatched =
    settings.replyRateFloor !== null || settings.mailboxFailover === "REASSIGN" || steps.some(isContest);
  return isWatched ? now + HOUR_MS : Number.POSITIVE_INFINITY;
}

async function pauseUnsendable(campaign: Campaign, settings: Settings): Promise<boolean> {
  const { workspaceId, _id, unsendableSince } = campaign;
  const { Campaign } = scoped(workspaceId);
  const mailboxes = await loadCampaignMailboxes(workspaceId, settings);
  if (mailboxes.some(maySendCampaigns)) {
    if (unsendableSince !== null) await Campaign.updateOne({ _id }, { $set: { unsendableSince: null } });
    return false;
  }
  const now = Date.now();
  if (unsendableSince === null)
    await Campaign.updateOne({ _id, unsendableSince: null }, { $set: { unsendableSince: new Date(now) } });
  if (unsendableSince === null || now - unsendableSince.getTime() < UNSENDABLE_MS) return false;
  const pauseReason = mailboxes.length === 0 ? "NO_MAILBOX" : "MAILBOXES_UNHEALTHY";
  const because = {
    since: unsendableSince,
    mailboxes: mailboxes.slice(0, 100).map((mailbox) => ({ mailboxId: mailbox._id, status: barWordOf(mailbox) })),
  };
  return inTransaction(async () => {
    await Campaign.updateOne({ _id }, { $set: { unsendableSince: null } });
    return (
      (await moveCampaign(workspaceId, _id, { from: ["ACTIVE"], to: "PAUSED", pauseReason, because, actor: null })) !==
      null
    );
  });
}

/**
 * Chooses the winner of every step with an automatic winner (rules/campaigns 3.2), and stores it if the counts now show
 * a different winner or the first one. Returns how many changed.
 */
export async function chooseWinners(workspaceId: string, campaignId: string, steps: readonly Step[]): Promise<number> {
  let chosen = 0;
  for (const step of steps) {
    if (!isContest(step)) continue;
    const winnerVariantId = winnerAmong(await loadTrial(workspaceId, campaignId, step), step.winner);
    if (winnerVariantId === null || winnerVariantId === step.winner.winnerVariantId) continue;
    if (await inTransaction(() => storeWinner(workspaceId, campaignId, step, winnerVariantId))) chosen++;
  }
  return chosen;
}

/** Whether the step chooses its winner automatically among several enabled variants. */
function isContest({ winner, variants }: Step): boolean {
  return winner.mode === "AUTO" && variants.filter(({ enabled }) => enabled).length > 1;
}

/**
 * Stores a winner and increments the campaign's version, as every edit of the sequence does. If the step was edited in
 * between, nothing is stored.
 */
async function storeWinner(
  workspaceId: string,
  campaignId: string,
  judged: Step,
  winnerVariantId: string,
): Promise<boolean> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const campaign = await Campaign.findOne({ _id: campaignId, status: trusted({ $ne: "ARCHIVED" }) });
  const sequence = await Sequence.findOne({ campaignId });
  const at = sequence?.steps.findIndex(({ stepId }) => stepId === judged.stepId) ?? -1;
  const step = sequence?.steps[at];
  if (campaign === null || step === undefined || JSON.stringify(step) !== JSON.stringify(judged)) return false;
  const version = campaign.version + 1;
  await Sequence.updateOne(
    { campaignId },
    { $set: { [`steps.${at}.winner.winnerVariantId`]: winnerVariantId, version } },
  );
  await Campaign.updateOne({ _id: campaignId }, { $set: { version } });
  return true;
}
