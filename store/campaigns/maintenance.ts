import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { barWordOf, maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { reassignLost } from "../mailboxes/failover.ts";
import { tripReplyRateFloor } from "./auto-pause.ts";
import { loadCampaignMailboxes } from "./mailboxes-of-campaign.ts";
import { moveCampaign } from "./status.ts";
import { chooseWinners, isContest } from "./winners.ts";

/** Milliseconds without any mailbox that can send after which a campaign pauses (rules/campaigns 5.3). */
const UNSENDABLE_MS = 24 * HOUR_MS;

/** The recurring checks of an active campaign. For a campaign whose settings ask for none of them, only its mailboxes are read. */
export async function runMaintenance(campaign: Campaign): Promise<void> {
  const { workspaceId, _id: campaignId } = campaign;
  const settings = settingsOf(campaign.settings);
  if (await pauseUnsendable(campaign, settings)) return;
  if (settings.replyRateFloor !== null && (await tripReplyRateFloor(workspaceId, campaignId))) return;
  const steps = (await scoped(workspaceId).Sequence.findOne({ campaignId }))?.steps ?? [];
  await chooseWinners(workspaceId, campaignId, steps);
  if (settings.mailboxFailover === "REASSIGN") await reassignLost(campaign, settings, steps);
}

/** When the recurring checks must run again though nothing changes, in epoch milliseconds; Infinity when never. */
export function looksAgainAt(settings: Settings, steps: readonly Step[], now: number): number {
  const isWatched = settings.replyRateFloor !== null || settings.mailboxFailover === "REASSIGN" || steps.some(isContest);
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
  if (unsendableSince === null) await Campaign.updateOne({ _id, unsendableSince: null }, { $set: { unsendableSince: new Date(now) } });
  if (unsendableSince === null || now - unsendableSince.getTime() < UNSENDABLE_MS) return false;
  const pauseReason = mailboxes.length === 0 ? "NO_MAILBOX" : "MAILBOXES_UNHEALTHY";
  const because = {
    since: unsendableSince,
    mailboxes: mailboxes.slice(0, 100).map((mailbox) => ({ mailboxId: mailbox._id, status: barWordOf(mailbox) })),
  };
  return inTransaction(async () => {
    await Campaign.updateOne({ _id }, { $set: { unsendableSince: null } });
    return (await moveCampaign(workspaceId, _id, { from: ["ACTIVE"], to: "PAUSED", pauseReason, because, actor: null })) !== null;
  });
}
