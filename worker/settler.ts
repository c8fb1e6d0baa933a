import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { WorkShare } from "../mongo/leases.ts";
import type { Log } from "../runtime/log.ts";
import { cutAddresses } from "../store/tracking/hits.ts";
import { type KnownNetworks, settleHits } from "../store/tracking/settle-hits.ts";

/** Milliseconds between two checks for hits whose classification is due. */
const APART_MS = 250;
const CUT_EVERY_MS = MINUTE_MS;
const MOST_CUT = 5_000;

export interface Settler {
  /** Stops after the batch in progress, and lets another process settle. */
  stop(): Promise<void>;
}

/**
 * Classifies opens and clicks as soon as each is due, and shortens the IP addresses of hits to their networks after 30
 * days, while this process holds the lease of that work.
 */
export function startSettler(networks: KnownNetworks, log: Log, share: WorkShare): Settler {
  const stopping = new AbortController();
  const running = Promise.all([settleOn(), cutOn()]);

  async function settleOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const settle = () =>
        settleHits(networks).catch((error) => {
          log.warn({ err: error }, "hits could not be settled");
          return 0;
        });
      if (!(await share.use(settle))) await pause(APART_MS);
    }
  }

  async function cutOn(): Promise<void> {
    while (!stopping.signal.aborted) {
      const cutSome = () =>
        cutAddresses(Date.now(), MOST_CUT).catch((error) => {
          log.warn({ err: error }, "failed to truncate the IP addresses of hits");
          return 0;
        });
      if (((await share.use(cutSome)) ?? 0) < MOST_CUT) await pause(CUT_EVERY_MS);
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
