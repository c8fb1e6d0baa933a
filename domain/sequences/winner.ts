import { type Drawn, evidenceFor, neededEvidence } from "../statistics/evidence.ts";
import type { Winner } from "./sequence.ts";

/** One variant of a step: how many people got an email of it that is old enough to be judged. */
export interface Arm {
  variantId: string;
  sends: number;
}

/** A person who got such an email and did what the metric counts, such as reply. */
export interface Achiever {
  variantId: string;
  /**
   * The share of the people that each variant got at the time of this draw; null if it is not known, or if nothing was
   * drawn.
   */
  shares: Readonly<Record<string, number>> | null;
  /** 1 for metrics that count people. For REVENUE, the amount that the person had paid when first counted. */
  amount: number;
  /** 1 for metrics that count people. For REVENUE, the amount that the person has paid so far. */
  total: number;
  /**
   * When the person was first counted, in epoch milliseconds: when they acted, or when the email became old enough to
   * be judged, if that was later.
   */
  countedAt: number;
}

export interface Trial {
  arms: readonly Arm[];
  achievers: readonly Achiever[];
}

type Rule = Pick<Winner, "minSends" | "confidence">;

/**
 * The variant that is better than every other one at `confidence` (rules/campaigns 3.3); null while there is none. Each
 * variant needs `minSends` emails. Any variant might be chosen wrongly, so the accepted error is divided among them
 * (Bonferroni). The evidence may be checked any number of times: the chance of ever choosing a variant that is not
 * better is at most the accepted error.
 */
export function winnerAmong(trial: Trial, { minSends, confidence }: Rule): string | null {
  const { arms } = trial;
  const [best, ...others] = [...arms].sort((one, other) => meanOf(trial, other) - meanOf(trial, one));
  if (best === undefined || others.length === 0 || arms.some(({ sends }) => sends < minSends)) return null;
  const evidenceNeeded = neededEvidence((1 - confidence) / arms.length);
  const evidence = evidenceIn(trial);
  return others.every(({ variantId }) => evidence(best.variantId, variantId) >= evidenceNeeded) ? best.variantId : null;
}

/** The value of the metric for a variant: a rate, or the mean amount per person contacted. */
export function meanOf({ achievers }: Trial, { variantId, sends }: Arm): number {
  const sum = achievers.reduce((all, each) => all + (each.variantId === variantId ? each.total : 0), 0);
  return sends === 0 ? 0 : sum / sends;
}

/** Returns a function that computes the evidence that one variant is better than another, by their ids. */
function evidenceIn({ achievers, arms }: Trial): (better: string, worse: string) => number {
  const variantIds = new Set(arms.map(({ variantId }) => variantId));
  const groups = groupsOf(achievers.filter(({ variantId }) => variantIds.has(variantId)));
  return (better, worse) => evidenceFor(groups.flatMap((group) => drawnOf(group, better, worse)));
}

/**
 * The largest weight of one person relative to the average. It keeps a single large order from deciding the comparison.
 */
const MOST_WEIGHT = 10;

interface Group extends Pick<Achiever, "variantId"> {
  shares: Readonly<Record<string, number>>;
  weight: number;
  count: number;
}

/**
 * Groups the people that have the same effect on the evidence. The weight of an amount is fixed when its person is
 * counted, by that amount and the people counted before. It must not depend on later events or on who got which
 * variant.
 */
function groupsOf(achievers: readonly Achiever[]): Group[] {
  const groups = new Map<string, Group>();
  const inOrder = [...achievers].sort((one, other) => one.countedAt - other.countedAt || one.amount - other.amount);
  let sum = 0;
  let seen = 0;
  for (const { variantId, shares, amount } of inOrder) {
    sum += amount;
    seen++;
    const weight = sum === 0 ? 0 : Math.min(MOST_WEIGHT, (amount * seen) / sum);
    if (shares === null || weight === 0) continue;
    const key = JSON.stringify([variantId, weight, shares]);
    const group = groups.get(key) ?? { variantId, shares, weight, count: 0 };
    group.count++;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Only recipients who could have been drawn into either of the two variants count. All others say nothing about which
 * is better.
 */
function drawnOf({ variantId, shares, weight, count }: Group, better: string, worse: string): Drawn[] {
  const [one, other] = [shares[better] ?? 0, shares[worse] ?? 0];
  if ((variantId !== better && variantId !== worse) || one <= 0 || other <= 0) return [];
  return [{ isFirst: variantId === better, share: one / (one + other), weight, count }];
}
