import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { tryLock } from "./lock.ts";
import { isAlive, liveRecord, writeRecord } from "./pid-file.ts";

const STOP_MS = 5_000;

export interface Launch {
  /** Names the log, the lock and the pid file in `home`. */
  name: string;
  binary: string;
  args: string[];
  home: string;
  port: number;
  /** A line that it reads from its standard input. Unlike arguments, other users cannot read it. */
  input?: string;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  pid: number;
  /** Null while it runs. */
  exit(): Exit | null;
  /** Resolves when it has ended, by `stop` or by itself. */
  exited: Promise<Exit>;
  /** The last lines of its log, for an error message. */
  lastWords(): Promise<string>;
  /** Sends SIGTERM and, after five seconds, SIGKILL. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Claims `home` for one server of this name and ends a server that a killed predecessor left running there. Only the
 * holder of the lock is a parent, so a recorded child that is alive and runs the recorded command is an orphan. Returns
 * a function that releases the claim.
 */
export async function claim(home: string, name: string): Promise<() => void> {
  await mkdir(home, { recursive: true });
  const release = tryLock(join(home, `${name}.lock`));
  const record = await liveRecord(home, name);
  if (!release) {
    const by = record ? `process ${record.parent}` : "another process";
    throw new Error(`${home} is in use by ${by}, which runs its ${name}: stop that, or set DATA_DIR to another folder`);
  }
  if (record) await endOrphan(record.pid);
  return release;
}

/** Starts a server that ends with `stop`, at the latest with this process. Its folder must have been claimed. */
export async function launch({ name, binary, args, home, port, input }: Launch): Promise<Child> {
  const logFile = join(home, `${name}.log`);
  if (existsSync(logFile)) await rename(logFile, `${logFile}.old`);
  const output = await open(logFile, "a");
  // Detached, because Ctrl-C reaches the whole process group, and the servers must outlive the workers that use them.
  const stdin = input === undefined ? "ignore" : "pipe";
  const child = spawn(binary, args, { stdio: [stdin, output.fd, output.fd], detached: true, windowsHide: true });
  child.stdin?.on("error", () => {}).end(`${input}\n`); // a program that has ended reads nothing
  let exit: Exit | null = null;
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      resolve(exit);
    });
  });
  try {
    await once(child, "spawn");
  } finally {
    await output.close();
  }
  const { pid } = child;
  if (pid === undefined) throw new Error(`${binary} did not start`);
  endWithThisProcess(pid, exited);
  // The record leaves out the program's name, because the binary may be a script that becomes another program. The data
  // folder is among the arguments.
  await writeRecord(home, name, { pid, port, parent: process.pid, command: args.join(" ") });

  return {
    pid,
    exit: () => exit,
    exited,
    async lastWords() {
      const text = await readFile(logFile, "utf8");
      return text.trimEnd().split("\n").slice(-5).join("\n");
    },
    async stop() {
      if (!exit) {
        child.kill("SIGTERM");
        await Promise.race([exited, delay(STOP_MS, undefined, { ref: false })]);
        if (!exit) child.kill("SIGKILL");
        await exited;
      }
      await rm(join(home, `${name}.pid`), { force: true });
    },
  };
}

const READY_MS = 30_000;
const LOOK_MS = 20;

/**
 * Waits until a launched server is ready. A server that has ended is not ready even if something answers on its port,
 * because that is another server. @throws the Error of `whyEnded`, or an Error with the server's last lines after 30 s.
 */
export async function whenReady(
  child: Child,
  name: string,
  isReady: () => Promise<boolean>,
  whyEnded = async ({ code }: Exit) =>
    new Error(`${name} ended with exit code ${code}; its last lines:\n${await child.lastWords()}`),
): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    const ready = await isReady();
    const exit = child.exit();
    if (exit !== null) throw await whyEnded(exit);
    if (ready) return;
    if (Date.now() > deadline)
      throw new Error(`${name} was not ready within ${READY_MS / 1000} s:\n${await child.lastWords()}`);
    await delay(LOOK_MS);
  }
}

async function endOrphan(pid: number): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    const deadline = Date.now() + STOP_MS;
    if (isAlive(pid)) process.kill(pid, signal);
    while (isAlive(pid) && Date.now() < deadline) await delay(50);
  }
}

const SHELL =
  'read -r _; kill -TERM "$1"; n=0; while kill -0 "$1" && [ $n -lt 5 ]; do sleep 1; n=$((n+1)); done; kill -KILL "$1"';
const PROGRAM = fileURLToPath(new URL("guard-process.js", import.meta.url));

/**
 * Ends a server when this process is gone, even by SIGKILL: another process reads a pipe that only this one keeps open.
 * That process is a shell, which needs almost no memory. Windows has no such shell, so there it is a Node process.
 */
export function endWithThisProcess(
  pid: number,
  exited: Promise<unknown>,
  platform: NodeJS.Platform = process.platform,
): void {
  const isShell = platform !== "win32";
  const command = isShell ? "sh" : process.execPath;
  const args = isShell ? ["-c", SHELL, "guard"] : [PROGRAM];
  const guard = spawn(command, [...args, String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    windowsHide: true,
  });
  // If it fails, the pid file remains, and the next start ends the orphan
  guard.on("error", () => {});
  guard.unref();
  void exited.then(() => guard.kill("SIGKILL"));
}
