import { setTimeout as delay } from "node:timers/promises";
import { connect, disconnect, prepareDatabase } from "../models/connect.ts";
import { isUnanswered, UnfitDatabase } from "../mongo/unfit.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 1_000;

/**
 * Connects to the database, prepares it and reads what a process needs from it, and repeats that until the database answers. Rejects when
 * `stopping` is fired.
 * @throws UnfitDatabase when the database answers but this program cannot use it, so that trying again would not help
 */
export async function openDatabase<T>(uri: string, log: Log, stopping: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (;;) {
    stopping.throwIfAborted();
    try {
      await connect(uri);
      await prepareDatabase({ stopping, say: (line) => log.info(line) });
      return await read();
    } catch (err) {
      await disconnect();
      if (stopping.aborted || err instanceof UnfitDatabase) throw err;
      const what = isUnanswered(err) ? "The database does not answer" : "The database answers, but it cannot be opened";
      log.error({ err }, `${what}: trying again`);
      await delay(RETRY_MS, undefined, { signal: stopping });
    }
  }
}
