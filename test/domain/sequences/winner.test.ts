import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Arm, chanceOfBetter, winnerAmong } from "../../../domain/sequences/winner.ts";

const arm = (variantId: string, sends: number, hits: number): Arm => ({ variantId, sends, hits });
const RULE = { minSends: 50, confidence: 0.95 };

// Computed in whole numbers: the sum of C(hits, x) C(misses, n - x) / C(all, n)
test.each([
  [arm("a", 4, 3), arm("b", 4, 1), 0.2428571429],
  [arm("a", 10, 10), arm("b", 10, 0), 0.000005412544],
  [arm("a", 100, 5), arm("b", 100, 5), 0.626235125],
  [arm("a", 1_000, 20), arm("b", 900, 5), 0.0042589913],
])("the exact test of %p against %p", (one, other, expected) => {
  expect(chanceOfBetter(one, other)).toBeCloseTo(expected, 6);
});

test.each<[string, Arm[], string | null]>([
  ["a clear lead wins", [arm("a", 100, 20), arm("b", 100, 5)], "a"],
  ["a small lead does not", [arm("a", 100, 8), arm("b", 100, 5)], null],
  ["too few mails of one do not", [arm("a", 100, 40), arm("b", 49, 1)], null],
  ["one arm alone is no contest", [arm("a", 1_000, 400)], null],
  ["all of three must be beaten", [arm("a", 200, 40), arm("b", 200, 35), arm("c", 200, 5)], null],
  ["and when they are, it wins", [arm("c", 200, 5), arm("b", 200, 10), arm("a", 200, 40)], "a"],
  ["nothing happened at all", [arm("a", 100, 0), arm("b", 100, 0)], null],
])("%s", (_name, arms, winner) => {
  expect(winnerAmong(arms, RULE)).toBe(winner);
});

test("full certainty is never reached, and a lower one is reached by a large enough lead", () => {
  const arms = [arm("a", 100_000, 90_000), arm("b", 100_000, 10)];
  expect(winnerAmong(arms, { minSends: 1, confidence: 1 })).toBeNull();
  expect(winnerAmong(arms, { minSends: 1, confidence: 0.999999 })).toBe("a");
});

const rates = fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.double({ min: 0, max: 1, noNaN: true })).map(([sends, rate]) => ({
  sends,
  hits: Math.floor(sends * rate),
}));

test("the chance to be better lies between 0 and 1, and of two variants at most one is better", () => {
  fc.assert(
    fc.property(rates, rates, (one, other) => {
      const [a, b] = [chanceOfBetter(one, other), chanceOfBetter(other, one)];
      expect(a).toBeGreaterThanOrEqual(0);
      expect(a).toBeLessThanOrEqual(1);
      // Both tails include the observed table itself
      expect(a + b).toBeGreaterThanOrEqual(1 - 1e-6);
    }),
  );
});

test("the order of the variants does not matter, and the winner has the best rate", () => {
  fc.assert(
    fc.property(fc.array(rates, { minLength: 2, maxLength: 5 }), (counts) => {
      const arms = counts.map(({ sends, hits }, index) => arm(`v${index}`, sends, hits));
      const won = winnerAmong(arms, { minSends: 10, confidence: 0.9 });
      expect(winnerAmong([...arms].reverse(), { minSends: 10, confidence: 0.9 })).toBe(won);
      const rate = ({ sends, hits }: Arm) => hits / sends;
      const best = arms.find(({ variantId }) => variantId === won);
      if (best !== undefined) for (const other of arms) expect(rate(other)).toBeLessThanOrEqual(rate(best));
    }),
  );
});
