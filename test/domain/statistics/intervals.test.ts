import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { bootstrapDifference, bootstrapMean } from "../../../domain/statistics/bootstrap.ts";
import { newcombe, wilson } from "../../../domain/statistics/intervals.ts";

// The examples that Newcombe published for seven methods in 1998, here those of the score method
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("Wilson's interval of %p hits in %p matches Newcombe's published example", (hits, of, low, high) => {
  const interval = wilson({ hits, of });
  expect(interval?.low).toBeCloseTo(low, 4);
  expect(interval?.high).toBeCloseTo(high, 4);
});

// And those of the hybrid score method for differences
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [10, 10, 0, 10, 0.6075, 1],
])(
  "Newcombe's interval for the difference of %p in %p and %p in %p matches the published example",
  (hits, of, others, among, low, high) => {
    const interval = newcombe({ hits, of }, { hits: others, of: among });
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  },
);

const share = fc
  .tuple(fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([of, rate]) => ({ of, hits: Math.floor(of * rate) }));

test("a rate lies within its interval between 0 and 1, and swapping the groups mirrors the interval of the difference", () => {
  fc.assert(
    fc.property(share, share, (one, other) => {
      const { low, high } = wilson(one) ?? { low: -1, high: -1 };
      expect(0 <= low && low <= one.hits / one.of && one.hits / one.of <= high && high <= 1).toBe(true);
      const [there, back] = [newcombe(one, other), newcombe(other, one)];
      expect(there?.low).toBeCloseTo(-(back?.high ?? 0), 9);
    }),
  );
});

test("an empty group has no interval", () => {
  const nobody = { hits: 0, of: 0 };
  expect([wilson(nobody), newcombe(nobody, { hits: 1, of: 2 })]).toEqual([null, null]);
  expect([
    bootstrapMean({ amounts: [], of: 0 }),
    bootstrapDifference({ amounts: [1], of: 5 }, { amounts: [], of: 0 }),
  ]).toEqual([null, null]);
});

test("the bootstrap interval of many similar amounts matches the central limit theorem and is the same each time", () => {
  const takings = { amounts: Array.from({ length: 900 }, (_, index) => 50 + (index % 11)), of: 10_000 };
  const interval = bootstrapMean(takings);
  const mean = takings.amounts.reduce((sum, amount) => sum + amount, 0) / takings.of;
  const reach = (1.96 * Math.sqrt(takings.amounts.reduce((sum, amount) => sum + amount * amount, 0))) / takings.of;
  expect(interval?.low).toBeCloseTo(mean - reach, 1);
  expect(interval?.high).toBeCloseTo(mean + reach, 1);
  expect(bootstrapMean(takings)).toEqual(interval);
  const difference = bootstrapDifference(takings, { ...takings, of: 20_000 });
  expect(difference?.low).toBeGreaterThan(0);
});
