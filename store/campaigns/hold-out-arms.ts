import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** Sources of outcomes that do not depend on an email, so they are known for the hold-out group too. */
export const OUTCOME_SOURCES = ["OUTCOMES", "DEALS", "CONVERSIONS"] as const;
type OutcomeSource = (typeof OUTCOME_SOURCES)[number];

/** An outcome of a person in either group. */
export interface ArmOutcome {
  recipientId: string;
  isHeldOut: boolean;
  source: OutcomeSource;
  at: number;
  /** The revenue; null when none was reported. */
  amount: number | null;
  currency: string | null;
}

export interface HoldOutArms {
  /** The hold-out share with which the compared people were assigned; null when no one was. */
  share: number | null;
  written: number;
  heldOut: number;
  /** People who were assigned with another share. They are left out, because they were assigned at another time. */
  leftOut: number;
  outcomes: ArmOutcome[];
}

const PAGE = 1_000;
const COUNT_MS = 15_000;

/**
 * Loads both groups of a hold-out as they were assigned, whatever happened to the people since. Outcomes count within
 * the attribution window after each person was assigned (rules/tracking 6.3). If several shares were used, the one with
 * the largest hold-out group is compared.
 */
export async function loadHoldOutArms({ workspaceId, _id: campaignId, settings }: Campaign): Promise<HoldOutArms> {
  const { Recipient } = scoped(workspaceId);
  const groups = await Recipient.aggregate<{ _id: number; written: number; heldOut: number }>(
    { campaignId, assignedShare: { $gt: 0 } },
    {
      $group: {
        _id: "$assignedShare",
        written: { $sum: { $cond: [{ $eq: ["$stopReason", "HOLD_OUT"] }, 0, 1] } },
        heldOut: { $sum: { $cond: [{ $eq: ["$stopReason", "HOLD_OUT"] }, 1, 0] } },
      },
    },
  );
  const [chosen, ...others] = groups.sort((one, other) => other.heldOut - one.heldOut || other.written - one.written);
  if (chosen === undefined) return { share: null, written: 0, heldOut: 0, leftOut: 0, outcomes: [] };
  const windowMs = settingsOf(settings).attributionWindowDays * DAY_MS;
  const facts = await loadFactsOf(workspaceId, campaignId, chosen._id);
  const outcomes = facts.filter(({ at, assignedAt }) => at >= assignedAt && at <= assignedAt + windowMs);
  const leftOut = others.reduce((sum, { written, heldOut }) => sum + written + heldOut, 0);
  return { share: chosen._id, written: chosen.written, heldOut: chosen.heldOut, leftOut, outcomes };
}

type Fact = ArmOutcome & { assignedAt: number };
type Told = Pick<ArmOutcome, "source" | "at" | "amount" | "currency">;

async function loadFactsOf(workspaceId: string, campaignId: string, share: number): Promise<Fact[]> {
  const { Deal, EmailConversion, Recipient } = scoped(workspaceId);
  const facts: Fact[] = [];
  /** Keeps only the outcomes of people in these groups. */
  const collectArmFacts = async (by: "_id" | "leadId", factsByKey: ReadonlyMap<string, Told[]>) => {
    const ids = [...factsByKey.keys()];
    for (let from = 0; from < ids.length; from += PAGE) {
      const those = { campaignId, assignedShare: share, [by]: trusted({ $in: ids.slice(from, from + PAGE) }) };
      for (const person of await Recipient.find(those, { select: { leadId: 1, stopReason: 1, assignedAt: 1 } }))
        facts.push(...(factsByKey.get(person[by]) ?? []).map((each) => factOf(person, each)));
    }
  };
  await collectArmFacts("_id", await reportedOutcomes(workspaceId, campaignId));
  const deals = Deal.walk<Won>(
    { stage: "WON" },
    [{ $project: { leadId: 1, amountCents: 1, currency: 1, closedAt: 1 } }],
    COUNT_MS,
  );
  await collectArmFacts("leadId", await groupedOf(deals, wonOf));
  const events = EmailConversion.walk<Reported>(
    { "recipients.campaignId": campaignId },
    unwindStages(campaignId),
    COUNT_MS,
  );
  await collectArmFacts("_id", await groupedOf(events, reportedOf));
  return facts;
}

function factOf(
  { _id: recipientId, stopReason, assignedAt }: Pick<Recipient, "_id" | "stopReason" | "assignedAt">,
  fact: Told,
): Fact {
  return {
    ...fact,
    recipientId,
    isHeldOut: stopReason === "HOLD_OUT",
    assignedAt: assignedAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

async function reportedOutcomes(workspaceId: string, campaignId: string): Promise<Map<string, Told[]>> {
  const withOutcome = { campaignId, "reportedOutcome.at": { $gt: new Date(0) } };
  const people = scoped(workspaceId).Recipient.walk<Pick<Recipient, "_id" | "reportedOutcome">>(
    withOutcome,
    [{ $project: { reportedOutcome: 1 } }],
    COUNT_MS,
  );
  return groupedOf(people, ({ _id, reportedOutcome }) => {
    const amount = positiveAmount(reportedOutcome?.revenueAmount);
    if (reportedOutcome === null || (!reportedOutcome.meetingBooked && amount === null)) return null;
    const { at, revenueCurrency } = reportedOutcome;
    return [_id, { source: "OUTCOMES", at: at.getTime(), amount, currency: amount === null ? null : revenueCurrency }];
  });
}

interface Won {
  leadId: string;
  amountCents: number | null;
  currency: string;
  closedAt: Date | null;
}

function wonOf({ leadId, amountCents, currency, closedAt }: Won): [string, Told] | null {
  if (closedAt === null) return null;
  const amount = positiveAmount(amountCents === null ? null : amountCents / 100);
  return [leadId, { source: "DEALS", at: closedAt.getTime(), amount, currency: amount === null ? null : currency }];
}

interface Reported {
  recipientId: string;
  occurredAt: Date;
  value: string | null;
  currency: string | null;
}

function unwindStages(campaignId: string) {
  return [
    { $unwind: "$recipients" },
    { $match: { "recipients.campaignId": campaignId } },
    { $project: { recipientId: "$recipients.recipientId", occurredAt: 1, value: 1, currency: 1 } },
  ];
}

function reportedOf({ recipientId, occurredAt, value, currency }: Reported): [string, Told] {
  const amount = currency === null ? null : positiveAmount(value);
  return [
    recipientId,
    { source: "CONVERSIONS", at: occurredAt.getTime(), amount, currency: amount === null ? null : currency },
  ];
}

function positiveAmount(value: string | number | null | undefined): number | null {
  const amount = Number(value ?? 0);
  return Number.isFinite(amount) && amount > 0 ? amount : null;
}

async function groupedOf<R>(
  rows: AsyncIterable<R>,
  read: (row: R) => [string, Told] | null,
): Promise<Map<string, Told[]>> {
  const groups = new Map<string, Told[]>();
  for await (const row of rows) {
    const one = read(row);
    if (one !== null) groups.set(one[0], [...(groups.get(one[0]) ?? []), one[1]]);
  }
  return groups;
}
