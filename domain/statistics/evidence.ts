/** A number of people from two groups who did what is counted, and who have the same values in all these fields. */
export interface Drawn {
  /** Whether they belong to the first group. */
  isFirst: boolean;
  /**
   * The probability that a person who was drawn into one of the two groups was drawn into the first: above 0 and below
   * 1.
   */
  share: number;
  /** How much each of them counts compared with the average: 1 if all count alike. */
  weight: number;
  count: number;
}

/**
 * The assumed ratios between the hit rates of the first and the second group, and the share of the stake that is bet on
 * each. The largest share is bet on a difference of a fifth, because the published sample sizes are for that. Larger
 * differences need fewer emails.
 */
const RATIOS = [
  { ratio: 1.1, stake: 0.15 },
  { ratio: 1.2, stake: 0.4 },
  { ratio: 1.4, stake: 0.2 },
  { ratio: 2, stake: 0.15 },
  { ratio: 4, stake: 0.1 },
] as const;

/**
 * The evidence that the first group does better than the second, as a logarithm: the amount to which a stake of 1 would
 * have grown by fair bets on the group of each hit (rules/statistics 1.1). If the groups do not differ, the chance that
 * it ever reaches ln(1 / doubt) is at most `doubt`, however often the evidence is checked and whenever the comparison
 * ends.
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
 * The logarithm of the factor by which one bet at fair odds multiplies the stake, if hits are `ratio` times as likely
 * in the first group.
 */
function gainOf({ isFirst, share, weight }: Drawn, ratio: number): number {
  const odds = 1 + (ratio - 1) * weight;
  return Math.log((isFirst ? odds : 1) / (share * odds + 1 - share));
}

/** The evidence that is needed for an accepted error of 0 to 1. */
export function neededEvidence(doubt: number): number {
  return -Math.log(doubt);
}
