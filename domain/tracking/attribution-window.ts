import type { HitClass } from "../hits.ts";
import { DAY_MS } from "../time/durations.ts";

/** A click as it opens a window; `at` in epoch milliseconds, `hitClass` null while it is not settled. */
export interface WindowClick {
  at: number;
  hitClass: HitClass | null;
}

/** What a conversion is attributed to, and from when its window counts. */
export type WindowOpening<C extends WindowClick> =
  | { by: "CLICK"; click: C; at: number }
  | { by: "SEND"; click: null; at: number };

/**
 * The last click that is not classed BOT, else the last click, else the last mail; null for who was sent none
 * (rules/tracking 5.3). So a scanner can open a window, but never extend one. What came after `now` is not looked at.
 */
export function openingOf<C extends WindowClick>(
  clicks: readonly C[],
  lastSentAt: number | null,
  now: number,
): WindowOpening<C> | null {
  const before = clicks.filter(({ at }) => at <= now);
  const people = before.filter(({ hitClass }) => hitClass !== "BOT");
  const click = (people.length > 0 ? people : before).reduce<C | null>(
    (last, one) => (last === null || one.at > last.at ? one : last),
    null,
  );
  if (click !== null) return { by: "CLICK", click, at: click.at };
  return lastSentAt === null ? null : { by: "SEND", click: null, at: lastSentAt };
}

/** Whether an instant lies within so many times 24 h, the last one included. All in epoch milliseconds. */
export function isInWindow(openedAt: number, windowDays: number, now: number): boolean {
  return now - openedAt <= windowDays * DAY_MS;
}
