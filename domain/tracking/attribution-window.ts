import type { HitClass } from "../hits.ts";
import { DAY_MS } from "../time/durations.ts";

/**
 * A click that may begin an attribution window. `at` is in epoch milliseconds; `hitClass` is null until it is decided.
 */
export interface WindowClick {
  at: number;
  hitClass: HitClass | null;
}

/** The click or email to which a conversion is attributed, and when its attribution window begins. */
export type WindowOpening<C extends WindowClick> =
  | { by: "CLICK"; click: C; at: number }
  | { by: "SEND"; click: null; at: number };

/**
 * The click or email that begins a person's attribution window: the last click that is not classed BOT, otherwise the
 * last click, otherwise the last email; null for a person without an email (rules/tracking 5.3). So a click by a
 * scanner can begin a window, but cannot extend one that a person's click began. Clicks after `now` are ignored.
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

/** Whether `now` is at most `windowDays` times 24 h after `openedAt`. Times are in epoch milliseconds. */
export function isInWindow(openedAt: number, windowDays: number, now: number): boolean {
  return now - openedAt <= windowDays * DAY_MS;
}
