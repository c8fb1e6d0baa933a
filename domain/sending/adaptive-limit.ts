import { MINUTE_MS } from "../time/durations.ts";

/** How many sends of a process may be in flight, and how long transactions took recently. */
export interface AdaptiveLimit {
  limit: number;
  /** The mean time of a transaction in each of the last periods with any, in milliseconds. */
  means: readonly { at: number; ms: number }[];
}

/** The observations since the limit was last adjusted. */
export interface LimitPeriod {
  /** The time in milliseconds, by any clock that never runs backwards. */
  now: number;
  /** The mean time of the transactions that ended; null when none did. */
  meanMs: number | null;
  /** Whether the limit kept a send waiting. */
  isFull: boolean;
  /** Whether something more urgent needs the machine: email that arrived and has not been read. */
  mustYield: boolean;
}

/**
 * The smallest and the largest limit. While the database is slow, one claim transaction handles 16 sends (rules/sending
 * 6.2), so a smaller limit would not make it faster.
 */
export const SENDS_IN_FLIGHT = { least: 16, most: 50 } as const;

/** Transactions below this many milliseconds are quick enough, however long they usually take. */
const QUICK_MS = 500;
/**
 * If transactions take at least this many times as long as in the best recent period, the number of sends is taken to
 * be the cause.
 */
const SLOWED = 3;
/**
 * How many milliseconds back the best period is searched. A database that stays slow for another reason thus becomes
 * the normal case.
 */
const LATELY_MS = MINUTE_MS / 2;
const DECREASE = 0.5;
const INCREASE = { quick: 5, slow: 1 } as const;

/** A process begins with a low limit, so that it learns how long transactions take when there are few of them. */
export const START: AdaptiveLimit = { limit: SENDS_IN_FLIGHT.least, means: [] };

/**
 * The limit after a period: additive increase while transactions are quick and the limit is used, multiplicative
 * decrease while they are slow for their number. A database that is slow even with few sends leads to the smallest
 * limit for half a minute, and then to the largest one, because fewer sends would not make it quicker.
 */
export function adjust(
  { limit, means }: AdaptiveLimit,
  { now, meanMs, isFull, mustYield }: LimitPeriod,
): AdaptiveLimit {
  const recent = means.filter(({ at }) => at > now - LATELY_MS);
  const next = meanMs === null ? recent : [...recent, { at: now, ms: meanMs }];
  const best = Math.min(...next.map(({ ms }) => ms));
  const isSlowed = meanMs !== null && meanMs > Math.max(QUICK_MS, SLOWED * best);
  if (isSlowed || mustYield)
    return { limit: Math.max(SENDS_IN_FLIGHT.least, Math.floor(limit * DECREASE)), means: next };
  const more = (meanMs ?? 0) < QUICK_MS ? INCREASE.quick : INCREASE.slow;
  return { limit: isFull ? Math.min(SENDS_IN_FLIGHT.most, limit + more) : limit, means: next };
}
