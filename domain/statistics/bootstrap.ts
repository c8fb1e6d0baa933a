import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import type { Interval } from "./intervals.ts";

/** The purchases of a group: one amount for each person who bought something, and the number of people in the group. */
export interface Takings {
  amounts: readonly number[];
  of: number;
}

const DRAWS = 2_000;
const LEAST_DRAWS = 200;
/**
 * The most amounts that are drawn for one interval, which takes about 50 ms. For larger groups fewer samples are drawn,
 * because each sample is more exact.
 */
const MOST_DRAWN = 4_000_000;

/**
 * The 95 % interval of the mean amount per person, by the bootstrap (rules/statistics 2.3); null for an empty group.
 * The same numbers give the same interval, because the random numbers begin at a fixed seed.
 */
export function bootstrapMean(takings: Takings): Interval | null {
  if (takings.of === 0) return null;
  return middleOf(meansOf(takings, drawsFor(takings), 1));
}

/**
 * The 95 % interval of the difference between the mean amounts of two groups, by the bootstrap; null if one group is
 * empty.
 */
export function bootstrapDifference(one: Takings, other: Takings): Interval | null {
  if (one.of === 0 || other.of === 0) return null;
  const draws = Math.min(drawsFor(one), drawsFor(other));
  const others = meansOf(other, draws, 2);
  return middleOf(meansOf(one, draws, 1).map((mean, index) => mean - (others[index] ?? 0)));
}

function drawsFor({ amounts }: Takings): number {
  return Math.min(DRAWS, Math.max(LEAST_DRAWS, Math.floor(MOST_DRAWN / Math.max(1, amounts.length))));
}

/**
 * The mean amount of each bootstrap sample. A sample counts every person a random number of times, with a Poisson
 * distribution of mean 1, which approximates the bootstrap for many people. People who bought nothing add nothing, so
 * they are not drawn.
 */
function meansOf({ amounts, of }: Takings, draws: number, seed: number): number[] {
  const chance = xoroshiro128plus(seed);
  return Array.from(
    { length: draws },
    () => amounts.reduce((sum, amount) => sum + amount * poisson(uniformFloat64(chance)), 0) / of,
  );
}

/** The Poisson number with mean 1 at this point between 0 and 1, by adding up the probabilities. */
function poisson(point: number): number {
  let count = 0;
  let probability = Math.exp(-1);
  for (let sum = probability; sum < point && probability > Number.EPSILON; sum += probability) probability /= ++count;
  return count;
}

const TAIL = 0.025;

function middleOf(values: number[]): Interval {
  const sorted = values.sort((one, other) => one - other);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(share * (sorted.length - 1))))] ?? 0;
  return { low: at(TAIL), high: at(1 - TAIL) };
}
