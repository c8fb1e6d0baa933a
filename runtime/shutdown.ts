import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../embedded/find.ts";

/** npm and the terminal both pass one Ctrl-C on: what follows this soon is the same one. */
const SAME_SIGNAL_MS = 500;

interface Step {
  name: string;
  withinMs: number;
  stop(): Promise<void>;
}

/** What must end with the process, last come first gone. */
export interface Shutdown {
  /** How long it may take; what takes longer is left to the end of the process. */
  add(name: string, withinMs: number, stop: () => Promise<void>): void;
  run(): Promise<void>;
  /** Fired when it has begun. */
  signal: AbortSignal;
}

/** `withinMs` is for all of it together: what is left then ends with the process. */
export function shutdownOf(withinMs: number, log: Log): Shutdown {
  const steps: Step[] = [];
  const begun = new AbortController();
  let running: Promise<void> | undefined;
  const inOrder = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await within(step, log);
  };
  const end = () => within({ name: "The service", withinMs, stop: inOrder }, log);
  return {
    add(name, withinMs, stop) {
      const step = { name, withinMs, stop };
      // What comes up too late is stopped at once
      if (running) running = Promise.all([running, within(step, log)]).then(() => {});
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
 * Runs a program until it is told to end, within `withinMs`. What fails before is said on the error output, and the process ends with 1
 * once what has begun has been stopped.
 */
export async function runProgram(withinMs: number, log: Log, start: (shutdown: Shutdown) => Promise<void>): Promise<void> {
  const shutdown = shutdownOf(withinMs, log);
  endOnSignals(shutdown, log);
  try {
    await start(shutdown);
  } catch (err) {
    // A start that is interrupted fails somewhere: no news
    if (shutdown.signal.aborted) return;
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    await shutdown.run();
    process.exit(1);
  }
}

/** Ends the process on Ctrl-C, SIGTERM and a closed terminal; a second one does not wait. */
export function endOnSignals(shutdown: Shutdown, log: Log): void {
  let firstAt = 0;
  const end = () => {
    if (firstAt > 0 && performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(130);
    if (firstAt > 0) return;
    firstAt = performance.now();
    log("Stopping; once more forces it");
    endProcess(shutdown);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, end);
  // Whoever read what is said may have gone first: that ends nothing by itself
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Begins the end, or joins it. */
export function endProcess(shutdown: Shutdown): void {
  void shutdown.run().then(() => process.exit(0));
}

async function within({ name, withinMs, stop }: Step, log: Log): Promise<void> {
  const late = delay(withinMs, "late" as const, { ref: false });
  try {
    if ((await Promise.race([stop(), late])) === "late") log(`${name} did not end within ${withinMs / 1000} s`);
  } catch (err) {
    log(`${name} did not end well: ${err instanceof Error ? err.message : String(err)}`);
  }
}
