import { DAY_MS } from "../time/durations.ts";
import { type Calendar, type Hours, localDate, nextOpening, type Opening } from "../time/schedule.ts";
import { dateOf, dayOf, instantOf, weekdayOf } from "../time/zone.ts";

/** The workday of a mailbox without a workday of its own. */
const USUAL = { days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "18:00" } as const;
const WEEKEND = [6, 7];
const MOST_OPENINGS = 50;

/**
 * The hours in which a mailbox writes and reads warmup email: its workday, otherwise nine to six in the workspace's
 * zone.
 */
export function warmupHours(workday: Hours | null, workspaceZone: string, weekdaysOnly: boolean): Calendar {
  const { timezone, days, from, to } = workday ?? { timezone: workspaceZone, ...USUAL };
  const open = weekdaysOnly ? days.filter((day) => !WEEKEND.includes(day)) : [...days];
  return { zone: timezone, windows: [{ days: open, from, to }] };
}

/** The open periods of these hours between two instants, in order. */
export function openingsIn(hours: Calendar, from: number, until: number): Opening[] {
  const found: Opening[] = [];
  if (hours.windows.every(({ days }) => days.length === 0)) return found;
  for (let at = from; at < until && found.length < MOST_OPENINGS; ) {
    const opening = nextOpening(hours, at);
    if (opening === null || opening.at >= until) break;
    found.push({ at: opening.at, until: Math.min(opening.until, until) });
    at = Math.max(opening.until, at + 1);
  }
  return found;
}

/** The first instant at or after another in which these hours are open; the instant itself if they never open. */
export function movedInto(hours: Calendar, at: number): number {
  const never = hours.windows.every(({ days }) => days.length === 0);
  return never ? at : (nextOpening(hours, at)?.at ?? at);
}

/**
 * Instants spread over open hours. The hours are divided into equal parts, one for each draw, and a draw (0 to 1) is
 * the position within its part. So the emails of a day are sent neither all together nor at regular times.
 */
export function spread(openings: readonly Opening[], draws: readonly number[]): number[] {
  const total = openings.reduce((sum, { at, until }) => sum + until - at, 0);
  if (total <= 0) return [];
  return draws.map((draw, index) => instantWithin(openings, ((index + draw) / draws.length) * total));
}

function instantWithin(openings: readonly Opening[], offset: number): number {
  let left = offset;
  for (const { at, until } of openings) {
    if (left < until - at) return Math.floor(at + left);
    left -= until - at;
  }
  return openings.at(-1)?.until ?? 0;
}

/** The instant at which a local day (YYYY-MM-DD) of a zone ends. */
export function endOfDay(zone: string, date: string): number {
  return instantOf(zone, (dayOf(date) + 1) * DAY_MS);
}

/** The local day before another. */
export function dayBefore(date: string): string {
  return dateOf(dayOf(date) - 1);
}

/** The last `days` local days of a zone, the oldest first, today among them. */
export function lastDays(zone: string, days: number, now: number): string[] {
  const today = dayOf(localDate(now, zone));
  return Array.from({ length: days }, (_, number) => dateOf(today - (days - 1 - number)));
}

/** Whether the warmup sends any email on this local day. */
export function isOpenDay(hours: Calendar, date: string): boolean {
  const weekday = weekdayOf(dayOf(date));
  return hours.windows.some(({ days }) => days.includes(weekday));
}
