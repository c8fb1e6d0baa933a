import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";

/**
 * The first pauses are short, so that a quick result is seen at once; later ones are longer, so that polling does not
 * load the service. Milliseconds.
 */
const [SHORTEST, LONGEST, SHARE] = [15, 400, 1 / 12];

/**
 * The least deadline of a wait, in milliseconds. A deadline ends what hangs and proves nothing, and a slow machine
 * takes its time: one that is written shorter is not kept.
 */
export const PATIENCE_MS = 300_000;

export interface Wait {
  deadlineMs: number;
  what: string;
  /** The deadline is kept as it is written, where the test goes on without what it waited for. */
  mayBeMissed?: true;
  /** The longest pause between two looks; shorter where the wait itself is measured. */
  longestMs?: number;
}

/** The deadline for a mail: a failed attempt is made again after 30 s (SEND_STEP), and one attempt may fail. */
export const MAIL_DEADLINE = { deadlineMs: 80_000 };

/**
 * Returns once the day of UTC goes on for at least so many milliseconds: at once, or behind the midnight that is
 * nearer.
 */
export function dayGoesOn(forMs: number): Promise<void> {
  return goesOn(DAY_MS, forMs);
}

/** The same for the hour of the clock. */
export function hourGoesOn(forMs: number): Promise<void> {
  return goesOn(HOUR_MS, forMs);
}

/** The same for the half minute for which a code of an authenticator app holds. */
export function codeGoesOn(forMs: number): Promise<void> {
  return goesOn(30_000, forMs);
}

async function goesOn(unitMs: number, forMs: number): Promise<void> {
  const leftMs = unitMs - (Date.now() % unitMs);
  if (leftMs < forMs) await sleep(leftMs + SHORTEST);
}

/**
 * Polls until the probe returns something truthy, and returns that. Past the deadline, or `PATIENCE_MS`, it throws,
 * naming what was awaited.
 */
export async function until<T>(
  probe: () => T | Promise<T>,
  { deadlineMs, what, longestMs = LONGEST, mayBeMissed }: Wait,
): Promise<T> {
  const start = Date.now();
  const limitMs = mayBeMissed ? deadlineMs : Math.max(deadlineMs, PATIENCE_MS);
  for (;;) {
    const found = await probe();
    if (found) return found;
    const waited = Date.now() - start;
    if (waited >= limitMs)
      throw new Error(`Waited ${limitMs} ms for ${what}; the last look gave ${JSON.stringify(found)}`);
    await sleep(Math.min(longestMs, Math.max(SHORTEST, waited * SHARE)));
  }
}

/** Waits for something to close. If it hangs, the error names it. */
export async function awaitEnd(what: string, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not close within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
