import { setTimeout as sleep } from "node:timers/promises";
import type { Hold } from "../mongo/lease-holder.ts";
import type { WorkShare } from "../mongo/leases.ts";

/** Milliseconds after which a process that does not hold the work looks again. */
const LOOK_MS = 500;

export interface Rounds {
  /** Waits for the round in progress, and lets another process take the work. */
  stop(): Promise<void>;
}

/**
 * Repeats a round of work in one process of all: at once where the work is or becomes its own, then at this interval.
 * A round asks before each effect whether the work is still held.
 */
export function repeatRounds(share: WorkShare, round: (hold: Hold) => Promise<void>, everyMs: number): Rounds {
  const stopping = new AbortController();
  const running = repeat();

  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const work = share.use(round);
      await work;
      const tookMs = performance.now() - startedAt;
      await pause(work === null ? LOOK_MS : everyMs - (tookMs % everyMs));
    }
  }

  function pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => {}); // aborted by `stop`
  }

  return {
    async stop() {
      stopping.abort();
      await running;
      await share.end();
    },
  };
}
