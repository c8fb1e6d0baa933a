import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { drawGapMs, firstFreeSlot, leftOf, minLimit, overdueOrder, rampLimit } from "../../../domain/sending/pacing.ts";

test("the gap before a send is always the same for that send, lies within the limits, and gaps are evenly distributed", () => {
  expect(drawGapMs(540, 840, "snd_1")).toBe(drawGapMs(540, 840, "snd_1"));
  expect(drawGapMs(60, 60, "snd_1")).toBe(60_000);
  expect(drawGapMs(0, 0, "snd_1")).toBe(0);
  const gaps = Array.from({ length: 10_000 }, (_, index) => drawGapMs(540, 840, `snd_${index}`));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(540_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(840_000);
  const tenths = gaps.reduce(
    (counts, gap) =>
      counts.with(Math.floor((gap - 540_000) / 30_000.1), (counts[Math.floor((gap - 540_000) / 30_000.1)] ?? 0) + 1),
    Array<number>(10).fill(0),
  );
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("a ramp grows by the increment with each sending day, and sets no limit when switched off", () => {
  const settings = { rampEnabled: true, rampStart: 10, rampIncrement: 5 };
  expect([0, 1, 10].map((days) => rampLimit(settings, days))).toEqual([10, 15, 60]);
  expect(rampLimit({ ...settings, rampEnabled: false }, 3)).toBeNull();
});

test.each<[(number | null | undefined)[], number | null]>([
  [[], null],
  [[null, undefined], null],
  [[0, 0], null],
  [[0, 30], 30],
  [[50, null, 30, 40], 30],
])("the lowest of the limits %j counts, and 0 and null mean no limit", (limits, expected) => {
  expect(minLimit(...limits)).toBe(expected);
});

test("a used-up limit leaves no sends, and a missing limit leaves unlimited sends", () => {
  expect([leftOf(30, 10), leftOf(30, 30), leftOf(30, 40), leftOf(0, 40), leftOf(null, 40)]).toEqual([
    20,
    0,
    0,
    Infinity,
    Infinity,
  ]);
});

test.each<[string, number[], number, number, number | null]>([
  ["an empty day", [], 100, 500, 100],
  ["a slot far ahead", [300], 100, 500, 100],
  ["exactly one gap before a taken one", [200], 100, 500, 100],
  ["too near to the next", [199], 100, 500, 299],
  ["too near to the one before", [50], 100, 500, 150],
  ["on a taken one", [100], 100, 500, 200],
  ["between two that are far enough apart", [100, 300], 100, 500, 200],
  ["past two that are not", [100, 299], 100, 500, 399],
  ["at the very end", [100, 300, 400], 250, 500, 500],
  ["past the end", [100, 300, 401], 250, 500, null],
  ["an end before the earliest", [], 100, 99, null],
])("the first free send slot keeps the gap to the taken slots: %s", (_name, taken, earliest, until, expected) => {
  expect(firstFreeSlot(taken, earliest, until, 100)).toBe(expected);
});

test("the first free send slot is the earliest time that keeps the gap to every taken slot", () => {
  const times = fc
    .array(fc.integer({ min: 0, max: 300 }), { maxLength: 12 })
    .map((taken) => taken.sort((a, b) => a - b));
  const small = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(times, small, fc.integer({ min: 0, max: 400 }), small, (taken, earliest, until, gap) => {
      const isFree = (at: number) => taken.every((slot) => Math.abs(at - slot) >= gap);
      const candidates = Array.from({ length: Math.max(0, until - earliest + 1) }, (_, index) => earliest + index);
      expect(firstFreeSlot(taken, earliest, until, gap)).toBe(candidates.find(isFree) ?? null);
    }),
  );
});

test("overdue sends take slots in due order, follow-ups before new leads unless the campaign puts new leads first", () => {
  const sends = [
    { id: "new-early", dueAt: 1, isFollowUp: false },
    { id: "follow-late", dueAt: 9, isFollowUp: true },
    { id: "b", dueAt: 5, isFollowUp: true },
    { id: "a", dueAt: 5, isFollowUp: true },
    { id: "new-late", dueAt: 8, isFollowUp: false },
  ];
  const order = (flipped: boolean) => sends.toSorted(overdueOrder(flipped)).map(({ id }) => id);
  expect(order(false)).toEqual(["a", "b", "follow-late", "new-early", "new-late"]);
  expect(order(true)).toEqual(["new-early", "new-late", "a", "b", "follow-late"]);
});
