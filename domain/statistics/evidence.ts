/** People of two groups who did what is counted and who have the same values in all these fields. */
export interface Drawn {
  /** Whether they belong to the first group. */
  isFirst: boolean;
  /** The probability that a person drawn into one of the two groups came into the first: above 0 and below 1. */
  share: number;
  /** How much their act counts compared with the average: 1 if every hit counts alike. */
  weight: number;
  count: number;
}

/**
 * How many times as often a hit may happen in the first group as in the second, and which part of the stake is bet on
 * that. Most of it is bet on a fifth more, because the published sample sizes are for that. The rest is for larger
 * differences, which need fewer emails.
 */
const RATIOS = [
  { ratio: 1.1, stake: 0.15 },
  { ratio: 1.2, stake: 0.4 },
  { ratio: 1.4, stake: 0.2 },
  { ratio: 2, stake: 0.15 },
  { ratio: 4, stake: 0.1 },
] as const;

/**
 * The evidence that the first group does better than the second, as a logarithm: what a stake of 1 would have become by
 * fair bets on which group each hit comes from (rules/statistics 1.1). If the groups do not differ, the chance that it
 * ever reaches ln(1 / doubt) is at most `doubt`, however often one looks and whenever one stops.
 */
export function evidenceFor(hits: readonly Drawn[]): number {
  const logs = RATIOS.map(({ ratio, stake }) => Math.log(stake) + sumOf(hits, ratio));
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0));
}

function sumOf(hits: readonly Drawn[], ratio: number): number {
  return hits.reduce((sum, each) => sum + each.count * gainOf(each, ratio), 0);
}

/**
 * The logarithm of what one bet at fair odds multiplies the stake by, if hits are `ratio` times as likely in the first
 * group.
 */
function gainOf({ isFirst, share, weight }: Drawn, ratio: number): number {
  const odds = 1 + (ratio - 1) * weight;
  return Math.log((isFirst ? odds : 1) / (share * odds + 1 - share));
}

/** What the evidence must reach for an accepted error of 0 to 1. */
export function neededEvidence(doubt: number): number {
  return -Math.log(doubt);
}
