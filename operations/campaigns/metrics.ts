import type { CampaignCounts } from "../../domain/campaigns/counts.ts";
import { moneyText } from "../../domain/decimals.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { whenInTime } from "../../mongo/unfit.ts";
import { readCounts } from "../../store/campaign-counters.ts";
import { countFromRecords } from "../../store/campaign-metrics.ts";

type Counted = Pick<Campaign, "workspaceId" | "_id" | "recipientCount">;

/** The metrics of a campaign, counted from its records (rules/campaigns 6.2). */
export async function countMetrics({ workspaceId, _id, recipientCount }: Counted) {
  const found = (await countFromRecords(workspaceId, [_id])).get(_id);
  if (found === undefined) throw new Error("No metrics were counted");
  return metricsBy(recipientCount, found);
}

/** The metrics of campaigns of one workspace from their counters, in their order; null if not to be had in time. */
export async function readMetrics(campaigns: readonly Counted[]): Promise<(Metrics | null)[]> {
  const [first] = campaigns;
  if (first === undefined) return [];
  const ids = campaigns.map(({ _id }) => _id);
  const found = await whenInTime(readCounts(first.workspaceId, ids));
  return campaigns.map(({ _id, recipientCount }) => {
    const counts = found?.get(_id);
    return counts === undefined ? null : metricsBy(recipientCount, counts);
  });
}

type Metrics = ReturnType<typeof metricsBy>;

function metricsBy(recipients: number, { counts, revenue }: CampaignCounts) {
  const { mailed = 0, refused = 0, delivered = 0, returned = 0, withPixel = 0, withLinks = 0 } = counts;
  const { opened = 0, proxyOpened = 0, clicked = 0, replied = 0, bounced = 0 } = counts;
  // An email that the server refuses during the SMTP session is not sent, but counts as a bounce
  const contacted = mailed + refused;
  return {
    recipients,
    contacted,
    sent: delivered + returned,
    delivered,
    opened: countOrUntracked(opened, withPixel > 0),
    proxyOpened: countOrUntracked(proxyOpened, withPixel > 0),
    clicked: countOrUntracked(clicked, withLinks > 0),
    replied,
    autoReplied: counts.autoReplied ?? 0,
    positiveReplies: counts.positive ?? 0,
    bounced,
    unsubscribed: counts.unsubscribed ?? 0,
    complained: counts.complained ?? 0,
    meetings: counts.meetings ?? 0,
    conversions: counts.conversions ?? 0,
    revenue: Object.entries(revenue)
      .map(([currency, { amount }]) => ({ currency, amount: moneyText(amount) }))
      .sort((one, other) => (one.currency < other.currency ? -1 : 1)),
    ...ratesOf({ contacted, replied, bounced }),
  };
}

/** The rates of rules/campaigns 6.2. */
export function ratesOf({ contacted, replied, bounced }: { contacted: number; replied: number; bounced: number }) {
  const rateOf = (part: number) => (contacted === 0 ? 0 : part / contacted);
  return { replyRate: rateOf(replied), bounceRate: rateOf(bounced) };
}

/** A count of 0 is null if no email was tracked, because the number is unknown (rules/campaigns 6.5). */
export function countOrUntracked(count: number, isTracked: boolean): number | null {
  return count === 0 && !isTracked ? null : count;
}
