import { type Config, programEnv } from "../config.ts";
import { ownNames } from "../domain/access/own-hosts.ts";
import type { Shutdown } from "../runtime/shutdown.ts";
import { keepRunning } from "./keep.ts";
import type { Mongod } from "./mongod.ts";
import { assertFree } from "./ports.ts";
import type { WriteLine } from "./programs/find.ts";
import type { Temporal } from "./temporal.ts";

const STOP_MS = 5_000;

/** Starts the service's own MongoDB on its data folder and keeps it running as long as the process. */
export function embeddedMongod({ DATA_DIR, MONGOD_PORT, MONGOD_BIN }: Config, shutdown: Shutdown, log: WriteLine): Promise<Mongod> {
  const common = { dataDir: DATA_DIR, binary: MONGOD_BIN ?? undefined, env: programEnv(), log };
  const starting = import("./mongod.ts").then(({ startMongod }) =>
    keepRunning("mongod", (before: Mongod | null) => startMongod({ ...common, port: before?.port ?? MONGOD_PORT }), log),
  );
  shutdown.add("mongod", STOP_MS, () => stopOf(starting));
  return starting;
}

/** Starts the service's own Temporal server in the same way. Its web pages are behind a proxy. */
export async function embeddedTemporal(config: Config, shutdown: Shutdown, log: WriteLine): Promise<Temporal & { uiUrl: string }> {
  const temporal = await runningTemporal(config, shutdown, log);
  const { TEMPORAL_UI_PORT, TEMPORAL_UI_WRITES, PUBLIC_URL, ALLOWED_HOSTS } = config;
  const { startFront } = await import("./front.ts");
  const front = await startFront({
    ...{ name: "The Temporal UI", behind: temporal.uiPort ?? 0, host: "127.0.0.1", port: TEMPORAL_UI_PORT, variable: "TEMPORAL_UI_PORT" },
    ...{ names: ownNames(ALLOWED_HOSTS, [PUBLIC_URL]), writes: TEMPORAL_UI_WRITES },
  });
  shutdown.add("The Temporal UI", 500, front.close);
  return { ...temporal, uiUrl: `http://127.0.0.1:${front.port}` };
}

async function runningTemporal(config: Config, shutdown: Shutdown, log: WriteLine): Promise<Temporal> {
  const { DATA_DIR, TEMPORAL_PORT, TEMPORAL_UI_PORT, TEMPORAL_BIN } = config;
  if (TEMPORAL_UI_PORT !== 0) await assertFree(TEMPORAL_UI_PORT, "TEMPORAL_UI_PORT");
  const common = { dataDir: DATA_DIR, binary: TEMPORAL_BIN ?? undefined, env: programEnv(), log };
  const portsOf = (before: Temporal | null) => ({ port: before?.port ?? TEMPORAL_PORT, uiPort: before?.uiPort ?? 0 });
  const starting = import("./temporal.ts").then(({ startTemporal }) =>
    keepRunning("Temporal", (before: Temporal | null) => startTemporal({ ...common, ...portsOf(before) }), log),
  );
  shutdown.add("Temporal", STOP_MS, () => stopOf(starting));
  return starting;
}

/** Stops a server, waiting first for one that is still starting. When a start fails, the caller of the start gets the error. */
async function stopOf(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  const server = await starting.catch(() => null);
  await server?.stop();
}
