/** The results of one variant of a step: the mails old enough to be judged, and how many of their recipients did what the metric counts. */
export interface Arm {
  variantId: string;
  sends: number;
  hits: number;
}

/**
 * The variant whose rate is better than every other's at `confidence` (rules/campaigns 3.2); null while there is none. Each variant must
 * have `minSends`
 * mails, and the best must beat each other one in Fisher's exact test, with the error probability divided among the comparisons
 * (Bonferroni). The test is exact because replies are rare: with five replies to a hundred mails, a normal approximation is wrong.
 */
export function winnerAmong(arms: readonly Arm[], { minSends, confidence }: { minSends: number; confidence: number }): string | null {
  const [best, ...others] = [...arms].sort((one, other) => rateOf(other) - rateOf(one));
  if (best === undefined || others.length === 0 || arms.some(({ sends }) => sends < minSends)) return null;
  const doubt = (1 - confidence) / others.length;
  return others.every((other) => chanceOfBetter(best, other) < doubt) ? best.variantId : null;
}

/** The probability that a variant does at least this much better than the other when both are equally good: Fisher's one-sided p. */
export function chanceOfBetter(one: Pick<Arm, "sends" | "hits">, other: Pick<Arm, "sends" | "hits">): number {
  const hits = one.hits + other.hits;
  const misses = one.sends + other.sends - hits;
  const chanceOf = (x: number) => Math.exp(logChoose(hits, x) + logChoose(misses, one.sends - x) - logChoose(hits + misses, one.sends));
  // Summed away from the middle, where the terms become smaller
  const isAbove = one.hits * (hits + misses) >= hits * one.sends;
  const step = isAbove ? 1 : -1;
  const last = isAbove ? Math.min(hits, one.sends) : Math.max(0, one.sends - misses);
  let sum = 0;
  for (let x = isAbove ? one.hits : one.hits - 1; (last - x) * step >= 0; x += step) {
    const term = chanceOf(x);
    sum += term;
    if (term <= sum * Number.EPSILON) break;
  }
  return Math.min(1, Math.max(0, isAbove ? sum : 1 - sum));
}

function rateOf({ sends, hits }: Arm): number {
  return sends === 0 ? 0 : hits / sends;
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

const EXACT = 20;

/** Stirling's series from 20 on, accurate to 1e-10; below that, the product itself. */
function logFactorial(n: number): number {
  if (n < EXACT) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  return (n + 0.5) * Math.log(n) - n + Math.log(2 * Math.PI) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3);
}
