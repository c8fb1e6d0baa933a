import { dayListsOf } from "../../domain/analytics/day-lists.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { dayAt, instantOf } from "../../domain/time/zone.ts";
import type { Campaign } from "../../models/campaign.ts";
import type { ReportedDays } from "../../models/report-day.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { TimeSpan } from "../campaigns/facts.ts";
import { linksIn } from "./link-clicks.ts";
import { loadHappenings } from "./outcomes.ts";

/** Milliseconds after the end of a day until it is counted for good: whatever still writes an instant of it has committed by then. */
const SETTLED_MS = 10 * MINUTE_MS;

/** The instants of the days from one number to another, both included, in a zone. */
export function spanOfDays(zone: string, first: number, last: number): TimeSpan {
  return { from: new Date(instantOf(zone, first * DAY_MS)), to: new Date(instantOf(zone, (last + 1) * DAY_MS)) };
}

/**
 * Counts the days of a campaign that have ended, and again those that have changed since (rules/analytics 2). Each day is replaced by itself,
 * and writers of one campaign conflict, so an older count never replaces a newer one. Returns how many days were counted.
 */
export async function rollUp(
  campaign: Pick<Campaign, "_id" | "workspaceId" | "createdAt">,
  zone: string,
  beat: () => void,
): Promise<number> {
  const { workspaceId, _id: campaignId } = campaign;
  const { ChangedDay, ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const known = await ReportedDays.get(campaignId);
  const last = dayAt(zone, Date.now() - SETTLED_MS) - 1;
  const reported = known?.zone === zone ? known : await beginAnew(campaign, zone, known);
  // Marks that come in after this are of changes that the counts below may not have seen
  const marks = await ChangedDay.find({ campaignId });
  const changed = new Set(marks.flatMap(({ instants }) => instants.map((at) => dayAt(zone, at.getTime()))));
  const again = [...changed].filter((day) => day >= reported.first && day <= reported.last);
  const fresh = Array.from({ length: Math.max(0, last - reported.last) }, (_, index) => reported.last + 1 + index);
  for (const day of [...again, ...fresh]) {
    await inTransaction(() => count(campaign, zone, day));
    beat();
  }
  if (marks.length > 0) await ChangedDay.deleteMany({ _id: trusted({ $in: marks.map(({ _id }) => _id) }) });
  if (reported.hasOthers) {
    const others = { campaignId, zone: trusted({ $ne: zone }) };
    await ReportDay.deleteMany(others);
    await ReportLink.deleteMany(others);
    await ReportedDays.updateOne({ _id: campaignId, zone }, { $set: { hasOthers: false } });
  }
  return again.length + fresh.length;
}

/** The days of another zone are not these days. */
async function beginAnew(
  { workspaceId, _id, createdAt }: Pick<Campaign, "_id" | "workspaceId" | "createdAt">,
  zone: string,
  known: ReportedDays | null,
) {
  const first = dayAt(zone, createdAt.getTime());
  const empty = { zone, first, last: first - 1, hasOthers: known !== null };
  await scoped(workspaceId).ReportedDays.updateOne({ _id }, { $set: empty }, { upsert: true });
  return empty;
}

async function count({ workspaceId, _id: campaignId }: Pick<Campaign, "_id" | "workspaceId">, zone: string, day: number): Promise<void> {
  const { ReportDay, ReportedDays, ReportLink } = scoped(workspaceId);
  const span = spanOfDays(zone, day, day);
  const happenings = await loadHappenings(workspaceId, [campaignId], span);
  const links = await linksIn(workspaceId, [campaignId], span);
  const place = { campaignId, zone, day };
  const _id = `${campaignId}:${zone}:${day}`;
  // Written in every case, so that two counts of one campaign conflict
  await ReportedDays.updateOne({ _id: campaignId, zone }, { $max: { last: day }, $set: { updatedAt: new Date() } });
  await ReportLink.deleteMany(place);
  if (happenings.facts.length + happenings.earnings.length === 0 && links.length === 0) {
    await ReportDay.deleteMany({ _id });
    return;
  }
  await ReportDay.updateOne({ _id }, { $set: { ...place, lists: dayListsOf(happenings, zone) } }, { upsert: true });
  if (links.length > 0) await ReportLink.insertMany(links.map((link) => ({ _id: newId("rpl"), zone, day, ...link })));
}
