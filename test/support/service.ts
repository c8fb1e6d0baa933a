import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";

export interface Service {
  pid: number;
  url: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Waits for a line that matches. Fails with all output when the service ends first or 120 s pass. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends the signal and waits for the end; rejects after `withinMs`. Null: ended by a signal. */
  end(signal: NodeJS.Signals, withinMs: number): Promise<number | null>;
  /** Waits for it to end without a signal. */
  ended(): Promise<number | null>;
}

type Variables = Record<string, string>;

/** Six free ports for one service; they stay the same when it is started again. */
export async function portsOf(): Promise<Variables> {
  const names = ["PORT", "MONGOD_PORT", "TEMPORAL_PORT", "TEMPORAL_UI_PORT", "METRICS_PORT", "API_METRICS_PORT"];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
}

/** The key that the first start on a data folder left there. */
export function firstKeyIn(dataDir: string): string {
  return readFileSync(join(dataDir, "first-api-key"), "utf8").trim();
}

/** The link by which the first person signs in there. */
export function firstLinkIn(dataDir: string): string {
  return readFileSync(join(dataDir, "first-sign-in"), "utf8").trim();
}

/** The environment of a process: these variables, and those of the tests' own that say where programs are. */
export function environmentOf(variables: Variables): Variables {
  const { PATH = "", HOME = "", XDG_CACHE_HOME, MONGOD_BIN, TEMPORAL_BIN, NODE_COMPILE_CACHE } = process.env;
  return {
    PATH,
    HOME,
    ...(XDG_CACHE_HOME && { XDG_CACHE_HOME }),
    ...(MONGOD_BIN && { MONGOD_BIN }),
    ...(TEMPORAL_BIN && { TEMPORAL_BIN }),
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    ...variables,
  };
}

/**
 * `npm start` as a process of its own, or another entry of the service, without the settings of the test environment.
 */
export function runService(
  variables: Variables,
  nodeOptions: readonly string[] = [],
  entry = "start.js",
  args: readonly string[] = [],
): Service {
  const child: ChildProcess = spawn(process.execPath, ["--no-warnings", ...nodeOptions, entry, ...args], {
    env: environmentOf(variables),
  });
  const ended = once(child, "exit").then(([code]): number | null => code);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  }
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${variables["PORT"]}`,
    output: () => text,
    async says(pattern) {
      const found = () => pattern.exec(text) ?? (hasEnded() ? "ended" : null);
      const match = await until(found, { deadlineMs: 120_000, what: `${pattern} in\n${text}` });
      if (match === null || match === "ended") {
        throw new Error(`It ended (${child.exitCode ?? child.signalCode}) without saying ${pattern}:\n${text}`);
      }
      return match;
    },
    async end(signal, withinMs) {
      child.kill(signal);
      await until(hasEnded, { deadlineMs: withinMs, what: `the end of\n${text}` });
      return ended;
    },
    ended: () => ended,
  };
}
