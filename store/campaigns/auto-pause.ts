import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import type { PauseReason } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { NEVER } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { moveCampaign } from "./status.ts";

/** Days over which complaints are counted: the default window of hard bounces (rules/campaigns 5.1). */
const COMPLAINT_DAYS = 7;
/** How many people must have been contacted before a reply rate is meaningful (rules/campaigns 5.2). */
const FLOOR_CONTACTED = 200;

/**
 * Pauses a campaign when its hard bounces reach the share of sent emails that `bounceGuard` allows (rules/campaigns
 * 5.1). For a day after a person has resumed the campaign, it is not paused. Returns whether it was paused.
 */
export function tripBounceGuard(workspaceId: string, campaignId: string): Promise<boolean> {
  return pauseIfJudged(workspaceId, campaignId, "BOUNCE_GUARD", async (campaign, { bounceGuard }) => {
    const { enabled, rate, minSends, windowDays } = bounceGuard;
    if (!enabled) return null;
    const sent = await sentSince(campaign, windowDays);
    if (sent < minSends) return null;
    // A recipient whose address bounced in another campaign also ended in this one, but does not count as its bounce. A
    // bounce from an address to which the email was forwarded does not count either
    const own = {
      campaignId,
      bouncedAt: sinceDays(windowDays),
      "bounce.type": "HARD",
      stopReason: trusted({ $ne: "FORWARDED" }),
    };
    const bounced = await scoped(workspaceId).Recipient.count(own);
    return bounced < rate * sent ? null : { bounced, sent, rate: bounced / sent, allowed: rate, windowDays };
  });
}

/**
 * Pauses a campaign when its complaints reach the allowed share, like `tripBounceGuard`. `arriving` is the number of
 * complaints in this transaction whose message is not stored yet.
 */
export function tripComplaintGuard(workspaceId: string, campaignId: string, { arriving = 0 } = {}): Promise<boolean> {
  return pauseIfJudged(workspaceId, campaignId, "COMPLAINT_GUARD", async (campaign, { complaintGuard }) => {
    const { enabled, rate, minSends, minComplaints } = complaintGuard;
    if (!enabled) return null;
    const stored = await scoped(workspaceId).Message.count({
      campaignId,
      kind: "COMPLAINT",
      createdAt: sinceDays(COMPLAINT_DAYS),
    });
    const complaints = stored + arriving;
    if (complaints < minComplaints) return null;
    const sent = await sentSince(campaign, COMPLAINT_DAYS);
    if (sent < minSends || complaints < rate * sent) return null;
    return { complaints, sent, rate: complaints / sent, allowed: rate, windowDays: COMPLAINT_DAYS };
  });
}

/**
 * Pauses a campaign whose reply rate is below its `replyRateFloor`, once 200 people were contacted. Returns whether it
 * was paused.
 */
export function tripReplyRateFloor(workspaceId: string, campaignId: string): Promise<boolean> {
  return pauseIfJudged(workspaceId, campaignId, "REPLY_RATE_FLOOR", async (_campaign, { replyRateFloor }) => {
    if (replyRateFloor === null) return null;
    const { Recipient } = scoped(workspaceId);
    const contacted = await Recipient.count({ campaignId, lastSentAt: trusted({ $gt: NEVER }) });
    if (contacted < FLOOR_CONTACTED) return null;
    const replied = await Recipient.count({ campaignId, repliedAt: trusted({ $gt: NEVER }) });
    return replied / contacted >= replyRateFloor
      ? null
      : { replied, contacted, rate: replied / contacted, floor: replyRateFloor };
  });
}

/** Returns null while the campaign may continue, or the measured numbers when it must pause. */
type Judge = (campaign: Campaign, settings: Settings) => Promise<Record<string, number> | null>;

function pauseIfJudged(
  workspaceId: string,
  campaignId: string,
  pauseReason: PauseReason,
  judge: Judge,
): Promise<boolean> {
  return inTransaction(async () => {
    const campaign = await scoped(workspaceId).Campaign.findOne({ _id: campaignId, status: "ACTIVE" });
    if (campaign === null || (campaign.guardOverrideUntil?.getTime() ?? 0) > Date.now()) return false;
    const because = await judge(campaign, settingsOf(campaign.settings));
    if (because === null) return false;
    return (
      (await moveCampaign(workspaceId, campaignId, {
        from: ["ACTIVE"],
        to: "PAUSED",
        pauseReason,
        because,
        actor: null,
      })) !== null
    );
  });
}

function sentSince({ workspaceId, _id: campaignId }: Campaign, days: number): Promise<number> {
  const wentOut = trusted({ $in: ["SENT", "BOUNCED", "UNKNOWN"] });
  return scoped(workspaceId).Send.count({ campaignId, state: wentOut, claimedAt: sinceDays(days) });
}

function sinceDays(days: number): unknown {
  return trusted({ $gte: new Date(Date.now() - days * DAY_MS) });
}
