import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

type Answers = Record<string, () => unknown>;

interface Message {
  id: number;
  ask: string;
}

const STOP_MS = 10_000;

/**
 * Called in a process that `Part.start` started: answers the parent's questions, ends on request, and reports that it
 * is ready.
 */
export function answer(answers: Answers, stop: () => Promise<void> | void = () => {}): void {
  process.on("message", async ({ id, ask }: Message) => {
    if (ask !== "stop") return process.send?.({ id, answer: await answers[ask]?.() });
    await stop();
    process.exit(0);
  });
  process.once("disconnect", () => process.exit(0));
  process.send?.({ id: 0, answer: null });
}

/** A part of the rig in its own process, so that its memory and processor time can be measured separately. */
export class Part {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #lastQuestion = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", ({ id, answer }: { id: number; answer: unknown }) => {
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  /** Runs a script with one argument, and resolves once it reports that it is ready. `flags` are those of Node. */
  static async start(script: URL, orders: object, flags: string[] = []): Promise<Part> {
    const child = fork(script, [JSON.stringify(orders)], { execArgv: ["--no-warnings", ...flags] });
    const part = new Part(child);
    const failed = once(child, "exit").then(([code]) =>
      Promise.reject(new Error(`${script.pathname} ended with exit code ${code}`)),
    );
    await Promise.race([new Promise((resolve) => part.#waiting.set(0, resolve)), failed]);
    failed.catch(() => {}); // from now on an exit is expected
    return part;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  ask<T>(ask: string): Promise<T> {
    const id = ++this.#lastQuestion;
    return new Promise((resolve) => {
      this.#waiting.set(id, (answer) => resolve(answer as T)); // the script defines the type of its own answers
      this.#child.send({ id, ask });
    });
  }

  /** Kills the process with SIGKILL, so that it cannot finish anything. */
  async kill(): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.send({ id: ++this.#lastQuestion, ask: "stop" });
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
  }
}

/** The flags that write a CPU profile of the worker into the folder `BENCH_PROFILE`, if it is set. */
export function profiled(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`];
}

/** The resident memory of a process in MB, now and at its peak. Linux only. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}

/** The processor time that a process has used, in milliseconds (in steps of 10). Linux only. */
export async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
