import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { endProcess, type Shutdown } from "../runtime/shutdown.ts";
import { commandOf, isAlive, parentOf } from "./pid-file.ts";
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
 * Waits for a service that is still ending. A supervisor starts the next service when npm is gone, a moment before the
 * service itself has ended.
 */
export async function afterEnding(dataDir: string, log: WriteLine): Promise<void> {
  const deadline = Date.now() + MOST_MS;
  for (let waits = 0; endingIn(dataDir) !== null && Date.now() < deadline; waits++) {
    if (waits === 0) log(`Waiting for process ${endingIn(dataDir)} to end`);
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

/**
 * Milliseconds between two looks. It is short, so that the note of the end exists before a supervisor's next start
 * looks for it.
 */
const RUNNER_LOOK_MS = 100;
/** After how many looks the parent of the shell is checked, which may need a separate program. */
const LOOKS_APART = 5;
const isWindows = process.platform === "win32";

/**
 * Ends the process when the npm that runs it as a script is gone. npm forwards SIGTERM only to the shell of the script,
 * most shells die of it without telling their child, and a killed npm tells no one. In each case the service would stay
 * behind. `script` is the text of the script; null when this process was started otherwise, because its parent may then
 * end first.
 */
export async function endWithRunner(script: string | null, shutdown: Shutdown, log: WriteLine): Promise<void> {
  if (script === null) return;
  const parent = process.ppid;
  // A shell that started this process as its child stands between npm and this process
  const isShell = (await commandOf(parent))?.includes(script) ?? false;
  const runner = isShell ? await parentOf(parent) : null;
  const isOrphan = async () => runner !== null && (await parentOf(parent)) !== runner;
  // Windows keeps naming the parent permanently, even when it is gone, so there only the parent's life counts
  const isLeft = () => process.ppid !== parent || !isAlive(parent) || (runner !== null && !isAlive(runner));
  const isGone = async (look: number) => isLeft() || (!isWindows && look % LOOKS_APART === 0 && (await isOrphan()));
  for (let look = 0; !shutdown.signal.aborted && !(await isGone(look)); look++)
    await delay(RUNNER_LOOK_MS, undefined, { ref: false });
  if (shutdown.signal.aborted) return;
  log("npm has ended: stopping");
  endProcess(shutdown);
}
