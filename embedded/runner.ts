import { setTimeout as delay } from "node:timers/promises";
import { endProcess, type Shutdown } from "../runtime/shutdown.ts";
import type { Log } from "./find.ts";
import { commandOf, parentOf } from "./pid-file.ts";

/** Soon enough that the note of the end is there before a supervisor's next start looks for it. */
const LOOK_MS = 100;
/** To ask for another's parent may take a program of its own. */
const LOOKS_APART = 5;

/**
 * Ends the process when the npm that runs it as a script is gone. npm passes SIGTERM on to the shell of the script alone, most shells
 * die of it without a word to what they run, and a killed npm tells nobody: either way the service would stay behind.
 * `script` is the text of the script; null where this process was started otherwise: then its parent may leave.
 */
export async function endWithRunner(script: string | null, shutdown: Shutdown, log: Log): Promise<void> {
  if (script === null) return;
  const parent = process.ppid;
  // A shell that did not become this process stands between the two
  const isShell = (await commandOf(parent))?.includes(script) ?? false;
  const runner = isShell ? await parentOf(parent) : null;
  const isOrphan = async () => runner !== null && (await parentOf(parent)) !== runner;
  const isGone = async (look: number) => process.ppid !== parent || (look % LOOKS_APART === 0 && (await isOrphan()));
  for (let look = 0; !shutdown.signal.aborted && !(await isGone(look)); look++) await delay(LOOK_MS, undefined, { ref: false });
  if (shutdown.signal.aborted) return;
  log("npm has ended: stopping");
  endProcess(shutdown);
}
