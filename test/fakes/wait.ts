import { setTimeout as sleep } from "node:timers/promises";

/** What comes soon is seen at once; a longer wait does not keep busy what it waits for. Milliseconds. */
const [SHORTEST, LONGEST, SHARE] = [15, 400, 1 / 12];

export interface Wait {
  deadlineMs: number;
  what: string;
  /** Between two looks at most: less where the wait itself is measured. */
  longestMs?: number;
}

/** For what a mail is awaited by: a try that fails is made again after 30 s (SEND_STEP), and one may fail. */
export const MAIL_DEADLINE = { deadlineMs: 80_000 };

/** Polls until the probe gives something truthy, and hands it over; past the deadline (milliseconds) it throws, saying what was awaited. */
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
