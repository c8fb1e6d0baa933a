import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "./find.ts";
import { isAlive } from "./pid-file.ts";

const LOOK_MS = 50;
/** Longer than an end may take. */
const MOST_MS = 12_000;

/** Says in the data folder that this process is about to end, until it has. */
export function noteEnding(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const file = join(dataDir, "ending");
  writeFileSync(file, String(process.pid));
  process.once("exit", () => rmSync(file, { force: true }));
}

/** A supervisor starts the next service when npm is gone, a moment before the service itself: that one is waited for. */
export async function afterEnding(dataDir: string, log: Log): Promise<void> {
  const deadline = Date.now() + MOST_MS;
  for (let waits = 0; endingIn(dataDir) !== null && Date.now() < deadline; waits++) {
    if (waits === 0) log(`Waiting for process ${endingIn(dataDir)}, which is about to end`);
    await delay(LOOK_MS);
  }
}

/** The process that is ending; one that was killed meanwhile is not. */
function endingIn(dataDir: string): number | null {
  try {
    const pid = Number(readFileSync(join(dataDir, "ending"), "utf8"));
    return pid > 0 && isAlive(pid) ? pid : null;
  } catch {
    return null;
  }
}
