import { Context } from "@temporalio/activity";

/** Milliseconds between heartbeats; well below the heartbeat timeouts in `domain/workflow-contract.ts`. */
const BEAT_MS = 5_000;

/**
 * Sends heartbeats while the work runs, so that Temporal notices a dead worker soon. Work that hangs is ended by the
 * start-to-close timeout instead.
 */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
