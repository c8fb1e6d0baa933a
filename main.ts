import { type Config, readConfig, startScript } from "./config.ts";
import { ensureSecretKey, ownFolder } from "./embedded/data-folder.ts";
import { afterEnding, endWithRunner, noteEnding } from "./embedded/ending.ts";
import { assertFree } from "./embedded/ports.ts";
import { embeddedMongod, embeddedTemporal } from "./embedded/servers.ts";
import { welcome } from "./embedded/welcome.ts";
import type { Services } from "./operations/context.ts";
import { runProgram, type Shutdown } from "./runtime/shutdown.ts";
import type { TemporalLink, TemporalSettings } from "./temporal/link.ts";

/**
 * Runs everything on one machine in one process tree: the API, the workers, and each server (MongoDB, Temporal) without
 * a configured address.
 */
const STOP_MS = 9_500;
const WORKER_GRACE_MS = 3_500;
const say = (line: string) => console.log(line);
await runProgram(() => STOP_MS, say, start);

type Settings = Config & { SECRET_KEY: string };

interface Engine {
  settings: TemporalSettings;
  link: TemporalLink;
  uiUrl: string | null;
}

/** The servers start while the modules that use them load. The API responds before the workers are ready. */
async function start(shutdown: Shutdown): Promise<void> {
  void endWithRunner(startScript(), shutdown, say);
  const read = readConfig();
  shutdown.signal.addEventListener("abort", () => noteEnding(read.DATA_DIR));
  await afterEnding(read.DATA_DIR, say);
  await assertFree(read.PORT, "PORT");
  await assertFree(read.METRICS_PORT, "METRICS_PORT");
  if (read.MONGODB_URI === null || read.TEMPORAL_ADDRESS === null) await ownFolder(read.DATA_DIR, say);
  const config: Settings = { ...read, SECRET_KEY: read.SECRET_KEY ?? (await ensureSecretKey(read.DATA_DIR)) };
  const storage = mongodbUri(config, shutdown);
  const engine = engineOf(config, shutdown);
  const [services, { uiUrl }] = await Promise.all([startApi(config, shutdown, storage, engine), engine]);
  if (services === null) return;
  say(await welcome(config, services.keyRing, uiUrl));
  await startWorkers(config, shutdown, services, await storage, await engine);
}

async function mongodbUri(config: Config, shutdown: Shutdown): Promise<string> {
  return config.MONGODB_URI ?? (await embeddedMongod(config, shutdown, say)).uri;
}

async function engineOf(config: Config, shutdown: Shutdown): Promise<Engine> {
  const own = config.TEMPORAL_ADDRESS === null ? await embeddedTemporal(config, shutdown, say) : null;
  const [{ linkEngine }, { startTracing }] = await Promise.all([
    import("./runtime/engine.ts"),
    import("./runtime/tracing.ts"),
  ]);
  await startTracing(config, shutdown);
  return { ...linkEngine(config, shutdown, own?.address ?? null), uiUrl: own?.uiUrl ?? null };
}

/**
 * Resolves once the API serves requests from the database, or with null if it was stopped before. Does not wait for
 * Temporal.
 */
async function startApi(
  config: Settings,
  shutdown: Shutdown,
  storage: Promise<string>,
  engine: Promise<Engine>,
): Promise<Services | null> {
  const [{ startConfiguredApi }, { createLog }, operations] = await Promise.all([
    import("./runtime/api.ts"),
    import("./runtime/log.ts"),
    import("./temporal/engine.ts"),
  ]);
  let link: TemporalLink | undefined;
  engine.then(
    (connected) => {
      link = connected.link;
    },
    () => {},
  );
  const { opened, close } = await startConfiguredApi(config, {
    mongodbUri: await storage,
    engine: operations.createEngine(() => link?.client() ?? null),
    log: createLog(config.LOG_LEVEL),
  });
  shutdown.add("The API", 1_500, close);
  return opened;
}

async function startWorkers(
  config: Settings,
  shutdown: Shutdown,
  services: Services,
  mongodbUri: string,
  { settings, link }: Engine,
): Promise<void> {
  const [{ startConfigured }, { createLog }] = await Promise.all([
    import("./worker/start.ts"),
    import("./runtime/log.ts"),
  ]);
  const log = createLog(config.LOG_LEVEL);
  const running = await startConfigured({
    config,
    mongodbUri,
    temporal: settings,
    link,
    services,
    log,
    stopping: shutdown.signal,
    graceMs: WORKER_GRACE_MS,
    takesOver: config.TEMPORAL_ADDRESS === null,
  });
  shutdown.add("The workers", WORKER_GRACE_MS + 500, running.stop);
}
