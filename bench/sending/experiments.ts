import { evidenceFor, neededEvidence } from "../../domain/statistics/evidence.ts";
import { randomFrom } from "../../test/system/killed-worker.ts";
import { quantile, type Row } from "../table.ts";

const NULL_EXPERIMENTS = 2_000;
const NULL_HITS = 2_000;
const PLANTED = 1_000;
const MOST_HITS = 6_000;
const CONFIDENCE = 0.95;
/**
 * The number of hits in both variants together after which an increase by a fifth is found in 80 of 100 cases
 * (docs/guides/experiments.md).
 */
const PUBLISHED_HITS = 1_500;
const BASE_RATES = [0.01, 0.02, 0.05, 0.1, 0.2];

/**
 * Simulates experiments with equal variants and with one better variant. Each is evaluated after every hit, which is
 * more often than in the product.
 */
export async function run(): Promise<Row> {
  const random = randomFrom(1);
  const nulls = [2, 3, 5].map((variants) => ({ variants, called: calledPer100(random, variants, evidenceCalls) }));
  const weighted = calledPer100(random, 2, evidenceCalls, () => random() ** -1.2);
  const naive = calledPer100(random, 2, naiveCalls);
  const planted = [1.1, 1.2, 1.5, 2].map((lift) => ({ lift, hits: hitsFor(random, lift) }));
  const found = Array.from({ length: PLANTED }, () => firstCall(random, [1.2, 1], evidenceCalls, PUBLISHED_HITS));
  const power = (100 * found.filter((each) => each?.index === 0).length) / PLANTED;
  return {
    title: "Experiments",
    how: `${NULL_EXPERIMENTS} experiments with equal variants, each evaluated after every one of ${NULL_HITS} hits; ${PLANTED} with one better variant. Equal shares, confidence ${CONFIDENCE}.`,
    measured: [
      ...nulls.map(({ variants, called }) => ({
        what: `${variants} equal variants: experiments of 100 that ever declare a winner`,
        goal: "at most 5",
        measured: called.toFixed(1),
        met: called <= 5,
      })),
      {
        what: "2 equal variants compared by amounts with a heavy tail",
        goal: "at most 5",
        measured: weighted.toFixed(1),
        met: weighted <= 5,
      },
      {
        what: "2 equal variants, evaluated as often by a test that is valid only once",
        goal: "",
        measured: naive.toFixed(1),
        met: null,
      },
      {
        what: `a fifth more is found within ${PUBLISHED_HITS} hits, of 100`,
        goal: "at least 80",
        measured: power.toFixed(1),
        met: power >= 80,
      },
      ...planted.map(({ lift, hits }) => ({
        what: `hits in both until ${Math.round(100 * lift - 100)} % more is found: half, 80 of 100`,
        goal: "",
        measured: `${show(quantile(hits, 0.5))}, ${show(quantile(hits, 0.8))}`,
        met: null,
      })),
    ],
    runs: {
      head: ["base rate", "mails of each variant to find a fifth more in 80 of 100", "with one look alone", "ratio"],
      lines: BASE_RATES.map((rate) => {
        const sends = (planted[1] === undefined ? Number.NaN : quantile(planted[1].hits, 0.8)) / (2.2 * rate);
        const once = sendsForOneLook(rate, 1.2 * rate);
        return [`${rate * 100} %`, Math.round(sends), Math.round(once), (sends / once).toFixed(2)];
      }),
    },
  };
}

function show(hits: number): string {
  return hits > MOST_HITS ? `over ${MOST_HITS}` : String(hits);
}

function calledPer100(random: () => number, variants: number, calls: Calls, weightOf = () => 1): number {
  const rates = Array.from({ length: variants }, () => 1);
  let called = 0;
  for (let index = 0; index < NULL_EXPERIMENTS; index++)
    if (firstCall(random, rates, calls, NULL_HITS, weightOf) !== null) called++;
  return (100 * called) / NULL_EXPERIMENTS;
}

function hitsFor(random: () => number, lift: number): number[] {
  return Array.from(
    { length: PLANTED },
    () => firstCall(random, [lift, 1], evidenceCalls, MOST_HITS)?.hits ?? Number.POSITIVE_INFINITY,
  );
}

/** Whether a winner is declared. `best` is the index of the best variant. Evaluated after every hit. */
type Calls = (counts: readonly Map<number, number>[], best: number) => boolean;

function firstCall(random: () => number, rates: readonly number[], calls: Calls, hits: number, weightOf = () => 1) {
  const all = rates.reduce((sum, rate) => sum + rate, 0);
  const counts = rates.map(() => new Map<number, number>());
  const totals = rates.map(() => 0);
  let sum = 0;
  for (let hit = 1; hit <= hits; hit++) {
    let index = 0;
    for (
      let point = random() * all - (rates[0] ?? 0);
      point >= 0 && index < rates.length - 1;
      point -= rates[index] ?? 0
    )
      index++;
    const amount = weightOf();
    sum += amount;
    // The product divides each value by the mean so far. Here the quotient is also rounded, so that there are few
    // distinct weights
    const weight = Math.min(10, Number(((amount * hit) / sum).toPrecision(1)));
    const countsOfVariant = counts[index];
    countsOfVariant?.set(weight, (countsOfVariant.get(weight) ?? 0) + 1);
    totals[index] = (totals[index] ?? 0) + amount;
    const best = totals.indexOf(Math.max(...totals));
    if (calls(counts, best)) return { index: best, hits: hit };
  }
  return null;
}

function evidenceCalls(counts: readonly Map<number, number>[], best: number): boolean {
  const needed = neededEvidence((1 - CONFIDENCE) / counts.length);
  const weightsOf = (index: number, isFirst: boolean) =>
    [...(counts[index] ?? [])].map(([weight, count]) => ({ isFirst, share: 0.5, weight, count }));
  return counts.every(
    (_, other) => other === best || evidenceFor([...weightsOf(best, true), ...weightsOf(other, false)]) >= needed,
  );
}

/** The common mistake: testing after every hit with a test that is only valid once; from 10 hits on. */
function naiveCalls(counts: readonly Map<number, number>[]): boolean {
  const [one = 0, other = 0] = counts.map((count) => count.get(1) ?? 0);
  return one + other >= 10 && Math.abs(one - other) / Math.sqrt(one + other) > 1.96;
}

/** The standard sample size to compare two rates, two-sided at 5 % with a power of 80 %. */
function sendsForOneLook(p: number, q: number): number {
  const mean = (p + q) / 2;
  return (1.96 * Math.sqrt(2 * mean * (1 - mean)) + 0.8416 * Math.sqrt(p * (1 - p) + q * (1 - q))) ** 2 / (p - q) ** 2;
}
