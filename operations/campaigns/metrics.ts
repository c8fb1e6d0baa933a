import type { Campaign } from "../../models/campaign.ts";
import { NEVER, type Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";

/**
 * The metrics of a campaign, from indexed counts, so that no send writes the campaign's own document (rules/campaigns 6.1). Contacted
 * recipients
 * are those that were sent a mail, bounced ones included (rules/campaigns 6.2). If a bounce elsewhere ended a recipient here, it is no
 * bounce of this
 * campaign.
 */
export async function metricsOf({ workspaceId, _id: campaignId, recipientCount }: Campaign) {
  const { ActivityEvent, Message, Recipient, Send } = scoped(workspaceId);
  // the field is a date of the record
  const having = (field: keyof Recipient) => Recipient.count({ campaignId, [field]: trusted({ $gt: NEVER }) } as Filter<Recipient>);
  const hardBounced = { campaignId, bouncedAt: trusted({ $gt: NEVER }), "bounce.type": "HARD" } as const;
  const wentOut = await Send.count({ campaignId, state: "SENT" });
  const cameBack = await Send.count({ campaignId, state: "BOUNCED" });
  const replied = await having("repliedAt");
  const bounced = await Recipient.count(hardBounced);
  // A mail refused within the SMTP dialogue was not sent, but counts as a bounce
  const contacted = (await having("lastSentAt")) + (await Recipient.count({ ...hardBounced, lastSentAt: null }));
  const rateOf = (part: number) => (contacted === 0 ? 0 : part / contacted);
  return {
    recipients: recipientCount,
    contacted,
    sent: wentOut + cameBack,
    delivered: wentOut,
    opened: await having("openedAt"),
    clicked: await having("clickedAt"),
    replied,
    autoReplied: await having("autoRepliedAt"),
    positiveReplies: await positiveOf(workspaceId, campaignId),
    bounced,
    unsubscribed: await having("unsubscribedAt"),
    complained: await Message.count({ campaignId, kind: "COMPLAINT" }),
    meetings: await Recipient.count({ campaignId, meetingBooked: true }),
    conversions: await ActivityEvent.count({ campaignId, type: "CONVERTED" }),
    revenue: await revenueOf(workspaceId, campaignId),
    replyRate: rateOf(replied),
    bounceRate: rateOf(bounced),
  };
}

/** How many people's newest categorised reply is positive. */
async function positiveOf(workspaceId: string, campaignId: string): Promise<number> {
  const positive = { campaignId, sentiment: "POSITIVE", recipientId: { $gt: "" } };
  const [count] = await scoped(workspaceId).Thread.aggregate<{ people: number }>(
    positive,
    { $group: { _id: "$recipientId" } },
    { $count: "people" },
  );
  return count?.people ?? 0;
}

async function revenueOf(workspaceId: string, campaignId: string): Promise<{ currency: string; amount: string }[]> {
  const sums = await scoped(workspaceId).Recipient.aggregate<{ _id: string | null; amount: { toString(): string } }>(
    { campaignId, revenueAmount: { $gt: "" } },
    { $group: { _id: "$revenueCurrency", amount: { $sum: { $toDecimal: "$revenueAmount" } } } },
    { $sort: { _id: 1 } },
  );
  return sums.flatMap(({ _id, amount }) => (_id === null ? [] : [{ currency: _id, amount: amount.toString() }]));
}
