import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/**
 * The most milliseconds ahead at which the slot of a recipient's first email is booked. The recipient's workflow starts
 * with this delay, and a stop must wait until it is over, because a signal cannot shorten it (rules/sending 2.9).
 */
export const AHEAD_MS = 30 * MINUTE_MS;

/**
 * An email that is due later than this is not booked now, but when the recipient's workflow wakes up (rules/sending
 * 2.9).
 */
export const BOOK_AHEAD_MS = 30 * DAY_MS;

/**
 * The wait between two emails of one mailbox in ms, uniform over [minSeconds, maxSeconds] and always the same for the
 * same seed (rules/sending 2.3).
 */
export function drawGapMs(minSeconds: number, maxSeconds: number, seed: string): number {
  const min = minSeconds * 1000;
  return min + Math.floor(drawFraction(seed) * (maxSeconds * 1000 - min + 1));
}

/** The emails that a campaign may send today under its ramp (rules/sending 2.6); null when it has none. */
export function rampLimit(
  settings: { rampEnabled: boolean; rampStart: number; rampIncrement: number },
  sendingDaysSoFar: number,
): number | null {
  return settings.rampEnabled ? settings.rampStart + settings.rampIncrement * sendingDaysSoFar : null;
}

/**
 * The lowest of the configured limits; null if there is no limit. 0, null and undefined mean no limit: `dailySendLimit`
 * 0 is unlimited (rules/sending 2.1), and `perMailboxDailyLimit` 0 is none (null restores its default). Never pass the
 * remainder of a limit, because an exhausted limit would read as no limit; use `leftOf` for that.
 */
export function minLimit(...limits: (number | null | undefined)[]): number | null {
  const set = limits.filter((limit): limit is number => typeof limit === "number" && limit !== 0);
  return set.length === 0 ? null : Math.max(0, Math.min(...set));
}

/**
 * How many emails a configured limit still allows: 0 when it is used up, Infinity when there is no limit (0 or null).
 */
export function leftOf(limit: number | null | undefined, used: number): number {
  return limit ? Math.max(0, limit - used) : Number.POSITIVE_INFINITY;
}

/**
 * The first instant in [earliest, until] that is at least `gapMs` away from every taken slot (epoch ms, ascending);
 * null when there is none. This is the reference for the slot search that bookings do inside the database
 * (rules/sending 2.2).
 */
export function firstFreeSlot(taken: readonly number[], earliest: number, until: number, gapMs: number): number | null {
  let at = earliest;
  for (const slot of taken) {
    if (slot - at >= gapMs) break;
    if (at - slot < gapMs) at = slot + gapMs;
  }
  return at <= until ? at : null;
}

/** A send that waits to be booked again. */
export interface Overdue {
  id: string;
  dueAt: number;
  isFollowUp: boolean;
}

/**
 * The order in which overdue sends take slots: follow-ups before new leads unless the setting reverses it
 * (rules/sending 2.5), each by due time (rules/sending 2.8).
 */
export function overdueOrder(prioritizeNewLeads: boolean): (a: Overdue, b: Overdue) => number {
  return (a, b) => {
    if (a.isFollowUp !== b.isFollowUp) return a.isFollowUp === prioritizeNewLeads ? 1 : -1;
    return a.dueAt - b.dueAt || (a.id < b.id ? -1 : Number(a.id > b.id));
  };
}

/** A number in [0, 1) from a text. It is cyrb53, whose 53 bits spread well enough and are the same on every machine. */
export function drawFraction(seed: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < seed.length; index++) {
    const code = seed.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)) / 9007199254740992;
}
