import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { settings } from "../../config.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { freePort } from "../../embedded/ports.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const STOP_MS = 12_000;
/** A first start may have to build a server program, which takes long. */
const START_MS = 10 * MINUTE_MS;

/** The whole service as `npm start` runs it, in a process of its own. */
export interface Service {
  url: string;
  dataDir: string;
  /** The file with all its output. */
  logFile: string;
  /**
   * Resolves once the service answers with its database and Temporal. Lines it prints until then are passed to `say`.
   */
  start(say: (line: string) => void): Promise<void>;
  /** SIGKILL, without warning: nothing is tidied up. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  apiKey(): Promise<string>;
}

/** A service on a throw-away folder and free ports. Environment variables of a real deployment do not reach it. */
export async function serviceIn(folder: string, more: Record<string, string>): Promise<Service> {
  const dataDir = join(folder, "data");
  const logFile = join(folder, "service.log");
  const ports = await portsFor(["PORT", "MONGOD_PORT", "TEMPORAL_PORT", "TEMPORAL_UI_PORT", "METRICS_PORT"]);
  const env = { ...foreign(), ...ports, DATA_DIR: dataDir, LOG_LEVEL: "info", ...more };
  const url = `http://localhost:${ports["PORT"]}`;
  let child: ChildProcess | null = null;

  async function start(say: (line: string) => void): Promise<void> {
    const running = spawn(process.execPath, ["--no-warnings", "main.ts"], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child = running;
    const log = createWriteStream(logFile, { flags: "a" });
    let isReady = false;
    for (const stream of [running.stdout, running.stderr]) {
      stream.pipe(log, { end: false });
      createInterface({ input: stream }).on("line", (line) => {
        if (!isReady && line.trim() !== "" && !line.startsWith("{")) say(line);
        isReady ||= line.includes("Ready:");
      });
    }
    await ready(running, () => isReady);
  }

  /** The greeting is the last line of a start, so the key has been written by then. */
  async function ready(running: ChildProcess, hasGreeted: () => boolean): Promise<void> {
    for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200)) {
      if (hasEnded(running)) throw new Error(`The service ended while it started: see ${logFile}`);
      if (!hasGreeted()) continue;
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      const body = answer?.ok ? await answer.text() : "";
      if (body.includes('"engine":"up"')) return;
    }
    throw new Error(`The service did not come up: see ${logFile}`);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null || hasEnded(child)) return;
    const ended = once(child, "exit");
    child.kill(signal);
    const late = sleep(STOP_MS, "late" as const, { ref: false });
    if ((await Promise.race([ended, late])) === "late") child.kill("SIGKILL");
    await ended;
  }

  return {
    url,
    dataDir,
    logFile,
    start,
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    apiKey: async () => (await readFile(join(dataDir, "first-api-key"), "utf8")).trim(),
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The environment without this service's settings, except those that name its server programs. */
function foreign(): NodeJS.ProcessEnv {
  const names = Object.keys(settings.shape).filter((name) => !name.endsWith("_BIN"));
  const ours = new Set(names.flatMap((name) => [name, `${name}_FILE`]));
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !ours.has(name) && !name.startsWith("TEMPORAL_TLS")),
  );
}

async function portsFor(names: string[]): Promise<Record<string, string>> {
  const ports = new Set<number>();
  while (ports.size < names.length) ports.add(await freePort());
  return Object.fromEntries([...ports].map((port, index) => [names[index] ?? "", String(port)]));
}
