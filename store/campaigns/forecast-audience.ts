import type { ForecastSources } from "../../domain/campaigns/forecast.ts";
import type { Settings } from "../../domain/campaigns/settings.ts";
import { type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Calendar } from "../../domain/time/schedule.ts";
import { NEVER } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { calendarOf } from "../sending/calendar.ts";
import { findWouldBeHeldOut } from "./hold-out.ts";
import type { RenderSources } from "./missing.ts";

/** The recipients that a campaign still has to email, grouped by the sending hours that apply to them. */
export type Audience = Pick<ForecastSources, "fresh" | "waiting"> & { calendars: Calendar[] };

/**
 * The maximum number of distinct schedules. Recipients with a rarer schedule are counted with the most frequent one.
 */
const MOST_CALENDARS = 24;
/** At most this many recipients are read to estimate the time zones of all. */
const MOST_PLACED = 20_000;
/**
 * At most this many recipients are read when countries matter for holidays, because the country comes from each lead.
 */
const MOST_COUNTRIES = 5_000;

interface Group {
  timezone: string | null;
  country: string | null;
  count: number;
}

/** A group of recipients in progress, by the step that they wait for and the hour at which the step is due. */
export interface WaitingGroup extends Group {
  nextStepId: string | null;
  had: string[] | null;
  mailboxId: string | null;
  dueAt: Date | null;
}

/**
 * Reads the recipients in progress that would receive email. Recipients that are paused until someone resumes them are
 * left out.
 */
export async function loadWaiting({
  campaign,
  settings,
}: Pick<RenderSources, "campaign" | "settings">): Promise<WaitingGroup[]> {
  const { workspaceId, _id: campaignId } = campaign;
  const { Recipient } = scoped(workspaceId);
  const onTheirWay = { campaignId, status: { $in: ["PENDING", "IN_PROGRESS"] }, admittedAt: { $gt: NEVER } };
  const due = { $dateTrunc: { date: { $ifNull: ["$pausedUntil", "$nextSendAt"] }, unit: "hour" } };
  const waitingIds = {
    ...placeIds(settings),
    nextStepId: "$nextStepId",
    had: "$had.stepId",
    mailboxId: "$mailboxId",
    dueAt: due,
  };
  const countWaiting = (filter: Record<string, unknown>) =>
    Recipient.aggregate<{ _id: Omit<WaitingGroup, "count">; count: number }>(
      filter,
      ...countries(workspaceId, settings),
      {
        $group: { _id: waitingIds, count: { $sum: 1 } },
      },
    );
  const [admitted, paused] = await Promise.all([
    countWaiting(onTheirWay),
    countWaiting({ campaignId, status: "PAUSED", pausedUntil: { $gt: NEVER } }),
  ]);
  return [...admitted, ...paused].map(({ _id, count }) => ({ ..._id, count }));
}

function placeIds({ useRecipientTimezone, skipHolidays }: Settings) {
  return { timezone: useRecipientTimezone ? "$timezone" : null, country: skipHolidays ? "$country" : null };
}

/**
 * Counts the open recipients that would receive email: those in progress, and those not yet admitted except the ones
 * who will be in the hold-out group. `kindOf` maps each mailbox to its kind. `years` is how many years of holidays are
 * needed.
 */
export async function loadAudience(
  { campaign, settings, sequence }: RenderSources,
  waiting: readonly WaitingGroup[],
  kindOf: ReadonlyMap<string, number>,
  now: number,
  years: number,
): Promise<Audience> {
  const { workspaceId, _id: campaignId } = campaign;
  const { Recipient } = scoped(workspaceId);
  const unadmitted = { campaignId, status: "PENDING", admittedAt: null };
  const isOneCalendar = !settings.useRecipientTimezone && !settings.skipHolidays;
  const [freshGroups, unadmittedCount, heldOut] = await Promise.all([
    isOneCalendar
      ? []
      : Recipient.aggregate<{ _id: Omit<Group, "count">; count: number }>(
          unadmitted,
          { $limit: MOST_PLACED },
          ...countries(workspaceId, settings),
          { $group: { _id: placeIds(settings), count: { $sum: 1 } } },
        ),
    Recipient.count(unadmitted),
    findWouldBeHeldOut(workspaceId, campaignId, settings),
  ]);
  const all = unadmittedCount - heldOut.size;
  const fresh = isOneCalendar
    ? [{ timezone: null, country: null, count: all }]
    : scaled(
        freshGroups.map(({ _id, count }) => ({ ..._id, count })),
        all,
      );
  const places = placesOf([...fresh, ...waiting]);
  const calendars = await Promise.all(places.map((place) => calendarFor(settings, place, now, years)));
  const index = indexOf(places);
  const mails = sequence.steps.filter(({ type }) => type === "EMAIL").map(({ stepId }) => stepId);
  return {
    calendars,
    fresh: calendars.map((_, at) =>
      fresh.filter((group) => index(group) === at).reduce((sum, { count }) => sum + count, 0),
    ),
    waiting: waiting.flatMap((group) => {
      const mail = mailAt(sequence.steps, group.nextStepId);
      const had = new Set((group.had ?? []).map((stepId) => mails.indexOf(stepId)));
      const kind = kindOf.get(group.mailboxId ?? "") ?? 0;
      const dueAt = Math.max(now, group.dueAt?.getTime() ?? now);
      return mail === null || kindOf.size === 0
        ? []
        : [{ audience: index(group), kind, mail, had, dueAt, count: group.count }];
    }),
  };
}

/** Pipeline stages that read the country of the first recipients from their leads; none when holidays do not matter. */
function countries(workspaceId: string, { skipHolidays }: Settings) {
  if (!skipHolidays) return [];
  const pipeline = [{ $match: { workspaceId } }, { $project: { country: 1 } }];
  return [
    { $limit: MOST_COUNTRIES },
    { $lookup: { from: "leads", localField: "leadId", foreignField: "_id", pipeline, as: "lead" } },
    { $set: { country: { $ifNull: [{ $first: "$lead.country" }, null] } } },
  ];
}

/** Scales the counts of a sample of recipients up to all of them. */
function scaled(groups: Group[], all: number): Group[] {
  const counted = groups.reduce((sum, { count }) => sum + count, 0);
  if (counted === all || counted === 0) return groups;
  const wider = groups.map((group) => ({ ...group, count: Math.floor((group.count * all) / counted) }));
  const [first] = wider;
  if (first !== undefined) first.count += all - wider.reduce((sum, { count }) => sum + count, 0);
  return wider;
}

type Place = Pick<Group, "timezone" | "country">;

/** The most frequent zones and countries first. The result has at least one entry. */
function placesOf(groups: readonly Group[]): Place[] {
  const counts = new Map<string, { place: Place; count: number }>();
  for (const { timezone, country, count } of groups) {
    const entry = counts.get(zoneKeyOf({ timezone, country })) ?? { place: { timezone, country }, count: 0 };
    counts.set(zoneKeyOf({ timezone, country }), { ...entry, count: entry.count + count });
  }
  const places = [...counts.values()].sort((one, other) => other.count - one.count).map(({ place }) => place);
  return places.length === 0 ? [{ timezone: null, country: null }] : places.slice(0, MOST_CALENDARS);
}

function indexOf(places: readonly Place[]): (place: Place) => number {
  const placeIndexes = new Map(places.map((place, at) => [zoneKeyOf(place), at]));
  return (place) => placeIndexes.get(zoneKeyOf(place)) ?? 0;
}

function zoneKeyOf({ timezone, country }: Place): string {
  return `${timezone ?? ""} ${country ?? ""}`;
}

/** The sending hours of a zone and country with the holidays of some years. The campaign's end is left out. */
async function calendarFor(
  settings: Settings,
  { timezone, country }: Place,
  now: number,
  years: number,
): Promise<Calendar> {
  const calendar = await calendarOf(settings, null, timezone, country, now);
  const closedDates = new Set(calendar.closedDates);
  if (settings.skipHolidays) {
    for (let year = 2; year < years; year += 2) {
      const later = await calendarOf(settings, null, timezone, country, now + year * 365 * DAY_MS);
      for (const date of later.closedDates ?? []) closedDates.add(date);
    }
  }
  return { ...calendar, closedDates, endAt: null };
}

/** The 0-based number of the recipient's next email; null when none is left. */
function mailAt(steps: readonly Step[], nextStepId: string | null): number | null {
  const next = stepOf(steps, nextStepId) ?? steps[0];
  const mails = steps.filter(({ type }) => type === "EMAIL");
  const mail = mails.findIndex(({ order }) => next !== undefined && order >= next.order);
  return mail < 0 ? null : mail;
}
