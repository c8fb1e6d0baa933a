import { createContext, Script } from "node:vm";

// One context for all mails, because making one takes longer than reading most mails
const place: { run: () => unknown } = { run: () => undefined };
const context = createContext(place);
const call = new Script("run()");
/** How much longer the next attempt may last when another thread had the processor. */
const LONGER = 4;

/**
 * Runs something for at most so many milliseconds of this thread's processor time; null when it needs more, or throws. What matters is the
 * work and not the clock, so that a mail reads the same on a busy machine. The limit stops any code, including parsers of foreign HTML. A
 * limit within another one does not count.
 */
export function withinProcessorTime<T>(limitMs: number, run: () => T): T | null {
  if (isWatched) return run();
  let result: T | null = null;
  place.run = () => {
    result = run();
  };
  isWatched = true;
  try {
    for (let timeout = limitMs; ; timeout *= LONGER) {
      const before = process.threadCpuUsage();
      const isEnded = ended(timeout);
      if (isEnded === null) return null;
      const { user, system } = process.threadCpuUsage(before);
      if ((user + system) / 1_000 >= limitMs * (isEnded ? 1 : NEARLY)) return null;
      if (isEnded) return result;
    }
  } finally {
    isWatched = false;
    place.run = () => undefined;
  }
}

let isWatched = false;
/** The timer and the processor's clock do not agree to the millisecond. */
const NEARLY = 0.9;

/** True when the code came to its end, false when its time was over; null when it threw. */
function ended(timeout: number): boolean | null {
  try {
    call.runInContext(context, { timeout });
    return true;
  } catch (err) {
    return err instanceof Error && "code" in err && err.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? false : null;
  }
}
