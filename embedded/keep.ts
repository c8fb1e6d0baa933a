import { setTimeout as delay } from "node:timers/promises";
import type { Exit } from "./child.ts";
import type { Log } from "./find.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

interface Server {
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts a server, and again whenever it ends by itself. `start` is told the server before, whose ports it must take again.
 * The first start's error is the caller's; later ones are logged and tried again until `stop`.
 */
export async function keepRunning<T extends Server>(name: string, start: (before: T | null) => Promise<T>, log: Log): Promise<T> {
  const first = await start(null);
  const stopping = new AbortController();
  let current = first;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { code, signal } = await current.exited;
      if (stopping.signal.aborted) return;
      log(`${name} ended by itself (${signal ?? `exit code ${code}`}): it is started again`);
      await current.stop(); // lets go of its folder
      current = (await again(name, () => start(first), stopping.signal, log)) ?? current;
    }
  })();
  return {
    ...first,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      await current.stop(); // one that was coming up meanwhile
    },
  };
}

async function again<T>(name: string, start: () => Promise<T>, stopping: AbortSignal, log: Log): Promise<T | null> {
  for (let pause = FIRST_PAUSE_MS; !stopping.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await start();
    } catch (err) {
      log(`${name} did not start: ${err instanceof Error ? err.message : String(err)}`);
    }
    await delay(pause, undefined, { signal: stopping }).catch(() => {});
  }
  return null;
}
