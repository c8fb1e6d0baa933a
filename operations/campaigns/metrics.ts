import { moneyText } from "../../domain/decimals.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { NEVER, type Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";

/**
 * The metrics of a campaign, from indexed counts, so that no send writes the campaign's own document (rules/campaigns
 * 6.1). Contacted recipients are those that were sent an email, bounced ones included (rules/campaigns 6.2). A bounce
 * in another campaign can end a recipient here, but is not counted here.
 */
export async function metricsOf(campaign: Campaign) {
  const [metrics] = await metricsOfAll([campaign]);
  if (metrics === undefined) throw new Error("No metrics were counted");
  return metrics;
}

/** The metrics of several campaigns of one workspace, in their order, with one query per number for all of them. */
export async function metricsOfAll(campaigns: readonly Campaign[]) {
  const [first] = campaigns;
  if (first === undefined) return [];
  const { workspaceId } = first;
  const ids = campaigns.map(({ _id }) => _id);
  const { ActivityEvent, Message, Recipient, Send } = scoped(workspaceId);
  const recipients = (match: object) =>
    tallied(Recipient.aggregate<Tally>({ campaignId: { $in: ids }, ...match }, PER_CAMPAIGN));
  const having = (field: keyof Recipient) => recipients({ [field]: { $gt: NEVER } });
  const sends = (state: string) => tallied(Send.aggregate<Tally>({ campaignId: { $in: ids }, state }, PER_CAMPAIGN));
  const hardBounced = { bouncedAt: { $gt: NEVER }, "bounce.type": "HARD" };
  // One after the other, because a caller may ask within a transaction
  const { withPixel, withLinks } = await trackedMails(workspaceId, ids);
  const wentOut = await sends("SENT");
  const cameBack = await sends("BOUNCED");
  const mailed = await having("lastSentAt");
  const refused = await recipients({ ...hardBounced, lastSentAt: null });
  const opened = await having("openedAt");
  const proxyOpened = await having("proxyOpenedAt");
  const clicked = await having("clickedAt");
  const replied = await having("repliedAt");
  const autoReplied = await having("autoRepliedAt");
  const positive = await positiveOf(workspaceId, ids);
  const bounced = await recipients(hardBounced);
  const unsubscribed = await having("unsubscribedAt");
  const complaints = Message.aggregate<Tally>({ campaignId: { $in: ids }, kind: "COMPLAINT" }, PER_CAMPAIGN);
  const complained = await tallied(complaints);
  const meetings = await recipients({ meetingBooked: true });
  const conversions = await tallied(
    ActivityEvent.aggregate<Tally>({ campaignId: { $in: ids }, type: "CONVERTED" }, PER_CAMPAIGN),
  );
  const revenue = await revenueOf(workspaceId, ids);
  return campaigns.map(({ _id: id, recipientCount }) => {
    // An email that the server refuses during the SMTP session is not sent, but counts as a bounce
    const contacted = mailed(id) + refused(id);
    return {
      recipients: recipientCount,
      contacted,
      sent: wentOut(id) + cameBack(id),
      delivered: wentOut(id),
      opened: countOrUntracked(opened(id), withPixel(id) > 0),
      proxyOpened: countOrUntracked(proxyOpened(id), withPixel(id) > 0),
      clicked: countOrUntracked(clicked(id), withLinks(id) > 0),
      replied: replied(id),
      autoReplied: autoReplied(id),
      positiveReplies: positive(id),
      bounced: bounced(id),
      unsubscribed: unsubscribed(id),
      complained: complained(id),
      meetings: meetings(id),
      conversions: conversions(id),
      revenue: revenue
        .filter(({ campaignId }) => campaignId === id)
        .map(({ currency, amount }) => ({ currency, amount })),
      ...ratesOf({ contacted, replied: replied(id), bounced: bounced(id) }),
    };
  });
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

/** How many emails of each campaign had a tracking pixel, and how many had tracked links. */
export async function trackedMails(workspaceId: string, ids: readonly string[]) {
  const { Send } = scoped(workspaceId);
  const carrying = (field: "opens" | "clicks") =>
    tallied(Send.aggregate<Tally>({ campaignId: { $in: [...ids] }, [`tracking.${field}`]: true }, PER_CAMPAIGN));
  return { withPixel: await carrying("opens"), withLinks: await carrying("clicks") };
}

interface Tally {
  _id: string;
  count: number;
}

const PER_CAMPAIGN = { $group: { _id: "$campaignId", count: { $sum: 1 } } };

async function tallied(counting: Promise<Tally[]>): Promise<(campaignId: string) => number> {
  const counts = new Map((await counting).map(({ _id, count }) => [_id, count]));
  return (campaignId) => counts.get(campaignId) ?? 0;
}

/** Counts the people whose newest categorised reply is positive. */
function positiveOf(workspaceId: string, ids: string[]) {
  const positive = { campaignId: { $in: ids }, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  const people = scoped(workspaceId).Thread.aggregate<Tally>(
    positive,
    { $group: { _id: { campaignId: "$campaignId", recipientId: "$recipientId" } } },
    { $group: { _id: "$_id.campaignId", count: { $sum: 1 } } },
  );
  return tallied(people);
}

async function revenueOf(workspaceId: string, ids: string[]) {
  const sums = await scoped(workspaceId).Recipient.aggregate<{
    _id: { campaignId: string; currency: string | null };
    amount: { toString(): string };
  }>(
    { campaignId: { $in: ids }, revenueAmount: { $gt: "" } },
    {
      $group: {
        _id: { campaignId: "$campaignId", currency: "$revenueCurrency" },
        amount: { $sum: { $toDecimal: "$revenueAmount" } },
      },
    },
    { $sort: { "_id.currency": 1 } },
  );
  return sums.flatMap(({ _id: { campaignId, currency }, amount }) =>
    currency === null ? [] : [{ campaignId, currency, amount: moneyText(amount.toString()) }],
  );
}
