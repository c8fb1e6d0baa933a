import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const SQLITE_BUSY = 5;

/**
 * Takes the lock of `file` and returns a function that releases it; null when another process holds it. SQLite's
 * exclusive transaction is a kernel lock, which ends with its process however the process ends, so no lock is ever
 * stale.
 */
export function tryLock(file: string): (() => void) | null {
  const database = new DatabaseSync(file);
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (err) {
    database.close();
    if (typeof err === "object" && err !== null && "errcode" in err && err.errcode === SQLITE_BUSY) return null;
    throw err;
  }
  return () => {
    if (database.isOpen) database.close();
  };
}

/** Waits for the lock. `onWait` is called once when another process holds it. */
export async function lock(file: string, onWait: () => void): Promise<() => void> {
  for (let waits = 0; ; waits++) {
    const release = tryLock(file);
    if (release) return release;
    if (waits === 0) onWait();
    await delay(100);
  }
}
