import { Temporal } from "temporal-polyfill";
import { DAY_MS, HOUR_MS } from "./durations.ts";

/**
 * A span of instants with one UTC offset, from `from` up to but excluding `to`, in epoch ms. `to` is a transition;
 * `from` is a transition or a New Year.
 */
interface Span {
  from: number;
  to: number;
  offsetMs: number;
}

/**
 * The spans found so far by zone. Finding a transition takes milliseconds and the result never changes, so each is
 * searched only once per process.
 */
const spansByZone = new Map<string, Span[]>();

/**
 * Whether this is a zone of the IANA database. A bare offset ("+02:00") is not one, because it has no daylight saving.
 */
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

/**
 * The local time of a zone at an instant, as the epoch milliseconds that this time would have in UTC. Throws RangeError
 * on an unknown zone.
 */
export function wallAt(zone: string, at: number): number {
  return at + spanAt(zone, at).offsetMs;
}

/**
 * The first instant at which the wall clock shows `wall` or later: for a skipped time the next valid one, for a
 * repeated time the first of the two.
 */
export function instantOf(zone: string, wall: number): number {
  return firstReach(zone, wall, 0);
}

/**
 * The instant up to which the wall clock has stayed below `wall`, for the ends of windows. It differs from `instantOf`
 * where clocks go back exactly at `wall`: an end of 02:00 means the end of the first 01:59, not of the second.
 */
export function endOf(zone: string, wall: number): number {
  return firstReach(zone, wall, 1);
}

/** The day number (days since 1970-01-01) that the wall clock shows at an instant. */
export function dayAt(zone: string, at: number): number {
  return Math.floor(wallAt(zone, at) / DAY_MS);
}

/** The date YYYY-MM-DD of a day number. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day number of YYYY-MM-DD. */
export function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** The ISO weekday (1 = Monday) of a day number. */
export function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The date YYYY-MM-DD that the wall clock of a zone shows. Throws RangeError on an unknown zone. */
export function localDate(at: number, zone: string): string {
  return dateOf(dayAt(zone, at));
}

/** The date YYYY-MM-DD in UTC, which is the day by which a mailbox's limits count (rules/sending 2.1). */
export function utcDay(at: number): string {
  return dateOf(Math.floor(at / DAY_MS));
}

/** The first instant of the next day in UTC, when limits of the day start anew. */
export function nextUtcDay(at: number): Date {
  return new Date(Math.floor(at / DAY_MS) * DAY_MS + DAY_MS);
}

/**
 * The first instant at which the wall clock of a zone shows `wall` or later, in epoch ms. With `slack` 1, an instant
 * also counts at which the clock would have shown `wall` but was set back.
 */
function firstReach(zone: string, wall: number, slack: 0 | 1): number {
  // no offset has ever been more than 16 hours from UTC, so no earlier instant can show `wall`
  let span = spanAt(zone, wall - 16 * HOUR_MS);
  for (;;) {
    const at = Math.max(span.from, wall - span.offsetMs);
    if (at < span.to + slack) return at;
    span = spanAt(zone, span.to);
  }
}

function spanAt(zone: string, at: number): Span {
  const spans = spansByZone.get(zone);
  const span = spans?.find((one) => one.from <= at && at < one.to);
  if (span) return span;
  const found = findSpan(zone, at);
  if (spans) spans.push(found);
  else spansByZone.set(zone, [found]);
  return found;
}

/**
 * Finds a span by walking the transitions of one year. Searching backwards for the previous transition takes ten times
 * as long in zones that have had none for decades.
 */
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
