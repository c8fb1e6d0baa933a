import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Config, programEnv } from "../config.ts";
import { ownNames } from "../domain/access/own-hosts.ts";
import type { Shutdown } from "../runtime/shutdown.ts";
import type { Exit } from "./child.ts";
import type { Mongod } from "./mongod.ts";
import { assertFree } from "./ports.ts";
import type { WriteLine } from "./programs/find.ts";
import type { PagesOptions, Temporal } from "./temporal.ts";

const STOP_MS = 5_000;

/** Starts the service's own MongoDB on its data folder and keeps it running as long as the process. */
export function embeddedMongod(
  { DATA_DIR, MONGOD_PORT, MONGOD_BIN }: Config,
  shutdown: Shutdown,
  log: WriteLine,
): Promise<Mongod> {
  const common = { dataDir: DATA_DIR, binary: MONGOD_BIN ?? undefined, env: programEnv(), log };
  const starting = import("./mongod.ts").then(({ startMongod }) =>
    keepRunning(
      "mongod",
      (before: Mongod | null) => startMongod({ ...common, port: before?.port ?? MONGOD_PORT }),
      log,
    ),
  );
  shutdown.add("mongod", STOP_MS, () => stopOf(starting));
  return starting;
}

/** Starts the service's own Temporal server in the same way. Its web pages run only on request, behind a proxy. */
export async function embeddedTemporal(
  config: Config,
  shutdown: Shutdown,
  log: WriteLine,
): Promise<Temporal & { uiUrl: string | null }> {
  const { TEMPORAL_UI, TEMPORAL_UI_PORT: port, TEMPORAL_UI_WRITES: writes, PUBLIC_URL, ALLOWED_HOSTS } = config;
  const secret = randomBytes(32).toString("hex");
  if (TEMPORAL_UI && port !== 0) await assertFree(port, "TEMPORAL_UI_PORT");
  const temporal = await runningTemporal(config, TEMPORAL_UI ? { secret, writes } : null, shutdown, log);
  if (temporal.pagesPort === null) return { ...temporal, uiUrl: null };
  const { startFront } = await import("./front.ts");
  const front = await startFront({
    name: "The Temporal UI",
    behind: temporal.pagesPort,
    secret,
    host: "127.0.0.1",
    port,
    variable: "TEMPORAL_UI_PORT",
    names: ownNames(ALLOWED_HOSTS, [PUBLIC_URL]),
    writes,
  });
  shutdown.add("The Temporal UI", 500, front.close);
  return { ...temporal, uiUrl: `http://127.0.0.1:${front.port}` };
}

/** A restarted server has its web pages under the same secret, and on the same port. */
async function runningTemporal(
  { DATA_DIR, TEMPORAL_PORT, TEMPORAL_BIN }: Config,
  pages: Omit<PagesOptions, "port"> | null,
  shutdown: Shutdown,
  log: WriteLine,
): Promise<Temporal> {
  const common = { dataDir: DATA_DIR, binary: TEMPORAL_BIN ?? undefined, env: programEnv(), log };
  const optionsOf = (before: Temporal | null) => ({
    ...common,
    port: before?.port ?? TEMPORAL_PORT,
    pages: pages === null ? null : { ...pages, port: before?.pagesPort ?? 0 },
  });
  const starting = import("./temporal.ts").then(({ startTemporal }) =>
    keepRunning("Temporal", (before: Temporal | null) => startTemporal(optionsOf(before)), log),
  );
  shutdown.add("Temporal", STOP_MS, () => stopOf(starting));
  return starting;
}

/**
 * Stops a server, waiting first for one that is still starting. When a start fails, the caller of the start gets the
 * error.
 */
async function stopOf(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  const server = await starting.catch(() => null);
  await server?.stop();
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;

interface Server {
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts a server, and starts it again whenever it ends by itself. `start` gets the previous server, whose ports it
 * must take again. An error of the first start is thrown to the caller; later errors are logged, and the start is
 * repeated until `stop`.
 */
async function keepRunning<T extends Server>(
  name: string,
  start: (before: T | null) => Promise<T>,
  log: WriteLine,
): Promise<T> {
  const first = await start(null);
  const stopping = new AbortController();
  let current = first;
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      const { code, signal } = await current.exited;
      if (stopping.signal.aborted) return;
      log(`${name} stopped unexpectedly (${signal ?? `exit code ${code}`}): starting it again`);
      await current.stop(); // releases its folder
      current = (await again(name, () => start(first), stopping.signal, log)) ?? current;
    }
  })();
  return {
    ...first,
    async stop() {
      stopping.abort();
      await current.stop();
      await watching;
      await current.stop(); // stops a server that was starting meanwhile
    },
  };
}

async function again<T>(
  name: string,
  start: () => Promise<T>,
  stopping: AbortSignal,
  log: WriteLine,
): Promise<T | null> {
  for (let pause = FIRST_PAUSE_MS; !stopping.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await start();
    } catch (err) {
      log(`${name} did not start: ${err instanceof Error ? err.message : String(err)}`);
    }
    await delay(pause, undefined, { signal: stopping }).catch(() => {});
  }
  return null;
}
