import { dayListsOf } from "../../domain/analytics/groups.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { dayAt, instantOf } from "../../domain/time/zone.ts";
import type { ReportedDays } from "../../models/analytics/report-day.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { TimeSpan } from "../campaigns/facts.ts";
import { linksIn } from "./link-clicks.ts";
import { loadHappenings } from "./outcomes.ts";

/**
 * Milliseconds after an hour until it is counted: anything that still writes an instant of it has committed by then, or
 * notes it.
 */
const SETTLED_MS = 10 * MINUTE_MS;

/** The instants between two numbered days, both included, in a zone. */
export function spanOfDays(zone: string, first: number, last: number): TimeSpan {
  return { from: new Date(instantOf(zone, first * DAY_MS)), to: new Date(instantOf(zone, (last + 1) * DAY_MS)) };
}

/**
 * The instant up to which everything may be counted permanently: the last full hour that ended long enough before this
 * instant (epoch ms).
 */
export function settledAt(now: number): Date {
  return new Date(Math.floor((now - SETTLED_MS) / HOUR_MS) * HOUR_MS);
}

/** The last day that has an instant before this one. */
export function lastDayOf(zone: string, until: Date): number {
  return dayAt(zone, until.getTime() - 1);
}

type Counted = Pick<Campaign, "_id" | "workspaceId" | "createdAt">;

/**
 * Counts what has happened in a campaign up to an instant, and counts again the days that have changed since
 * (rules/analytics 2). Each day is replaced as a whole, and writers of one campaign conflict, so an older count never
 * replaces a newer one. Returns how many days were counted.
 */
export async function rollUp(campaign: Counted, zone: string, until: Date, beat: () => void): Promise<number> {
  const { workspaceId, _id: campaignId } = campaign;
  const { ChangedDay, ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const storedDays = await ReportedDays.get(campaignId);
  const reported = storedDays?.zone === zone ? storedDays : await beginAnew(campaign, zone, storedDays);
  // A mark that arrives after this belongs to a change that the counts below may have missed
  const marks = await ChangedDay.find({ campaignId });
  const changed = new Set(marks.flatMap(({ instants }) => instants.map((at) => dayAt(zone, at.getTime()))));
  const again = [...changed].filter((day) => day >= reported.first && day <= lastDayOf(zone, reported.until));
  const next = dayAt(zone, reported.until.getTime());
  const length = until > reported.until ? lastDayOf(zone, until) - next + 1 : 0;
  const days = new Set([...again, ...Array.from({ length }, (_, index) => next + index)]);
  for (const day of days) {
    await inTransaction(() => count(campaign, zone, day, until));
    beat();
  }
  if (marks.length > 0) await ChangedDay.deleteMany({ _id: trusted({ $in: marks.map(({ _id }) => _id) }) });
  if (reported.hasOthers) {
    const others = { campaignId, zone: trusted({ $ne: zone }) };
    await ReportDay.deleteMany(others);
    await ReportLink.deleteMany(others);
    await ReportedDays.updateOne({ _id: campaignId, zone }, { $set: { hasOthers: false } });
  }
  return days.size;
}

/** In another zone, days begin at other instants. */
async function beginAnew({ workspaceId, _id, createdAt }: Counted, zone: string, storedDays: ReportedDays | null) {
  const first = dayAt(zone, createdAt.getTime());
  const empty = { zone, first, until: spanOfDays(zone, first, first).from, hasOthers: storedDays !== null };
  await scoped(workspaceId).ReportedDays.updateOne({ _id }, { $set: empty }, { upsert: true });
  return empty;
}

/** Counts a day up to an instant, or whole if it has ended by then. */
async function count({ workspaceId, _id: campaignId }: Counted, zone: string, day: number, until: Date): Promise<void> {
  const { ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const whole = spanOfDays(zone, day, day);
  // Never less than what is already counted
  const reached = (await ReportedDays.get(campaignId))?.until ?? until;
  const span = { from: whole.from, to: earlier(whole.to, reached > until ? reached : until) };
  const happenings = await loadHappenings(workspaceId, [campaignId], span);
  const links = await linksIn(workspaceId, [campaignId], span);
  const place = { campaignId, zone, day };
  const _id = `${campaignId}:${zone}:${day}`;
  // Written in every case, so that two counts of one campaign conflict
  await ReportedDays.updateOne({ _id: campaignId, zone }, { $max: { until: span.to }, $inc: { touches: 1 } });
  await ReportLink.deleteMany(place);
  if (happenings.facts.length + happenings.earnings.length === 0 && links.length === 0) {
    await ReportDay.deleteMany({ _id });
    return;
  }
  await ReportDay.updateOne({ _id }, { $set: { ...place, lists: dayListsOf(happenings, zone) } }, { upsert: true });
  if (links.length > 0) await ReportLink.insertMany(links.map((link) => ({ _id: newId("rpl"), zone, day, ...link })));
}

export function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}
