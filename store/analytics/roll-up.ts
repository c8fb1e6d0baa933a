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
 * How many milliseconds after its end an hour is counted. By then, any write with an instant in that hour has committed
 * or marks the day as changed.
 */
const SETTLED_MS = 10 * MINUTE_MS;

/** The time span from the first to the last of these numbered days, both included, in a zone. */
export function spanOfDays(zone: string, first: number, last: number): TimeSpan {
  return { from: new Date(instantOf(zone, first * DAY_MS)), to: new Date(instantOf(zone, (last + 1) * DAY_MS)) };
}

/**
 * The instant up to which events can be counted permanently at `now` (epoch ms): the end of the last full hour that
 * ended long enough ago.
 */
export function settledAt(now: number): Date {
  return new Date(Math.floor((now - SETTLED_MS) / HOUR_MS) * HOUR_MS);
}

/** The number of the last day that begins before this instant. */
export function lastDayOf(zone: string, until: Date): number {
  return dayAt(zone, until.getTime() - 1);
}

type Counted = Pick<Campaign, "_id" | "workspaceId" | "createdAt">;

/**
 * Counts the events of a campaign up to an instant, and counts the days again that have changed since (rules/analytics
 * 2). Each day is replaced as a whole, and concurrent counts of one campaign conflict, so an older count never replaces
 * a newer one. Returns how many days were counted.
 */
export async function rollUp(campaign: Counted, zone: string, until: Date, beat: () => void): Promise<number> {
  const { workspaceId, _id: campaignId } = campaign;
  const { ChangedDay, ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const storedDays = await ReportedDays.get(campaignId);
  const reported = storedDays?.zone === zone ? storedDays : await beginAnew(campaign, zone, storedDays);
  // A mark that is written after this read belongs to a change that the counts below may have missed, so it is kept
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

/** Starts over for another zone, because its days begin at other instants. */
async function beginAnew({ workspaceId, _id, createdAt }: Counted, zone: string, storedDays: ReportedDays | null) {
  const first = dayAt(zone, createdAt.getTime());
  const empty = { zone, first, until: spanOfDays(zone, first, first).from, hasOthers: storedDays !== null };
  await scoped(workspaceId).ReportedDays.updateOne({ _id }, { $set: empty }, { upsert: true });
  return empty;
}

/** Counts a day up to an instant, or the whole day if it has ended by then. */
async function count({ workspaceId, _id: campaignId }: Counted, zone: string, day: number, until: Date): Promise<void> {
  const { ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const whole = spanOfDays(zone, day, day);
  // The count never ends before the instant that was already reached
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
