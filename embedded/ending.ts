import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isAlive } from "./pid-file.ts";
import type { WriteLine } from "./programs/find.ts";

const LOOK_MS = 50;
/** Milliseconds; longer than a shutdown may take. */
const MOST_MS = 12_000;

/** Leaves a note in the data folder while this process is ending. */
export function noteEnding(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const file = join(dataDir, "ending");
  writeFileSync(file, String(process.pid));
  process.once("exit", () => rmSync(file, { force: true }));
}

/**
 * Waits for a service that is still ending. A supervisor starts the next service when npm is gone, a moment before the service itself has
 * ended.
 */
export async function afterEnding(dataDir: string, log: WriteLine): Promise<void> {
  const deadline = Date.now() + MOST_MS;
  for (let waits = 0; endingIn(dataDir) !== null && Date.now() < deadline; waits++) {
    if (waits === 0) log(`Waiting for process ${endingIn(dataDir)}, which is about to end`);
    await delay(LOOK_MS);
  }
}

/** The process that is ending; null when it has ended or was killed. */
function endingIn(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, "ending"), "utf8"));
    return pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}
