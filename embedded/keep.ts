import { setTimeout as delay } from "node:timers/promises";
import type { Exit } from "./child.ts";
import type { WriteLine } from "./programs/find.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

interface Server {
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts a server, and starts it again whenever it ends by itself. `start` gets the server before, whose ports it must take again. An error
 * of the first start is thrown to the caller; later errors are logged, and the start is repeated until `stop`.
 */
export async function keepRunning<T extends Server>(name: string, start: (before: T | null) => Promise<T>, log: WriteLine): Promise<T> {
  const first = await start(null);
  const stopping = new AbortController();
  let current = first;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { code, signal } = await current.exited;
      if (stopping.signal.aborted) return;
      log(`${name} ended by itself (${signal ?? `exit code ${code}`}) and is started again`);
      await current.stop(); // releases its folder
      current = (await again(name, () => start(first), stopping.signal, log)) ?? current;
    }
  })();
  return {
    ...first,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      await current.stop(); // stops a server that was starting meanwhile
    },
  };
}

async function again<T>(name: string, start: () => Promise<T>, stopping: AbortSignal, log: WriteLine): Promise<T | null> {
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
