import { DAY_MS, HORIZON_DAYS, MINUTE_MS } from "./durations.ts";
import { dateOf, dayAt, dayOf, endOf, instantOf, wallAt, weekdayOf } from "./zone.ts";

export { isZone, localDate, nextUtcDay, utcDay } from "./zone.ts";

/**
 * Wall-clock hours on ISO weekdays (1 = Monday): from `from` up to but excluding `to`, as HH:mm; `to` may be "24:00".
 */
export interface Window {
  days: number[];
  from: string;
  to: string;
}

/** A mailbox's workday, in the mailbox's own time zone. */
export interface Hours extends Window {
  timezone: string;
}

/** When one recipient of one campaign may receive email from one mailbox. All instants are epoch milliseconds. */
export interface Calendar {
  zone: string;
  windows: Window[];
  /** Local dates (YYYY-MM-DD) of `zone` on which no window opens. */
  closedDates?: ReadonlySet<string>;
  workday?: Hours | null;
  startAt?: number | null;
  /** The instant from which on nothing is open any more (rules/sending 3.6). */
  endAt?: number | null;
}

/** Open from `at` up to but excluding `until` (epoch ms). */
export interface Opening {
  at: number;
  until: number;
}

export type DelayUnit = "MINUTES" | "HOURS" | "DAYS" | "BUSINESS_DAYS";

/**
 * The opening hours in one time zone, prepared for queries: for each weekday (0 = Monday) the merged periods, in order.
 */
interface Plan {
  zone: string;
  week: Stretch[][];
  closed: ReadonlySet<string>;
}

/** An open period in minutes since midnight of a local day. */
type Stretch = readonly [from: number, to: number];

const NEVER_CLOSED: ReadonlySet<string> = new Set();

/**
 * The first opening at or after `from` in which a window of the campaign and the workday of the mailbox are both open
 * (rules/sending 3.2). Windows follow the wall clock (rules/sending 3.4): a window that begins in a skipped hour opens
 * at the next valid time, and a window in a repeated hour opens only the first time. An opening ends at the latest with
 * its local day; the next one may follow at once. Null when nothing opens within 400 days or before `endAt`. Throws
 * RangeError on an unknown zone.
 */
export function nextOpening(calendar: Calendar, from: number): Opening | null {
  const campaign = planOf(calendar.zone, calendar.windows, calendar.closedDates);
  const workday = calendar.workday ? planOf(calendar.workday.timezone, [calendar.workday]) : null;
  const start = Math.max(from, calendar.startAt ?? from);
  const end = Math.min(calendar.endAt ?? Number.POSITIVE_INFINITY, start + HORIZON_DAYS * DAY_MS);
  let at = start;
  while (at < end) {
    const open = nextStretch(campaign, at, end);
    const working = workday && open ? nextStretch(workday, open.at, end) : open;
    if (!open || !working) return null;
    const until = Math.min(open.until, working.until, calendar.endAt ?? open.until);
    if (working.at < until) return { at: working.at, until };
    at = working.at;
  }
  return null;
}

/** Whether the campaign's window and the mailbox's workday are both open at this instant (rules/sending 3.2). */
export function isOpen(calendar: Calendar, at: number): boolean {
  return nextOpening(calendar, at)?.at === at;
}

/**
 * The seconds for which the calendar is open on one local day (YYYY-MM-DD) of its zone. `startAt` and `endAt` are
 * respected.
 */
export function openSeconds(calendar: Calendar, localDate: string): number {
  return openSecondsInAny([calendar], calendar.workday ?? null, calendar.zone, localDate);
}

/**
 * The seconds of one local day (YYYY-MM-DD) of `zone` in which any of these calendars is open together with a mailbox's
 * workday. Their `startAt` and `endAt` are respected.
 */
export function openSecondsInAny(
  calendars: readonly Calendar[],
  workday: Hours | null,
  zone: string,
  localDate: string,
): number {
  const start = instantOf(zone, dayOf(localDate) * DAY_MS);
  const end = instantOf(zone, (dayOf(localDate) + 1) * DAY_MS);
  let total = 0;
  for (let at = start; at < end; ) {
    const openings = calendars.flatMap((calendar) => nextOpening({ ...calendar, workday }, at) ?? []);
    const first = openings.reduce<Opening | null>(
      (earliest, one) => (earliest !== null && earliest.at <= one.at ? earliest : one),
      null,
    );
    if (first === null || first.at >= end) break;
    const until = Math.min(first.until, end);
    total += until - first.at;
    at = until;
  }
  return total / 1000;
}

/**
 * When a step is due, counted from the actual previous send (rules/sending 3.1). MINUTES and HOURS are elapsed time.
 * DAYS keep the wall-clock time in the recipient's zone. BUSINESS_DAYS count the days on which the campaign's windows
 * open and keep the wall-clock time of the campaign's zone. The result is never before `previous` and is not yet moved
 * into an opening.
 */
export function dueAfter(
  delay: { value: number; unit: DelayUnit },
  previous: number,
  recipientZone: string,
  calendar: Calendar,
): number {
  if (delay.unit === "MINUTES") return previous + delay.value * MINUTE_MS;
  if (delay.unit === "HOURS") return previous + delay.value * 60 * MINUTE_MS;
  const zone = delay.unit === "DAYS" ? recipientZone : calendar.zone;
  const wall = wallAt(zone, previous);
  const days = delay.unit === "DAYS" ? delay.value : businessDays(calendar, Math.floor(wall / DAY_MS), delay.value);
  // Without days the local time must not be converted back to an instant, because in a repeated hour the result would
  // be the first of two instants instants
  return days === 0 ? previous : Math.max(previous, instantOf(zone, wall + days * DAY_MS));
}

/**
 * Windows with the same open hours but without overlaps: on each weekday, touching and overlapping windows become one,
 * and weekdays with equal hours share a window.
 */
export function mergeWindows(windows: Window[]): Window[] {
  const daysOf = new Map<string, Window>();
  for (const [index, stretches] of openHoursByWeekday(windows).entries()) {
    for (const [from, to] of stretches) {
      const key = `${clock(from)}-${clock(to)}`;
      const merged = daysOf.get(key);
      if (merged) merged.days.push(index + 1);
      else daysOf.set(key, { days: [index + 1], from: clock(from), to: clock(to) });
    }
  }
  return [...daysOf.values()];
}

/** Calendar days until the `count`th day on which a window opens. Gives up after 400 days without one. */
function businessDays(calendar: Calendar, today: number, count: number): number {
  const plan = planOf(calendar.zone, calendar.windows, calendar.closedDates);
  let day = today;
  let lastOpen = today;
  for (let left = count; left > 0 && day - lastOpen < HORIZON_DAYS; ) {
    day += 1;
    if (stretchesOf(plan, day).length === 0) continue;
    lastOpen = day;
    left -= 1;
  }
  return day - today;
}

/**
 * The first open period of one plan at or after `from`, cut so that it does not begin before `from`; null if none
 * begins before `end`.
 */
function nextStretch(plan: Plan, from: number, end: number): Opening | null {
  // A clock that is set back across midnight shows the previous day again, so windows of that day may still come
  const first = dayAt(plan.zone, from) - 1;
  for (let day = first; day <= first + HORIZON_DAYS + 3; day++) {
    for (const { at, until } of stretchesOf(plan, day)) {
      if (until <= from) continue;
      return at < end ? { at: Math.max(at, from), until } : null;
    }
  }
  return null;
}

/**
 * The open periods of one local day as instants, in order. A period that lies completely in a skipped hour is left out.
 */
function stretchesOf(plan: Plan, day: number): Opening[] {
  const stretches = plan.week[weekdayOf(day) - 1] ?? [];
  if (stretches.length === 0 || (plan.closed.size > 0 && plan.closed.has(dateOf(day)))) return [];
  const midnight = day * DAY_MS;
  return stretches
    .map(([from, to]) => ({
      at: instantOf(plan.zone, midnight + from * MINUTE_MS),
      until: endOf(plan.zone, midnight + to * MINUTE_MS),
    }))
    .filter(({ at, until }) => at < until);
}

function planOf(zone: string, windows: Window[], closed: ReadonlySet<string> = NEVER_CLOSED): Plan {
  return { zone, week: openHoursByWeekday(windows), closed };
}

function openHoursByWeekday(windows: Window[]): Stretch[][] {
  return [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    mergeStretches(
      windows.filter(({ days }) => days.includes(weekday)).map(({ from, to }) => [minutesOf(from), minutesOf(to)]),
    ),
  );
}

function mergeStretches(stretches: Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const [from, to] of stretches.filter(([a, b]) => a < b).sort(([a], [b]) => a - b)) {
    const last = result.at(-1);
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}
