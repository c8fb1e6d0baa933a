import { settingsOf } from "../domain/settings.ts";
import { trusted } from "../models/collection.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { moveCampaign } from "./campaign-status.ts";

const DAY_MS = 86_400_000;

/**
 * Pauses a campaign whose hard bounces have reached the share of its mails that its `bounceGuard` allows (B33). A resume by hand
 * keeps it from tripping for a day. Answers whether it tripped.
 */
export function tripBounceGuard(workspaceId: string, campaignId: string): Promise<boolean> {
  return inTransaction(async () => {
    const { Campaign, Recipient, Send } = scoped(workspaceId);
    const campaign = await Campaign.findOne({ _id: campaignId, status: "ACTIVE" });
    if (campaign === null) return false;
    const { enabled, rate, minSends, windowDays } = settingsOf(campaign.settings).bounceGuard;
    const now = Date.now();
    if (!enabled || (campaign.guardOverrideUntil?.getTime() ?? 0) > now) return false;
    const since = trusted({ $gte: new Date(now - windowDays * DAY_MS) });
    const sent = await Send.count({ campaignId, state: trusted({ $in: ["SENT", "BOUNCED", "UNKNOWN"] }), claimedAt: since });
    if (sent < minSends) return false;
    const bounced = await Recipient.count({ campaignId, status: "BOUNCED", bouncedAt: since });
    if (bounced < rate * sent) return false;
    return (
      (await moveCampaign(workspaceId, campaignId, { from: ["ACTIVE"], to: "PAUSED", pauseReason: "BOUNCE_GUARD", actor: null })) !== null
    );
  });
}
