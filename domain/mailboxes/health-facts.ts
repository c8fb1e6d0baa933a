import { DAY_MS } from "../time/durations.ts";

/** What bands are judged by: emails, and what became of them. */
export interface FactCounts {
  /** Campaign emails that went out. */
  sent: number;
  /**
   * Campaign emails that failed for good; `refused` are those of them that a server refused at once, so that they never
   * went out.
   */
  bounced: number;
  refused: number;
  complained: number;
  /** Warmup emails whose place was seen, and those of them that were in Junk. */
  seen: number;
  inSpam: number;
}

/** The counts of one UTC day as they stood at an instant. */
export interface HealthPoint extends FactCounts {
  at: Date;
}

/** The points of one UTC day of a mailbox, the earliest first. */
export interface FactsOfDay {
  day: string;
  points: readonly HealthPoint[];
}

/** The days of a mailbox by their number since 1970: a replay looks them up hundreds of thousands of times. */
export type FactDays = ReadonlyMap<number, FactsOfDay>;

/** The days over which a mailbox is judged (rules/health 1.2), today among them. */
export const JUDGED_DAYS = 7;

export const FACT_NAMES = ["sent", "bounced", "refused", "complained", "seen", "inSpam"] as const;
export const NO_FACTS: FactCounts = { sent: 0, bounced: 0, refused: 0, complained: 0, seen: 0, inSpam: 0 };

/**
 * What is known at an instant of the UTC days that are judged then; of facts up to `since`, nothing. Instants in epoch
 * milliseconds.
 */
export function countFacts(days: FactDays, at: number, since: number | null): FactCounts {
  const sum = { ...NO_FACTS };
  const today = Math.floor(at / DAY_MS);
  for (let ago = 0; ago < JUDGED_DAYS; ago++) {
    const points = days.get(today - ago)?.points ?? [];
    const known = pointAt(points, at);
    if (known === undefined) continue;
    const before = since === null ? undefined : pointAt(points, since);
    // An email that is known not to have gone out after all is counted no more
    for (const name of FACT_NAMES) sum[name] += Math.max(0, known[name] - (before?.[name] ?? 0));
  }
  return sum;
}

/** The emails that shares of bounces and complaints are shares of. */
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
