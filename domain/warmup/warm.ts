import { DAY_MS } from "../time/durations.ts";

/** How long a mailbox warms up before it is warm: calendar days since the start, and days on which it was active. */
const WARM_DAYS = { enrolled: 14, active: 10 } as const;
/** Campaign mails of a day with which a warm mailbox begins at least, and how many more each day adds (rules/warmup 6.2). */
const LEAST_COLD = 5;
const COLD_STEP = 5;

/** Whether the warmup has lasted long enough for its mailbox to be warm (rules/warmup 6.1). `dayNumber` is that of the day to come. */
export function hasWarmed({ startedAt, dayNumber }: { startedAt: Date | null; dayNumber: number }, now: number): boolean {
  return startedAt !== null && now - startedAt.getTime() >= WARM_DAYS.enrolled * DAY_MS && dayNumber > WARM_DAYS.active;
}

/**
 * The campaign mails of a day that a warm mailbox has come up to at the end of another day. It begins with the busiest day of the fourteen before,
 * and grows while nothing speaks against the mailbox.
 */
export function nextColdLimit(before: number | null, busiestDay: number, isHealthy: boolean): number {
  if (before === null) return Math.max(LEAST_COLD, busiestDay);
  return isHealthy ? before + COLD_STEP : before;
}
