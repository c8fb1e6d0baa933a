import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Achiever, type Trial, winnerAmong } from "../../../domain/sequences/winner.ts";
import { randomFrom } from "../../system/killed-worker.ts";

const RULE = { minSends: 50, confidence: 0.95 };

/**
 * Variants a, b, … that were drawn with equal shares: each with its emails, and how many of their people are hits.
 */
function trialOf(
  counts: readonly (readonly [sends: number, hits: number])[],
  shares: Achiever["shares"] = equalShares(counts.length),
): Trial {
  const arms = counts.map(([sends], index) => ({ variantId: nameOf(index), sends }));
  const achievers = counts.flatMap(([, hits], index) =>
    Array.from({ length: hits }, () => achiever(nameOf(index), shares)),
  );
  return { arms, achievers };
}

function achiever(variantId: string, shares: Achiever["shares"], amount = 1, countedAt = 0): Achiever {
  return { variantId, shares, amount, total: amount, countedAt };
}

const nameOf = (index: number) => String.fromCharCode(97 + index);
const equalShares = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [nameOf(index), 1 / count]));

test.each<[string, [number, number][], string | null]>([
  [
    "a clear lead wins",
    [
      [100, 30],
      [100, 5],
    ],
    "a",
  ],
  [
    "a small lead does not",
    [
      [100, 8],
      [100, 5],
    ],
    null,
  ],
  [
    "too few mails of one do not",
    [
      [100, 40],
      [49, 1],
    ],
    null,
  ],
  ["one arm alone is no contest", [[1_000, 400]], null],
  [
    "all of three must be beaten",
    [
      [200, 60],
      [200, 55],
      [200, 5],
    ],
    null,
  ],
  [
    "and when they are, it wins",
    [
      [200, 5],
      [200, 10],
      [200, 60],
    ],
    "c",
  ],
  [
    "nothing happened at all",
    [
      [100, 0],
      [100, 0],
    ],
    null,
  ],
])("a variant wins only with a clear lead over every other variant and enough emails: %s", (_name, counts, winner) => {
  expect(winnerAmong(trialOf(counts), RULE)).toBe(winner);
});

test("no variant wins at a confidence of 1, and a large enough lead wins at any lower confidence", () => {
  const trial = trialOf([
    [100_000, 9_000],
    [100_000, 10],
  ]);
  expect(winnerAmong(trial, { minSends: 1, confidence: 1 })).toBeNull();
  expect(winnerAmong(trial, { minSends: 1, confidence: 0.999999 })).toBe("a");
});

test("a variant drawn for nine of ten recipients does not win with nine of ten hits, and a rival with a better hit rate wins", () => {
  const shares = { a: 0.9, b: 0.1 };
  expect(
    winnerAmong(
      trialOf(
        [
          [900, 90],
          [100, 10],
        ],
        shares,
      ),
      RULE,
    ),
  ).toBeNull();
  expect(
    winnerAmong(
      trialOf(
        [
          [900, 90],
          [100, 40],
        ],
        shares,
      ),
      RULE,
    ),
  ).toBe("b");
});

test("hits of recipients with unknown draw shares, or of a variant without a possible rival, name no winner", () => {
  const known = trialOf([
    [100, 30],
    [100, 5],
  ]);
  expect(
    winnerAmong({ ...known, achievers: known.achievers.map((each) => ({ ...each, shares: null })) }, RULE),
  ).toBeNull();
  // Nor does a variant whose rival could not have been drawn
  expect(
    winnerAmong(
      trialOf(
        [
          [100, 30],
          [100, 5],
        ],
        { a: 1 },
      ),
      RULE,
    ),
  ).toBeNull();
});

test("when amounts count, one large order names no winner, and many larger orders do", () => {
  const shares = equalShares(2);
  const orders = (variantId: string, count: number, amount: number) =>
    Array.from({ length: count }, (_, index) => achiever(variantId, shares, amount, index));
  const arms = [
    { variantId: "a", sends: 1_000 },
    { variantId: "b", sends: 1_000 },
  ];
  expect(
    winnerAmong(
      { arms, achievers: [...orders("a", 10, 20), ...orders("b", 10, 20), achiever("a", shares, 1e9, 99)] },
      RULE,
    ),
  ).toBeNull();
  expect(winnerAmong({ arms, achievers: [...orders("a", 100, 90), ...orders("b", 100, 20)] }, RULE)).toBe("a");
});

const counts = fc
  .tuple(fc.integer({ min: 0, max: 300 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([sends, rate]): [number, number] => [sends, Math.floor(sends * rate)]);

test("the winner does not depend on the order of the variants and has the best hit rate", () => {
  fc.assert(
    fc.property(fc.array(counts, { minLength: 2, maxLength: 5 }), (all) => {
      const trial = trialOf(all);
      const won = winnerAmong(trial, { minSends: 10, confidence: 0.9 });
      expect(winnerAmong({ ...trial, arms: [...trial.arms].reverse() }, { minSends: 10, confidence: 0.9 })).toBe(won);
      const best = all[(won ?? "a").charCodeAt(0) - 97] ?? [1, 0];
      if (won !== null) for (const [sends, hits] of all) expect(hits / sends).toBeLessThanOrEqual(best[1] / best[0]);
    }),
  );
});

/**
 * Looks after every hit, and says whether a winner is ever called. Hits come from each variant as often as its rate
 * says.
 */
function isEverCalled(random: () => number, rates: readonly number[], hits: number, amountOf = () => 1): string | null {
  const shares = equalShares(rates.length);
  const arms = rates.map((_, index) => ({ variantId: nameOf(index), sends: 1_000 }));
  const all = rates.reduce((sum, rate) => sum + rate, 0);
  const achievers: Achiever[] = [];
  for (let hit = 0; hit < hits; hit++) {
    achievers.push(achiever(nameOf(drawIndex(rates, random() * all)), shares, amountOf(), hit));
    const won = winnerAmong({ arms, achievers }, { minSends: 1, confidence: 0.95 });
    if (won !== null) return won;
  }
  return null;
}

function drawIndex([rate = 0, ...others]: readonly number[], point: number): number {
  return point < rate || others.length === 0 ? 0 : 1 + drawIndex(others, point - rate);
}

const EXPERIMENTS = 300;

test.each([2, 3])(
  "among experiments with %p equal variants, checked after every hit, at most 5 in 100 ever name a winner",
  (variants) => {
    const random = randomFrom(variants);
    const rates = Array.from({ length: variants }, () => 0.05);
    const called = Array.from({ length: EXPERIMENTS }, () => isEverCalled(random, rates, 120)).filter(
      (won) => won !== null,
    );
    expect(called.length / EXPERIMENTS).toBeLessThanOrEqual(0.05);
  },
);

test("among experiments with equal variants and a few enormous amounts, checked after every hit, at most 5 in 100 ever name a winner", () => {
  const random = randomFrom(9);
  const amountOf = () => 20 * random() ** -1.2;
  const called = Array.from({ length: EXPERIMENTS }, () => isEverCalled(random, [0.05, 0.05], 80, amountOf)).filter(
    (won) => won !== null,
  );
  expect(called.length / EXPERIMENTS).toBeLessThanOrEqual(0.05);
});

test("a variant with twice the hit rate wins at least 80 of 100 experiments within the published 130 hits, and the worse variant at most 3", () => {
  const random = randomFrom(5);
  const called = Array.from({ length: 100 }, () => isEverCalled(random, [0.1, 0.05], 130));
  expect(called.filter((won) => won === "a").length).toBeGreaterThanOrEqual(80);
  expect(called.filter((won) => won === "b").length).toBeLessThanOrEqual(3);
});

test("a lead that is large enough only for a one-sided test names no winner at a confidence of 0.95, and wins at 0.9", () => {
  // 17 of 20 hits: some 28 to 1, between what a doubt of 5 in 100 and of half of it need
  expect(
    winnerAmong(
      trialOf([
        [100, 17],
        [100, 3],
      ]),
      { minSends: 50, confidence: 0.95 },
    ),
  ).toBeNull();
  expect(
    winnerAmong(
      trialOf([
        [100, 17],
        [100, 3],
      ]),
      { minSends: 50, confidence: 0.9 },
    ),
  ).toBe("a");
});
