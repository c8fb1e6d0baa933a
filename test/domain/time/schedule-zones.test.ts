import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import {
  type Calendar,
  type DelayUnit,
  dueAfter,
  type Hours,
  isOpen,
  localDate,
  nextOpening,
  openSeconds,
  type Window,
} from "../../../domain/time/schedule.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

// two years contain every kind of clock change that a zone makes; further years would only repeat them
const instants = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) });
const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
const windows: fc.Arbitrary<Window[]> = fc.array(
  fc.record({
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    from: fc.integer({ min: 0, max: 1438 }).map(clock),
    to: fc.integer({ min: 1, max: 1440 }).map(clock),
  }),
  { minLength: 1, maxLength: 4 },
);
const workdays: fc.Arbitrary<Hours> = fc.record({
  timezone: fc.constantFrom("UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"),
  days: fc.constant([1, 2, 3, 4, 5, 6]),
  from: fc.constant("06:00"),
  to: fc.constant("23:00"),
});
const calendars = (zone: string): fc.Arbitrary<Calendar> =>
  fc.record({ zone: fc.constant(zone), windows, workday: fc.option(workdays, { nil: null }) });
const delays = fc.record({
  value: fc.integer({ min: 0, max: 30 }),
  unit: fc.constantFrom<DelayUnit>("MINUTES", "HOURS", "DAYS", "BUSINESS_DAYS"),
});

function inEveryZone(runs: number, check: (zone: string) => fc.IRawProperty<unknown>) {
  expect(ZONES.length).toBeGreaterThan(400);
  for (const zone of ZONES) fc.assert(check(zone), { numRuns: runs });
}

test("in every time zone the next opening is open, not before the requested time, and nothing is open in between", () => {
  inEveryZone(8, (zone) =>
    fc.property(
      calendars(zone),
      instants,
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 5 }),
      (calendar, from, shares) => {
        const opening = nextOpening(calendar, from);
        if (!opening) return;
        expect(opening.at).toBeGreaterThanOrEqual(from);
        expect(opening.until).toBeGreaterThan(opening.at);
        expect(nextOpening(calendar, opening.at)).toEqual(opening);
        expect(isOpen(calendar, opening.until - 1)).toBe(true);
        for (const share of shares) {
          const before = from + Math.floor(share * (opening.at - from));
          expect(isOpen(calendar, before)).toBe(before === opening.at);
          expect(isOpen(calendar, opening.at + Math.floor(share * (opening.until - opening.at)))).toBe(true);
        }
      },
    ),
  );
});

test("in every time zone a search from a later time never finds an earlier opening", () => {
  inEveryZone(8, (zone) =>
    fc.property(calendars(zone), instants, fc.integer({ min: 0, max: 72 * HOUR_MS }), (calendar, from, wait) => {
      const [sooner, later] = [nextOpening(calendar, from), nextOpening(calendar, from + wait)];
      if (sooner && later) expect(later.at).toBeGreaterThanOrEqual(sooner.at);
    }),
  );
});

test("in every time zone windows follow the local clock, except in the second pass of a repeated hour", () => {
  for (const zone of ZONES) {
    const wall = wallOf(zone);
    fc.assert(
      fc.property(windows, instants, (hours, at) => {
        const now = wall(at);
        expect(localDate(at, zone)).toBe(new Date(now).toISOString().slice(0, 10));
        // clocks were set back less than four hours ago: the tables of cases cover that
        if (now - at < wall(at - 4 * HOUR_MS) - (at - 4 * HOUR_MS)) return;
        const weekday = new Date(now).getUTCDay() || 7;
        const time = clock(Math.floor(now / MINUTE_MS) % 1440);
        expect(isOpen({ zone, windows: hours }, at)).toBe(
          hours.some(({ days, from, to }) => days.includes(weekday) && from <= time && time < to),
        );
      }),
      { numRuns: 12 },
    );
  }
});

test("in every time zone a delay never ends before the start, and a delay in days keeps the local time where that time exists", () => {
  inEveryZone(8, (zone) => {
    const wall = wallOf(zone);
    return fc.property(calendars("Europe/Berlin"), instants, delays, (calendar, previous, delay) => {
      const due = dueAfter(delay, previous, zone, calendar);
      expect(due).toBeGreaterThanOrEqual(previous);
      if (delay.unit !== "DAYS") return;
      const late = wall(due) - wall(previous) - delay.value * 24 * HOUR_MS;
      // only a skipped time comes later, at most by what was skipped
      if (late !== 0)
        expect([late > 0 && late <= 3 * HOUR_MS, wall(due) - wall(due - 1) > MINUTE_MS]).toEqual([true, true]);
    });
  });
});

test("in every time zone the open seconds of a day equal the sum of that day's openings", () => {
  inEveryZone(2, (zone) =>
    fc.property(calendars(zone), instants, (calendar, from) => {
      const start =
        nextOpening(
          { zone, windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }] },
          from + 24 * HOUR_MS,
        )?.at ?? from;
      const date = localDate(start, zone);
      let total = 0;
      for (let at = start - 30 * HOUR_MS; ; ) {
        const opening = nextOpening(calendar, at);
        if (!opening || opening.at > start + 30 * HOUR_MS) break;
        if (localDate(opening.at, zone) === date) total += opening.until - opening.at;
        at = opening.until;
      }
      expect(openSeconds(calendar, date)).toBeCloseTo(total / 1000, 6);
    }),
  );
});

/** The wall clock by the platform's own formatter, as a second opinion on the zone arithmetic. */
function wallOf(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  return (at) => {
    const part = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const field = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? Number.NaN;
    const seconds = Date.UTC(
      field("year"),
      field("month") - 1,
      field("day"),
      field("hour"),
      field("minute"),
      field("second"),
    );
    return seconds + (((at % 1000) + 1000) % 1000);
  };
}
