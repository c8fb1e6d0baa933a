import { type Config, mailProviders, readConfig, startScript } from "./config.ts";
import { ownFolder } from "./embedded/data-folder.ts";
import { afterEnding, noteEnding } from "./embedded/ending.ts";
import { assertFree } from "./embedded/ports.ts";
import { endWithRunner } from "./embedded/runner.ts";
import { secretKeyOf } from "./embedded/secret-key.ts";
import { embeddedMongod, embeddedTemporal } from "./embedded/servers.ts";
import { welcome } from "./embedded/welcome.ts";
import type { Services } from "./operations/context.ts";
import type { ApiOptions } from "./runtime/api.ts";
import { endOnSignals, shutdownOf } from "./runtime/shutdown.ts";
import type { TemporalLink, TemporalSettings } from "./temporal/link.ts";

/** Everything on one machine, in one process tree: the servers that no address is set for, the API and the workers. */
const STOP_MS = 9_500;
const WORKER_GRACE_MS = 3_500;
const say = (line: string) => console.log(line);
const shutdown = shutdownOf(STOP_MS, say);
endOnSignals(shutdown, say);
void endWithRunner(startScript(), shutdown, say);
try {
  await start();
} catch (err) {
  // A start that is interrupted fails somewhere: no news
  if (!shutdown.signal.aborted) {
    console.error(err instanceof Error ? err.message : String(err));
    await shutdown.run();
    process.exit(1);
  }
}

type Settings = Config & { SECRET_KEY: string };

interface Engine {
  settings: TemporalSettings;
  link: TemporalLink;
  uiUrl: string | null;
}

/** The servers come up while the modules that talk to them are read; the API answers before the workers are ready. */
async function start(): Promise<void> {
  const read = readConfig();
  shutdown.signal.addEventListener("abort", () => noteEnding(read.DATA_DIR));
  await afterEnding(read.DATA_DIR, say);
  await assertFree(read.PORT, "PORT");
  await assertFree(read.METRICS_PORT, "METRICS_PORT");
  if (read.MONGODB_URI === null || read.TEMPORAL_ADDRESS === null) await ownFolder(read.DATA_DIR, say);
  const config: Settings = { ...read, SECRET_KEY: read.SECRET_KEY ?? (await secretKeyOf(read.DATA_DIR)) };
  const storage = mongodbUri(config);
  const engine = engineOf(config);
  const [services, { uiUrl }] = await Promise.all([startApi(config, storage, engine), engine]);
  say(await welcome(config, uiUrl));
  await startWorkers(config, services, await storage, await engine);
}

async function mongodbUri(config: Config): Promise<string> {
  return config.MONGODB_URI ?? (await embeddedMongod(config, shutdown, say)).uri;
}

async function engineOf(config: Config): Promise<Engine> {
  const own = config.TEMPORAL_ADDRESS === null ? await embeddedTemporal(config, shutdown, say) : null;
  const { linkTemporal, temporalSettings } = await import("./temporal/link.ts");
  const settings = temporalSettings(config, own?.address ?? null);
  const link = linkTemporal(settings);
  shutdown.add("The connection to Temporal", 1_000, link.close);
  return { settings, link, uiUrl: own?.uiUrl ?? null };
}

/** Settled once the API answers from the database; it does not wait for the engine. */
async function startApi(config: Settings, storage: Promise<string>, engine: Promise<Engine>): Promise<Services> {
  const [api, { createLog }, operations] = await Promise.all([
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
  const { promise, resolve } = Promise.withResolvers<Services>();
  const options: ApiOptions = {
    port: config.PORT,
    host: config.HOST,
    mongodbUri: await storage,
    secretKey: config.SECRET_KEY,
    retiredKeys: config.SECRET_KEYS_RETIRED,
    engine: operations.engineOf(() => link?.client() ?? null),
    settings: {
      publicUrl: config.PUBLIC_URL,
      trackUrl: config.TRACK_URL,
      egressAllow: config.EGRESS_ALLOW,
      allowInsecureMail: config.ALLOW_INSECURE_MAIL,
      providers: mailProviders(config),
      sheetsUrl: config.SHEETS_URL,
    },
    restoredFrom: config.RESTORED_FROM,
    log: createLog(config.LOG_LEVEL),
    also: (services) => {
      resolve(services);
      return [];
    },
  };
  const { close } = await api.startApi(options);
  shutdown.add("The API", 1_500, close);
  return promise;
}

async function startWorkers(config: Settings, services: Services, mongodbUri: string, { settings, link }: Engine): Promise<void> {
  const [{ startConfigured }, { createLog }] = await Promise.all([import("./worker/start.ts"), import("./runtime/log.ts")]);
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
  });
  shutdown.add("The workers", WORKER_GRACE_MS + 500, running.stop);
}
