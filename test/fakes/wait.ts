import { setTimeout as sleep } from "node:timers/promises";

const EVERY_MS = 15;

/** Polls until the probe gives something truthy, and hands it over; past the deadline (milliseconds) it throws, saying what was awaited. */
export async function until<T>(probe: () => T | Promise<T>, { deadlineMs, what }: { deadlineMs: number; what: string }): Promise<T> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() >= end) throw new Error(`Waited ${deadlineMs} ms for ${what}; the last look gave ${JSON.stringify(found)}`);
    await sleep(EVERY_MS);
  }
}
