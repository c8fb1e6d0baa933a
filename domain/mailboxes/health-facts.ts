import { DAY_MS } from "../time/durations.ts";

/**
 * The counts that decide a mailbox's band: emails sent, and how many of them bounced, led to complaints or landed in
 * Junk.
 */
export interface FactCounts {
  /** Campaign emails that went out. */
  sent: number;
  /**
   * Campaign emails that failed permanently. `refused` counts those among them that a server refused immediately, so
   * that they never went out.
   */
  bounced: number;
  refused: number;
  complained: number;
  /** Warmup emails found in a folder of the receiving mailbox, and how many of them were in Junk. */
  seen: number;
  inSpam: number;
}

/** The counts of one UTC day, as known at an instant. */
export interface HealthPoint extends FactCounts {
  at: Date;
}

/** The counts of a mailbox for one UTC day at several instants, the earliest first. */
export interface FactsOfDay {
  day: string;
  points: readonly HealthPoint[];
}

/**
 * The days of a mailbox by day number since 1970-01-01. A map, because a replay of the history looks days up hundreds
 * of thousands of times.
 */
export type FactDays = ReadonlyMap<number, FactsOfDay>;

/** The days over which a mailbox is judged (rules/health 1.2), today among them. */
export const JUDGED_DAYS = 7;

export const FACT_NAMES = ["sent", "bounced", "refused", "complained", "seen", "inSpam"] as const;
export const NO_FACTS: FactCounts = { sent: 0, bounced: 0, refused: 0, complained: 0, seen: 0, inSpam: 0 };

/**
 * The counts, as known at instant `at`, of the UTC days that are judged then. Facts up to `since` do not count.
 * Instants are in epoch milliseconds.
 */
export function countFacts(days: FactDays, at: number, since: number | null): FactCounts {
  const sum = { ...NO_FACTS };
  const today = Math.floor(at / DAY_MS);
  for (let ago = 0; ago < JUDGED_DAYS; ago++) {
    const points = days.get(today - ago)?.points ?? [];
    const current = pointAt(points, at);
    if (current === undefined) continue;
    const before = since === null ? undefined : pointAt(points, since);
    // An email that turned out not to have gone out no longer counts
    for (const name of FACT_NAMES) sum[name] += Math.max(0, current[name] - (before?.[name] ?? 0));
  }
  return sum;
}

/** The number of emails that is the denominator of the bounce and complaint rates. */
export function mailsOf({ sent, refused }: FactCounts): number {
  return sent + refused;
}

export function hasBadFacts({ bounced, complained, inSpam }: FactCounts): boolean {
  return bounced + complained + inSpam > 0;
}

export function byDay(days: readonly FactsOfDay[]): FactDays {
  return new Map(days.map((day) => [Date.parse(day.day) / DAY_MS, day]));
}

function pointAt(points: readonly HealthPoint[], at: number): HealthPoint | undefined {
  return points.findLast((point) => point.at.getTime() <= at);
}
