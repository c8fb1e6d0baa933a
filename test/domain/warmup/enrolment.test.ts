import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { answersOf, DEFAULT_CONFIG, rampTarget, splitByShares, withPreset } from "../../../domain/warmup/enrolment.ts";

const shares = (...each: number[]) => each.map((share, index) => ({ type: `pool${index}`, share }));
const countsOf = (mails: number, ...each: number[]) => splitByShares(mails, shares(...each)).map(({ count }) => count);

describe("daily warmup volume", () => {
  test.each<[string, number, number, boolean, number]>([
    ["the first day", 1, 100, false, 3],
    ["a day before the first", 0, 100, false, 3],
    ["the second", 2, 100, false, 4],
    ["the last of the ramp", 18, 100, false, 20],
    ["long after it", 400, 100, false, 20],
    ["a limit below the ramp", 18, 7, false, 7],
    ["a limit of none", 18, 0, false, 0],
    ["beside campaigns", 18, 100, true, 5],
    ["beside campaigns, while the ramp is lower", 1, 100, true, 3],
    ["beside campaigns, with a lower limit", 18, 2, true, 2],
  ])(
    "the number of warmup emails per day follows the ramp, the limit and campaign sending: %s",
    (_, dayNumber, limit, sendsCampaigns, mails) => {
      expect(rampTarget(DEFAULT_CONFIG, dayNumber, limit, sendsCampaigns)).toBe(mails);
    },
  );

  test("a ramp without an increment stays at the start value, and a ramp that starts above the maximum is at the maximum", () => {
    expect(rampTarget({ ...DEFAULT_CONFIG, increment: 0 }, 90, 100, false)).toBe(3);
    expect(rampTarget({ ...DEFAULT_CONFIG, start: 20, max: 5 }, 1, 100, false)).toBe(5);
  });

  test("a warmup preset sets the ramp and the reply rate, and nothing else", () => {
    const own = { ...DEFAULT_CONFIG, start: 7, folder: "Own" };
    expect(withPreset(own, "CUSTOM")).toEqual(own);
    expect(withPreset(own, "AGGRESSIVE")).toEqual({ ...own, start: 15, increment: 4, max: 50, replyRate: 0.35 });
  });
});

describe("answers among the daily warmup emails", () => {
  test.each([
    [20, 0.3, 6],
    [5, 0.3, 2],
    [50, 0.29, 15],
    [20, 0, 0],
    [3, 0.3, 1],
  ])("%i warmup emails per day at a reply rate of %f contain %i answers", (target, rate, answers) => {
    expect(answersOf(target, rate)).toBe(answers);
  });

  test("of two or more daily emails at least one opens a conversation even at a reply rate of 1, and a single email is never an answer", () => {
    expect([0, 1, 2].map((target) => answersOf(target, 1))).toEqual([0, 0, 1]);
    expect(answersOf(1, 0.6)).toBe(0);
  });
});

describe("split of warmup emails by pool shares", () => {
  test.each<[string, number, number[], number[]]>([
    ["one share of all", 7, [1], [7]],
    ["two halves of an even number", 8, [0.5, 0.5], [4, 4]],
    ["two halves of an odd number: the first has one more", 7, [0.5, 0.5], [4, 3]],
    ["one mail for two halves", 1, [0.5, 0.5], [1, 0]],
    ["three thirds, written with a sum above 1", 20, [0.34, 0.34, 0.34], [7, 7, 6]],
    [
      "three thirds, written with a sum below 1: what is left below a whole mail is not sent",
      20,
      [0.33, 0.33, 0.33],
      [7, 6, 6],
    ],
    ["the largest remainder", 10, [0.36, 0.64], [4, 6]],
    ["ten tenths", 10, Array<number>(10).fill(0.1), Array<number>(10).fill(1)],
    ["a share too small for a mail", 9, [0.1], [0]],
    ["a share that leaves most unsent", 10, [0.25], [2]],
    ["no mails", 0, [0.5, 0.5], [0, 0]],
    ["no shares", 10, [], []],
  ])("the daily warmup emails are split by pool shares: %s", (_, mails, each, counts) => {
    expect(countsOf(mails, ...each)).toEqual(counts);
  });

  test("each pool gets the pool's share within one email, the total matches the shares, and the daily emails are never exceeded", () => {
    const some = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), some, (mails, percents) => {
        const sum = percents.reduce((total, percent) => total + percent, 0);
        const counts = countsOf(mails, ...percents.map((percent) => percent / 100));
        expect(counts.reduce((total, count) => total + count, 0)).toBe(Math.floor((Math.min(100, sum) * mails) / 100));
        for (const [index, percent] of percents.entries())
          expect(Math.abs((counts[index] ?? 0) - (percent * mails) / Math.max(100, sum))).toBeLessThan(1);
      }),
    );
  });
});
