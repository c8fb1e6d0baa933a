import { Temporal } from "temporal-polyfill";
import { DAY_MS, HOUR_MS } from "./durations.ts";

/** Instants of one UTC offset: `from` up to but excluding `to`, epoch ms. `to` is a transition, `from` is one or a New Year. */
interface Span {
  from: number;
  to: number;
  offsetMs: number;
}

/** Transitions cost milliseconds to find and are the same for everybody, so each is looked for once per process. */
const spansByZone = new Map<string, Span[]>();

/** Whether this is a zone of the IANA database. Bare offsets ("+02:00") are not: they have no daylight saving. */
export function isZone(zone: string): boolean {
  if (spansByZone.has(zone)) return true;
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** What the wall clock reads at an instant, as if its reading were UTC (epoch ms). Throws RangeError on a bad zone. */
export function wallAt(zone: string, at: number): number {
  return at + spanAt(zone, at).offsetMs;
}

/** The first instant whose wall clock reads `wall` or later: a skipped time gives the next valid one, a repeated one its first turn. */
export function instantOf(zone: string, wall: number): number {
  return firstReach(zone, wall, 0);
}

/**
 * The instant before which the wall clock has stayed under `wall`, for the ends of windows. It differs from
 * `instantOf` where clocks go back at `wall` itself: 02:00 ends the first 01:59, not the second.
 */
export function endOf(zone: string, wall: number): number {
  return firstReach(zone, wall, 1);
}

/** The day number (days since 1970-01-01) the wall clock shows at an instant. */
export function dayAt(zone: string, at: number): number {
  return Math.floor(wallAt(zone, at) / DAY_MS);
}

/** YYYY-MM-DD of a day number. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day number of YYYY-MM-DD. */
export function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** ISO weekday (1 = Monday) of a day number. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** YYYY-MM-DD on the wall of a zone. Throws RangeError on a bad zone. */
export function localDate(at: number, zone: string): string {
  return dateOf(dayAt(zone, at));
}

/** YYYY-MM-DD in UTC: the day by which mailbox caps count (B12). */
export function utcDay(at: number): string {
  return dateOf(Math.floor(at / DAY_MS));
}

/** `slack` 1 also takes the end of a span, where the clock has come up to `wall` without ever showing it. */
function firstReach(zone: string, wall: number, slack: 0 | 1): number {
  // no offset has ever been more than 16 hours from UTC, so nothing earlier can read `wall`
  let span = spanAt(zone, wall - 16 * HOUR_MS);
  for (;;) {
    const at = Math.max(span.from, wall - span.offsetMs);
    if (at < span.to + slack) return at;
    span = spanAt(zone, span.to);
  }
}

function spanAt(zone: string, at: number): Span {
  const known = spansByZone.get(zone);
  const span = known?.find((one) => one.from <= at && at < one.to);
  if (span) return span;
  const found = findSpan(zone, at);
  if (known) known.push(found);
  else spansByZone.set(zone, [found]);
  return found;
}

/** Walks the transitions of one year: to look for the previous one costs ten times that in zones that have had none for decades. */
function findSpan(zone: string, at: number): Span {
  const newYear = Date.UTC(new Date(at).getUTCFullYear(), 0, 1);
  let local = Temporal.Instant.fromEpochMilliseconds(newYear).toZonedDateTimeISO(zone);
  for (;;) {
    const next = local.getTimeZoneTransition("next");
    const to = next?.epochMilliseconds ?? Number.POSITIVE_INFINITY;
    if (!next || at < to) return { from: local.epochMilliseconds, to, offsetMs: local.offsetNanoseconds / 1_000_000 };
    local = next;
  }
}
