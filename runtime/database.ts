import { setTimeout as delay } from "node:timers/promises";
import type { KeyRing } from "../domain/access/seal.ts";
import type { Missing } from "../domain/readiness.ts";
import { connect, disconnect, prepareDatabase } from "../models/connect.ts";
import { isUnanswered, NoReplicaSet, UnfitDatabase } from "../mongo/unfit.ts";
import { loadAddressHash } from "../operations/access/signing-keys.ts";
import type { Log } from "./log.ts";

const RETRY_MS = 1_000;

/**
 * What the process still lacks before it can use its database, for callers that ask while it opens; nothing once it is
 * open.
 */
export interface DatabaseState {
  missing: Missing[];
}

export const UNREACHABLE: Missing = {
  code: "MONGODB_UNREACHABLE",
  message:
    "MongoDB does not answer, or its replica set has no primary: see MONGODB_URI, and whether the replica set is initiated",
};

/**
 * Connects to the database, prepares it and reads what a process needs from it, and repeats that until the database
 * answers. Rejects when `stopping` fires.
 * @throws UnfitDatabase when the database answers but this program cannot use it, so that trying again would not help
 */
export async function openDatabase<T>(
  uri: string,
  ring: KeyRing,
  log: Log,
  stopping: AbortSignal,
  read: () => Promise<T>,
  opening: DatabaseState = { missing: [] },
): Promise<T> {
  opening.missing = [UNREACHABLE];
  for (;;) {
    stopping.throwIfAborted();
    try {
      await connect(uri);
      const prepare = (message: string) => {
        opening.missing = [{ code: "DATABASE_IN_PREPARATION", message }];
        log.info(message);
      };
      opening.missing = [
        {
          code: "DATABASE_IN_PREPARATION",
          message: "The collections, indexes and migrations of the database are checked",
        },
      ];
      await prepareDatabase(() => loadAddressHash(ring), { stopping, say: prepare });
      const opened = await read();
      opening.missing = [];
      return opened;
    } catch (err) {
      await disconnect();
      opening.missing = [
        err instanceof NoReplicaSet ? { code: "MONGODB_NOT_REPLICA_SET", message: err.message } : UNREACHABLE,
      ];
      if (stopping.aborted || err instanceof UnfitDatabase) throw err;
      const what = isUnanswered(err) ? "The database does not answer" : "The database answers, but it cannot be opened";
      log.error({ err }, `${what}: trying again`);
      await delay(RETRY_MS, undefined, { signal: stopping });
    }
  }
}
