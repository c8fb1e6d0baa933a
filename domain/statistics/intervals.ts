/** A number with the bounds of its 95 % interval. */
export interface Interval {
  low: number;
  high: number;
}

/** The number of hits, and the number of people among whom they were counted. */
export interface Share {
  hits: number;
  of: number;
}

/** The quantile of the normal distribution for 95 %, two-sided. */
const Z = 1.959963984540054;

/**
 * Wilson's score interval for a rate (rules/statistics 2.1); null for an empty group. It stays within 0 and 1 and is
 * also valid for rare hits.
 */
export function wilson({ hits, of }: Share): Interval | null {
  if (of === 0) return null;
  const rate = hits / of;
  const middle = rate + (Z * Z) / (2 * of);
  const reach = Z * Math.sqrt((rate * (1 - rate)) / of + (Z * Z) / (4 * of * of));
  const scale = 1 + (Z * Z) / of;
  return { low: hits === 0 ? 0 : (middle - reach) / scale, high: hits === of ? 1 : (middle + reach) / scale };
}

/**
 * Newcombe's interval for the difference of two rates, from Wilson's interval of each (rules/statistics 2.2); null if
 * one group is empty.
 */
export function newcombe(one: Share, other: Share): Interval | null {
  const [first, second] = [wilson(one), wilson(other)];
  if (first === null || second === null) return null;
  const [p, q] = [one.hits / one.of, other.hits / other.of];
  return {
    low: p - q - Math.hypot(p - first.low, second.high - q),
    high: p - q + Math.hypot(first.high - p, q - second.low),
  };
}
