import { setTimeout as delay } from "node:timers/promises";
import type { WriteLine } from "../embedded/programs/find.ts";

/** Milliseconds. npm and the terminal both forward one Ctrl-C, so signals this close together count as one. */
const SAME_SIGNAL_MS = 500;

interface Step {
  name: string;
  withinMs: number;
  stop(): Promise<void>;
}

/** The parts that must be stopped before the process ends. The last addition is stopped first. */
export interface Shutdown {
  /** Adds a step. `withinMs` bounds how long it may take; after that it is left to the end of the process. */
  add(name: string, withinMs: number, stop: () => Promise<void>): void;
  run(): Promise<void>;
  /** Fired when the shutdown has begun. */
  signal: AbortSignal;
}

/** Builds a shutdown. `withinMs` bounds all steps together; steps that are left then end with the process. */
function shutdownOf(withinMs: () => number, log: WriteLine): Shutdown {
  const steps: Step[] = [];
  const begun = new AbortController();
  let running: Promise<void> | undefined;
  const inOrder = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await stopWithTimeout(step, log);
  };
  const end = () => stopWithTimeout({ name: "The service", withinMs: withinMs(), stop: inOrder }, log);
  return {
    add(name, withinMs, stop) {
      const step = { name, withinMs, stop };
      // A step that is added after the shutdown has begun is stopped immediately
      if (running) running = Promise.all([running, stopWithTimeout(step, log)]).then(() => {});
      else steps.push(step);
    },
    run() {
      begun.abort();
      running ??= end();
      return running;
    },
    signal: begun.signal,
  };
}

/**
 * Runs a program until it gets a signal to end. `withinMs` is called when the shutdown begins, and bounds it. When the
 * start fails, the error is written to standard error, everything that was started is stopped, and the process ends with
 * code 1.
 */
export async function runProgram(
  withinMs: () => number,
  log: WriteLine,
  start: (shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  const shutdown = shutdownOf(withinMs, log);
  endOnSignals(shutdown, log);
  try {
    await start(shutdown);
  } catch (err) {
    // A start that is interrupted fails at some point, which is not worth reporting
    if (shutdown.signal.aborted) return;
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    await shutdown.run();
    process.exit(1);
  }
}

/** Ends the process on Ctrl-C, SIGTERM and a closed terminal. A second signal ends it without waiting. */
function endOnSignals(shutdown: Shutdown, log: WriteLine): void {
  let firstAt = 0;
  const end = () => {
    if (firstAt > 0 && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(130);
    if (firstAt > 0) return;
    firstAt = performance.now();
    log("Stopping. A second signal stops immediately");
    endProcess(shutdown);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  // The reader of our output may have ended first; this process continues
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Begins the shutdown, or joins it. */
export function endProcess(shutdown: Shutdown): void {
  void shutdown.run().then(() => process.exit(0));
}

async function stopWithTimeout({ name, withinMs, stop }: Step, log: WriteLine): Promise<void> {
  const late = delay(withinMs, "late" as const, { ref: false });
  try {
    if ((await Promise.race([stop(), late])) === "late") log(`${name} did not stop within ${withinMs / 1000} s`);
  } catch (err) {
    log(`${name} failed to stop: ${err instanceof Error ? err.message : String(err)}`);
  }
}
