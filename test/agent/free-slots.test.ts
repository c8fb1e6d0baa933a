import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { freeSlots, writtenIn } from "../../domain/agent/free-slots.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { isOpen } from "../../domain/time/schedule.ts";

const WEEK = [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }];
const at = (iso: string) => Date.parse(iso);
const question = { zone: "Europe/Berlin", windows: WEEK, theirZone: null, busy: [], durationMs: 30 * MINUTE_MS };
const starts = (asked: Partial<Parameters<typeof freeSlots>[0]> & { from: number; to: number }) =>
  freeSlots({ ...question, ...asked }).map(({ start }) => writtenIn("Europe/Berlin", start).slice(11, 16));

test("slots lie within the working hours, start on the half hour, and do not overlap a busy minute", () => {
  const monday = { from: at("2026-11-23T00:00:00Z"), to: at("2026-11-24T00:00:00Z") };
  expect(starts(monday)).toHaveLength(16);
  expect(starts({ ...monday, from: at("2026-11-23T08:10:00Z"), durationMs: 4 * HOUR_MS })[0]).toBe("09:30");
  const busy = [
    { start: at("2026-11-23T08:59:00Z"), end: at("2026-11-23T09:01:00Z") },
    { start: at("2026-11-23T10:00:00Z"), end: at("2026-11-23T10:30:00Z") },
  ];
  expect(starts({ ...monday, busy }).slice(0, 4)).toEqual(["09:00", "10:30", "11:30", "12:00"]);
});

test("a slot is never in the lead's night, also after a change of clocks in either zone", () => {
  const day = { from: at("2026-11-23T00:00:00Z"), to: at("2026-11-24T00:00:00Z") };
  expect(starts({ ...day, theirZone: "America/New_York" })).toEqual([
    "14:00",
    "14:30",
    "15:00",
    "15:30",
    "16:00",
    "16:30",
  ]);
  expect(starts({ ...day, theirZone: "Asia/Tokyo" })).toEqual(["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"]);
  // America changed its clocks a week before: 08:00 there was 13:00 here
  const between = { from: at("2026-10-26T00:00:00Z"), to: at("2026-10-27T00:00:00Z") };
  expect(starts({ ...between, theirZone: "America/New_York" })[0]).toBe("13:00");
});

test("a time is written in its zone with the offset from UTC", () => {
  expect(writtenIn("Europe/Berlin", at("2026-07-01T07:00:00Z"))).toBe("2026-07-01T09:00:00+02:00");
  expect(writtenIn("America/St_Johns", at("2026-01-01T00:00:00Z"))).toBe("2025-12-31T20:30:00-03:30");
  expect(writtenIn("UTC", at("2026-01-01T00:00:00Z"))).toBe("2026-01-01T00:00:00+00:00");
});

test("with any busy times, every slot has the requested length, lies in the working hours and does not overlap a busy time", () => {
  const base = at("2026-10-19T00:00:00Z");
  const minute = fc.integer({ min: 0, max: 14 * 24 * 60 });
  const busy = fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 600 })), { maxLength: 12 });
  const zone = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Auckland");
  fc.assert(
    fc.property(busy, zone, zone, fc.integer({ min: 5, max: 480 }), (times, ours, theirs, minutes) => {
      const taken = times.map(([from, length]) => ({
        start: base + from * MINUTE_MS,
        end: base + (from + length) * MINUTE_MS,
      }));
      const [from, to, durationMs] = [base, base + 14 * 24 * HOUR_MS, minutes * MINUTE_MS];
      const slots = freeSlots({ zone: ours, windows: WEEK, theirZone: theirs, busy: taken, from, to, durationMs });
      for (const { start, end } of slots) {
        expect(end - start).toBe(durationMs);
        expect(taken.some((one) => one.start < end && one.end > start)).toBe(false);
        expect([start, end - 1].map((instant) => isOpen({ zone: ours, windows: WEEK }, instant))).toEqual([true, true]);
      }
    }),
    { numRuns: 200 },
  );
});
