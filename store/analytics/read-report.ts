import type { PipelineStage } from "mongoose";
import { COUNTS, type Count, type CountCell, type Counts, cellsOf, mergedCells } from "../../domain/analytics/cells.ts";
import { listFor } from "../../domain/analytics/day-lists.ts";
import { DIMENSIONS_OF, type GroupBy } from "../../domain/analytics/groups.ts";
import { dayAt } from "../../domain/time/zone.ts";
import { scoped } from "../../models/scoped.ts";
import { loadHappenings } from "./outcomes.ts";
import { spanOfDays } from "./roll-up.ts";

/** Which days of which campaigns are asked about; days are numbers, both included. */
export interface DaysAsked {
  workspaceId: string;
  zone: string;
  campaignIds: readonly string[];
  from: number;
  to: number;
}

/** Campaigns whose days from `first` to `last` are read from the records themselves. */
export interface LiveDays {
  campaignIds: string[];
  first: number;
  last: number;
}

/** Where each day of each campaign is read. */
export interface ReadPlan {
  live: LiveDays[];
  /** The ids of stored days that are not true any more. */
  changedIds: string[];
}

/**
 * The counts of a report, one cell a combination of its dimensions: from stored days, and from the records themselves where a day is not
 * stored, or has changed since (rules/analytics 3). Call it in a transaction, so that nothing falls between the two.
 */
export async function readCells(asked: DaysAsked, groupBy: GroupBy, mailboxIds: readonly string[] | null): Promise<CountCell[]> {
  const { workspaceId, zone } = asked;
  const plan = await planOf(asked);
  const cells = await storedCells(asked, plan, groupBy, mailboxIds);
  for (const { campaignIds, first, last } of plan.live) {
    const { facts, earnings } = await loadHappenings(workspaceId, campaignIds, spanOfDays(zone, first, last));
    const isOf = ({ mailboxId }: { mailboxId: string | null }) =>
      mailboxIds === null || (mailboxId !== null && mailboxIds.includes(mailboxId));
    cells.push(...cellsOf({ facts: facts.filter(isOf), earnings: earnings.filter(isOf) }, DIMENSIONS_OF[groupBy], zone));
  }
  return mergedCells(cells);
}

/** Which days are stored and true, and which are read live. */
export async function planOf({ workspaceId, zone, campaignIds, from, to }: DaysAsked): Promise<ReadPlan> {
  const { ChangedDay, ReportedDays } = scoped(workspaceId);
  const some = { $in: [...campaignIds] };
  const reported = await ReportedDays.aggregate<{ _id: string; first: number; last: number }>({ _id: some, zone });
  const stored = new Map(reported.map((days) => [days._id, days]));
  const spans = new Map<string, LiveDays>();
  const readLive = (campaignId: string, first: number, last: number) => {
    if (first > last) return;
    const span = spans.get(`${first} ${last}`) ?? { campaignIds: [], first, last };
    spans.set(`${first} ${last}`, span);
    span.campaignIds.push(campaignId);
  };
  for (const campaignId of campaignIds) {
    const days = stored.get(campaignId);
    readLive(campaignId, from, days === undefined ? to : Math.min(days.first - 1, to));
    if (days !== undefined) readLive(campaignId, Math.max(from, days.last + 1, days.first), to);
  }
  const changed = new Set<string>();
  for (const { campaignId, instants } of await ChangedDay.aggregate<{ campaignId: string; instants: Date[] }>({ campaignId: some })) {
    const days = stored.get(campaignId);
    for (const day of new Set(instants.map((at) => dayAt(zone, at.getTime())))) {
      const id = `${campaignId}:${zone}:${day}`;
      if (days === undefined || day < Math.max(from, days.first) || day > Math.min(to, days.last) || changed.has(id)) continue;
      changed.add(id);
      readLive(campaignId, day, day);
    }
  }
  return { live: [...spans.values()], changedIds: [...changed] };
}

/** What the stored days of a report are found by. */
export function storedDays({ zone, campaignIds, from, to }: DaysAsked) {
  return { campaignId: { $in: [...campaignIds] }, zone, day: { $gte: from, $lte: to } };
}

interface Grouped extends Counts {
  _id: Partial<CountCell> & { currency: string | null };
  amount: { toString(): string } | number | null;
}

async function storedCells(
  asked: DaysAsked,
  { changedIds }: ReadPlan,
  groupBy: GroupBy,
  mailboxIds: readonly string[] | null,
): Promise<CountCell[]> {
  const list = listFor(groupBy, mailboxIds !== null);
  const places: Record<string, unknown> = {
    ...{ campaignId: "$campaignId", day: "$day", stepId: "$cell.stepId", variantId: "$cell.variantId" },
    ...{ mailboxId: "$cell.mailboxId", hour: "$cell.hour" },
    // 1970-01-01 was a Thursday
    weekday: { $add: [{ $mod: [{ $add: ["$day", 3] }, 7] }, 1] },
  };
  const by = Object.fromEntries(DIMENSIONS_OF[groupBy].map((dimension) => [dimension, places[dimension]]));
  const sums = Object.fromEntries(COUNTS.map((count) => [count, { $sum: `$cell.counts.${count}` }]));
  const stages: PipelineStage[] = [
    { $project: { campaignId: 1, day: 1, cell: `$lists.${list}` } },
    { $unwind: "$cell" },
    ...(mailboxIds === null ? [] : [{ $match: { "cell.mailboxId": { $in: [...mailboxIds] } } }]),
    { $group: { _id: { ...by, currency: "$cell.currency" }, amount: { $sum: { $toDecimal: "$cell.amount" } }, ...sums } },
  ];
  const match = { ...storedDays(asked), ...(changedIds.length > 0 && { _id: { $nin: changedIds } }) };
  const grouped = await scoped(asked.workspaceId).ReportDay.aggregate<Grouped>(match, ...stages);
  return grouped.map(({ _id: { currency, ...place }, amount, ...counts }) => ({
    ...place,
    currency,
    amount: currency === null ? null : String(amount),
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<Record<Count, number>>, // by COUNTS
  }));
}
