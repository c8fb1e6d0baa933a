import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "../../domain/time/durations.ts";

/** The first pauses are short, so that a quick result is seen at once; later ones are longer, so that polling does not load the service. Milliseconds. */
const [SHORTEST, LONGEST, SHARE] = [15, 400, 1 / 12];

export interface Wait {
  deadlineMs: number;
  what: string;
  /** The longest pause between two looks; shorter where the wait itself is measured. */
  longestMs?: number;
}

/** The deadline for a mail: a failed attempt is made again after 30 s (SEND_STEP), and one attempt may fail. */
export const MAIL_DEADLINE = { deadlineMs: 80_000 };

/** Returns once the day of UTC goes on for at least so many milliseconds: at once, or behind the midnight that is nearer. */
export async function dayGoesOn(forMs: number): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < forMs) await sleep(leftMs + SHORTEST);
}

/** Polls until the probe returns something truthy, and returns that. Past the deadline (milliseconds) it throws, naming what was awaited. */
export async function until<T>(probe: () => T | Promise<T>, { deadlineMs, what, longestMs = LONGEST }: Wait): Promise<T> {
  const start = Date.now();
  for (;;) {
    const found = await probe();
    if (found) return found;
    const waited = Date.now() - start;
    if (waited >= deadlineMs) throw new Error(`Waited ${deadlineMs} ms for ${what}; the last look gave ${JSON.stringify(found)}`);
    await sleep(Math.min(longestMs, Math.max(SHORTEST, waited * SHARE)));
  }
}
