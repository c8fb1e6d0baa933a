import type { PipelineStage } from "mongoose";
import { COUNTS, type Count, type CountCell, type Counts, cellsOf, mergedCells } from "../../domain/analytics/cells.ts";
import { DIMENSIONS_OF, type GroupBy, listFor } from "../../domain/analytics/groups.ts";
import { dayAt } from "../../domain/time/zone.ts";
import { scoped } from "../../models/scoped.ts";
import type { TimeSpan } from "../campaigns/facts.ts";
import { loadHappenings } from "./outcomes.ts";
import { earlier, lastDayOf, spanOfDays } from "./roll-up.ts";

/** The days and campaigns of a query. Days are numbers; `from` and `to` are both included. */
export interface DaysAsked {
  workspaceId: string;
  zone: string;
  campaignIds: readonly string[];
  from: number;
  to: number;
}

/** Campaigns for which a time span must be read from the records themselves. */
interface LiveSpan {
  campaignIds: string[];
  span: TimeSpan;
}

/** Which days are read from the records, and which stored days are ignored. */
export interface ReadPlan {
  live: LiveSpan[];
  /** The ids of stored days that are out of date. */
  changedIds: string[];
}

/**
 * The counts of a report, one cell for each combination of its dimensions. They come from stored days, or from the
 * records themselves where a day is not stored or has changed since (rules/analytics 3). Call it in a transaction, so
 * that no event is missed between the two reads.
 */
export async function readCells(
  query: DaysAsked,
  groupBy: GroupBy,
  mailboxIds: readonly string[] | null,
): Promise<CountCell[]> {
  const { workspaceId, zone } = query;
  const plan = await planOf(query);
  const cells = await storedCells(query, plan, groupBy, mailboxIds);
  for (const { campaignIds, span } of plan.live) {
    const { facts, earnings } = await loadHappenings(workspaceId, campaignIds, span);
    const isOf = ({ mailboxId }: { mailboxId: string | null }) =>
      mailboxIds === null || (mailboxId !== null && mailboxIds.includes(mailboxId));
    cells.push(
      ...cellsOf({ facts: facts.filter(isOf), earnings: earnings.filter(isOf) }, DIMENSIONS_OF[groupBy], zone),
    );
  }
  return mergedCells(cells);
}

/**
 * Decides which stored days are up to date, and which days are read from the records: those marked as changed, and
 * those not stored yet.
 */
export async function planOf({ workspaceId, zone, campaignIds, from, to }: DaysAsked): Promise<ReadPlan> {
  const { ChangedDay, ReportedDays } = scoped(workspaceId);
  const some = { $in: [...campaignIds] };
  const reportSpan = spanOfDays(zone, from, to);
  const reported = await ReportedDays.aggregate<{ _id: string; first: number; until: Date }>({ _id: some, zone });
  const stored = new Map(
    reported.map((days) => [days._id, { ...days, begin: spanOfDays(zone, days.first, days.first).from }]),
  );
  const live = new Map<string, LiveSpan>();
  const readLive = (campaignId: string, span: TimeSpan) => {
    if (span.from >= span.to) return;
    const key = `${span.from.getTime()} ${span.to.getTime()}`;
    const liveSpan = live.get(key) ?? { campaignIds: [], span };
    live.set(key, liveSpan);
    liveSpan.campaignIds.push(campaignId);
  };
  for (const campaignId of campaignIds) {
    const days = stored.get(campaignId);
    readLive(campaignId, {
      from: reportSpan.from,
      to: days === undefined ? reportSpan.to : earlier(days.begin, reportSpan.to),
    });
    if (days !== undefined)
      readLive(campaignId, { from: laterOf(reportSpan.from, laterOf(days.begin, days.until)), to: reportSpan.to });
  }
  const changed = new Set<string>();
  for (const { campaignId, instants } of await ChangedDay.aggregate<{ campaignId: string; instants: Date[] }>({
    campaignId: some,
  })) {
    const days = stored.get(campaignId);
    if (days === undefined) continue;
    for (const day of new Set(instants.map((at) => dayAt(zone, at.getTime())))) {
      const id = `${campaignId}:${zone}:${day}`;
      if (day < Math.max(from, days.first) || day > Math.min(to, lastDayOf(zone, days.until)) || changed.has(id))
        continue;
      changed.add(id);
      const span = spanOfDays(zone, day, day);
      readLive(campaignId, { from: span.from, to: earlier(span.to, days.until) });
    }
  }
  return { live: [...live.values()], changedIds: [...changed] };
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}

/** The filter that finds the stored days of a report. */
export function storedDays({ zone, campaignIds, from, to }: DaysAsked) {
  return { campaignId: { $in: [...campaignIds] }, zone, day: { $gte: from, $lte: to } };
}

interface Grouped extends Counts {
  _id: Partial<CountCell> & { currency: string | null };
  amount: { toString(): string } | number | null;
}

async function storedCells(
  query: DaysAsked,
  { changedIds }: ReadPlan,
  groupBy: GroupBy,
  mailboxIds: readonly string[] | null,
): Promise<CountCell[]> {
  const list = listFor(groupBy, mailboxIds !== null);
  const places: Record<string, unknown> = {
    campaignId: "$campaignId",
    day: "$day",
    stepId: "$cell.stepId",
    variantId: "$cell.variantId",
    mailboxId: "$cell.mailboxId",
    hour: "$cell.hour",
    // 1970-01-01 was a Thursday
    weekday: { $add: [{ $mod: [{ $add: ["$day", 3] }, 7] }, 1] },
  };
  const by = Object.fromEntries(DIMENSIONS_OF[groupBy].map((dimension) => [dimension, places[dimension]]));
  const sums = Object.fromEntries(COUNTS.map((count) => [count, { $sum: `$cell.counts.${count}` }]));
  const stages: PipelineStage[] = [
    { $project: { campaignId: 1, day: 1, cell: `$lists.${list}` } },
    { $unwind: "$cell" },
    ...(mailboxIds === null ? [] : [{ $match: { "cell.mailboxId": { $in: [...mailboxIds] } } }]),
    {
      $group: { _id: { ...by, currency: "$cell.currency" }, amount: { $sum: { $toDecimal: "$cell.amount" } }, ...sums },
    },
  ];
  const match = { ...storedDays(query), ...(changedIds.length > 0 && { _id: { $nin: changedIds } }) };
  const grouped = await scoped(query.workspaceId).ReportDay.aggregate<Grouped>(match, ...stages);
  return grouped.map(({ _id: { currency, ...place }, amount, ...counts }) => ({
    ...place,
    currency,
    amount: currency === null ? null : String(amount),
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)) as Partial<
      Record<Count, number>
    >, // by COUNTS
  }));
}
