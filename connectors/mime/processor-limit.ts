import { createContext, Script } from "node:vm";

// One context for all emails, because making one takes longer than reading most emails
const place: { run: () => unknown } = { run: () => undefined };
const context = createContext(place);
const call = new Script("run()");
/**
 * Runs something for at most so many milliseconds of this thread's processor time; null when it needs more, or throws.
 * Processor time is used instead of the clock, so that an email reads the same on a busy machine. The limit stops any
 * code, including parsers of foreign HTML. A limit within another one does not count.
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
      // Other threads had the processor: the next attempt gets the time that this one would have needed
      timeout = Math.max(2 * timeout, (timeout * limitMs * ENOUGH) / Math.max(used, 1));
    }
  } finally {
    isWatched = false;
    place.run = () => undefined;
  }
}

let isWatched = false;
/** The timer and the processor's clock do not agree to the millisecond. */
const NEARLY = 0.9;
const ENOUGH = 1.5;
/** Milliseconds. */
const LONGEST_MS = 600_000;

/** True when the code reached its end, false when its time was over; null when it threw. */
function runToEnd(timeout: number): boolean | null {
  try {
    call.runInContext(context, { timeout });
    return true;
  } catch (err) {
    // The error comes from the other context, so it is no instance of this one's Error
    const isOver =
      typeof err === "object" && err !== null && "code" in err && err.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    return isOver ? false : null;
  }
}
