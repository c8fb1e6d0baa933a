import { type CampaignCounts, type CountName, SENT_STATES } from "../domain/campaigns/counts.ts";
import { NEVER, type Recipient } from "../models/recipients/recipient.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { READ_LIMIT_MS } from "../mongo/direct.ts";

/**
 * Counts the numbers of campaigns of one workspace from the records, by the id of the campaign, with one query per
 * number for all of them. All of them together may take `limitMs` milliseconds. Recipients who were sent an email are counted apart from those whose server refused it. A
 * bounce in another campaign can end a recipient here, but is not counted here.
 */
export async function countFromRecords(
  workspaceId: string,
  ids: readonly string[],
  limitMs = READ_LIMIT_MS,
): Promise<Map<string, CampaignCounts>> {
  const { ActivityEvent, Message, Recipient, Send } = scoped(workspaceId);
  const until = performance.now() + limitMs;
  const leftMs = () => Math.max(1, Math.floor(until - performance.now()));
  const campaignId = { $in: [...ids] };
  const recipients = (match: object) =>
    Recipient.aggregateWithin<Tally>(leftMs(), { campaignId, ...match }, PER_CAMPAIGN);
  const having = (field: keyof Recipient) => recipients({ [field]: { $gt: NEVER } });
  const sends = (state: string) => Send.aggregateWithin<Tally>(leftMs(), { campaignId, state }, PER_CAMPAIGN);
  const hardBounced = { bouncedAt: { $gt: NEVER }, "bounce.type": "HARD" };
  // One after the other, because a caller may ask within a transaction
  const tracked = await trackedMails(workspaceId, ids);
  const numbers: Record<CountName, Tally[]> = {
    delivered: await sends("SENT"),
    returned: await sends("BOUNCED"),
    mailed: await having("lastSentAt"),
    refused: await recipients({ ...hardBounced, lastSentAt: null }),
    opened: await having("openedAt"),
    proxyOpened: await having("proxyOpenedAt"),
    clicked: await having("clickedAt"),
    replied: await having("repliedAt"),
    autoReplied: await having("autoRepliedAt"),
    positive: await positiveOf(workspaceId, ids, leftMs()),
    bounced: await recipients(hardBounced),
    unsubscribed: await having("unsubscribedAt"),
    complained: await Message.aggregateWithin(leftMs(), { campaignId, kind: "COMPLAINT" }, PER_CAMPAIGN),
    meetings: await recipients({ meetingBooked: true }),
    conversions: await ActivityEvent.aggregateWithin(leftMs(), { campaignId, type: "CONVERTED" }, PER_CAMPAIGN),
    withPixel: tracked.withPixel.map(toOne),
    withLinks: tracked.withLinks.map(toOne),
  };
  const revenue = await revenueOf(workspaceId, ids, leftMs());
  const found = new Map(ids.map((id) => [id, { counts: {}, revenue: revenue(id) } as CampaignCounts]));
  for (const [name, tallies] of Object.entries(numbers) as [CountName, Tally[]][]) // its own keys
    for (const { _id, count } of tallies) {
      const counts = found.get(_id)?.counts;
      if (counts !== undefined) counts[name] = count;
    }
  return found;
}

/**
 * The ids of the campaigns that sent an email with a tracking pixel, and of those that sent one with tracked links. They
 * are not counted, because a campaign may have a million of them.
 */
export async function trackedMails(
  workspaceId: string,
  ids: readonly string[],
): Promise<{ withPixel: string[]; withLinks: string[] }> {
  const { Send } = scoped(workspaceId);
  const carrying = async (field: "tracking.opens" | "tracking.clicks") => {
    const found: string[] = [];
    for (const campaignId of ids) {
      const sent = { campaignId, [field]: true, state: trusted({ $in: [...SENT_STATES] }) };
      const hint = `workspaceId_1_campaignId_1_${field}_1`;
      const [one] = await Send.read(sent, { select: { _id: 1 }, limit: 1, hint });
      if (one !== undefined) found.push(campaignId);
    }
    return found;
  };
  return { withPixel: await carrying("tracking.opens"), withLinks: await carrying("tracking.clicks") };
}

interface Tally {
  _id: string;
  count: number;
}

const PER_CAMPAIGN = { $group: { _id: "$campaignId", count: { $sum: 1 } } };

function toOne(campaignId: string): Tally {
  return { _id: campaignId, count: 1 };
}

/** Counts the people whose newest categorised reply is positive. */
function positiveOf(workspaceId: string, ids: readonly string[], limitMs: number): Promise<Tally[]> {
  const positive = { campaignId: { $in: [...ids] }, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  return scoped(workspaceId).Thread.aggregateWithin<Tally>(
    limitMs,
    positive,
    { $group: { _id: { campaignId: "$campaignId", recipientId: "$recipientId" } } },
    { $group: { _id: "$_id.campaignId", count: { $sum: 1 } } },
  );
}

async function revenueOf(
  workspaceId: string,
  ids: readonly string[],
  limitMs: number,
): Promise<(campaignId: string) => CampaignCounts["revenue"]> {
  const sums = await scoped(workspaceId).Recipient.aggregateWithin<{
    _id: { campaignId: string; currency: string | null };
    people: number;
    amount: { toString(): string };
  }>(
    limitMs,
    { campaignId: { $in: [...ids] }, revenueAmount: { $gt: "" } },
    {
      $group: {
        _id: { campaignId: "$campaignId", currency: "$revenueCurrency" },
        people: { $sum: 1 },
        amount: { $sum: { $toDecimal: "$revenueAmount" } },
      },
    },
  );
  return (campaignId) =>
    Object.fromEntries(
      sums.flatMap(({ _id: { campaignId: id, currency }, people, amount }) =>
        id === campaignId && currency !== null ? [[currency, { people, amount: amount.toString() }]] : [],
      ),
    );
}
