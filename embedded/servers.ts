import { type Config, programEnv } from "../config.ts";
import type { Log } from "./find.ts";
import { keepRunning } from "./keep.ts";
import type { Mongod } from "./mongod.ts";
import type { Shutdown } from "./shutdown.ts";
import type { Temporal } from "./temporal.ts";

const STOP_MS = 5_000;

/** The service's own MongoDB on its data folder, for as long as the process runs. */
export function embeddedMongod({ DATA_DIR, MONGOD_PORT, MONGOD_BIN }: Config, shutdown: Shutdown, log: Log): Promise<Mongod> {
  const common = { dataDir: DATA_DIR, binary: MONGOD_BIN ?? undefined, env: programEnv(), log };
  const starting = import("./mongod.ts").then(({ startMongod }) =>
    keepRunning("mongod", (before: Mongod | null) => startMongod({ ...common, port: before?.port ?? MONGOD_PORT }), log),
  );
  shutdown.add("mongod", STOP_MS, () => stopOf(starting));
  return starting;
}

/** The service's own Temporal server, likewise. */
export function embeddedTemporal(config: Config, shutdown: Shutdown, log: Log): Promise<Temporal> {
  const { DATA_DIR, TEMPORAL_PORT, TEMPORAL_UI_PORT, TEMPORAL_BIN } = config;
  const common = { dataDir: DATA_DIR, binary: TEMPORAL_BIN ?? undefined, env: programEnv(), log };
  const portsOf = (before: Temporal | null) => ({ port: before?.port ?? TEMPORAL_PORT, uiPort: before?.uiPort ?? TEMPORAL_UI_PORT });
  const starting = import("./temporal.ts").then(({ startTemporal }) =>
    keepRunning("Temporal", (before: Temporal | null) => startTemporal({ ...common, ...portsOf(before) }), log),
  );
  shutdown.add("Temporal", STOP_MS, () => stopOf(starting));
  return starting;
}

/** One that is still coming up is stopped when it is there; one that never came is the starter's error. */
async function stopOf(starting: Promise<{ stop(): Promise<void> }>): Promise<void> {
  const server = await starting.catch(() => null);
  await server?.stop();
}
