import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { DAY_MS, HOUR_MS } from "../../../domain/time/durations.ts";
import { isOpen } from "../../../domain/time/schedule.ts";
import {
  endOfDay,
  isOpenDay,
  lastDays,
  movedInto,
  openingsIn,
  spread,
  warmupHours,
} from "../../../domain/warmup/day.ts";

const TUESDAY = Date.parse("2026-11-24T00:00:00Z");
const SATURDAY = Date.parse("2026-11-28T00:00:00Z");

test("a mailbox without a workday warms up from 9:00 to 18:00 in the workspace's time zone", () => {
  const hours = warmupHours(null, "Europe/Berlin", false);
  expect(openingsIn(hours, TUESDAY, TUESDAY + DAY_MS)).toEqual([
    { at: TUESDAY + 8 * HOUR_MS, until: TUESDAY + 17 * HOUR_MS },
  ]);
});

test("a UTC day contains warmup hours of two local days for a mailbox in Los Angeles", () => {
  const hours = warmupHours(null, "America/Los_Angeles", false);
  const openings = openingsIn(hours, TUESDAY, TUESDAY + DAY_MS);
  expect(openings).toEqual([
    { at: TUESDAY, until: TUESDAY + 2 * HOUR_MS },
    { at: TUESDAY + 17 * HOUR_MS, until: TUESDAY + DAY_MS },
  ]);
});

test("a mailbox with warmup only on weekdays has no warmup on Saturday and Sunday of the mailbox's time zone", () => {
  const hours = warmupHours(null, "Pacific/Auckland", true);
  // Saturday in UTC has Sunday morning of Auckland, and no hour of its Friday
  expect(openingsIn(hours, SATURDAY, SATURDAY + DAY_MS)).toEqual([]);
  expect(isOpenDay(hours, "2026-11-28")).toBe(false);
  expect(isOpenDay(hours, "2026-11-27")).toBe(true);
});

test("a workday that contains only rest days never opens, and reading times are not moved", () => {
  const hours = warmupHours({ timezone: "UTC", days: [6, 7], from: "09:00", to: "17:00" }, "UTC", true);
  expect(openingsIn(hours, TUESDAY, TUESDAY + 7 * DAY_MS)).toEqual([]);
  expect(movedInto(hours, TUESDAY)).toBe(TUESDAY);
});

test("a warmup reading time at night moves to the next morning, also across a clock change", () => {
  const hours = warmupHours(null, "Europe/Berlin", false);
  expect(movedInto(hours, Date.parse("2026-10-24T21:30:00Z"))).toBe(Date.parse("2026-10-25T08:00:00Z"));
  expect(movedInto(hours, Date.parse("2026-03-28T21:30:00Z"))).toBe(Date.parse("2026-03-29T07:00:00Z"));
});

test("a local day ends where the next local day begins, also when the clocks change", () => {
  expect(endOfDay("Europe/Berlin", "2026-10-25")).toBe(Date.parse("2026-10-25T23:00:00Z"));
  expect(endOfDay("Europe/Berlin", "2026-10-25") - endOfDay("Europe/Berlin", "2026-10-24")).toBe(25 * HOUR_MS);
});

test("the last days of a time zone are listed once each, oldest first", () => {
  expect(lastDays("America/New_York", 3, Date.parse("2026-03-09T03:00:00Z"))).toEqual([
    "2026-03-06",
    "2026-03-07",
    "2026-03-08",
  ]);
});

test("warmup emails are spread over all openings, in order and within the warmup hours", () => {
  const hours = warmupHours(null, "America/Los_Angeles", false);
  const openings = openingsIn(hours, TUESDAY, TUESDAY + DAY_MS);
  const draws = fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(draws, (drawn) => {
      const times = spread(openings, drawn);
      expect(times).toHaveLength(drawn.length);
      for (const [index, at] of times.entries()) {
        expect(isOpen(hours, at)).toBe(true);
        expect(at).toBeGreaterThanOrEqual(times[index - 1] ?? 0);
      }
    }),
    { seed: 20 },
  );
  expect(spread([], [0.5])).toEqual([]);
});
