import { Context } from "@temporalio/activity";

/** Well within the heartbeat timeouts of `domain/workflow-contract.ts`. */
const BEAT_MS = 5_000;

/** Tells the engine that the work goes on, so that a worker that died is missed soon; its start-to-close limit ends what hangs. */
export async function beating<T>(work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
