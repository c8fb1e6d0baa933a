import { createContext, Script } from "node:vm";

// One context for all emails, because creating one takes longer than reading most emails
const place: { run: () => unknown } = { run: () => undefined };
const context = createContext(place);
const call = new Script("run()");
/**
 * Runs `run` for at most `limitMs` milliseconds of this thread's processor time; null when it needs more or throws.
 * Processor time is used instead of clock time, so that a busy machine reads an email in the same way. The limit
 * interrupts any code, including libraries that parse HTML. Within another limit, this one does not apply.
 */
export function withinProcessorTime<T>(limitMs: number, run: () => T): T | null {
  if (isWatched) return run();
  let result: T | null = null;
  place.run = () => {
    result = run();
  };
  isWatched = true;
  try {
    for (let timeout = limitMs; ; ) {
      const before = process.threadCpuUsage();
      const isEnded = runToEnd(Math.ceil(Math.min(timeout, LONGEST_MS)));
      const { user, system } = process.threadCpuUsage(before);
      const used = (user + system) / 1_000;
      if (isEnded === null || used >= limitMs * (isEnded ? 1 : NEARLY)) return null;
      if (isEnded) return result;
      // Other threads used the processor meanwhile, so the next attempt gets more clock time
      timeout = Math.max(2 * timeout, (timeout * limitMs * ENOUGH) / Math.max(used, 1));
    }
  } finally {
    isWatched = false;
    place.run = () => undefined;
  }
}

let isWatched = false;
/**
 * The share of the limit that an interrupted run must have used: less than 1, because the timer and the processor's
 * clock differ slightly.
 */
const NEARLY = 0.9;
const ENOUGH = 1.5;
/** Milliseconds. */
const LONGEST_MS = 600_000;

/** True when the code finished, false when it reached the timeout; null when it threw. */
function runToEnd(timeout: number): boolean | null {
  try {
    call.runInContext(context, { timeout });
    return true;
  } catch (err) {
    // The error comes from the other context, so `instanceof Error` is false
    const isOver =
      typeof err === "object" && err !== null && "code" in err && err.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return isOver ? false : null;
  }
}
