import { ConfigError, readConfig } from "../config.ts";
import { startConfiguredApi } from "../runtime/api.ts";
import { linkEngine } from "../runtime/engine.ts";
import { createLog } from "../runtime/log.ts";
import { serveMetrics } from "../runtime/metrics.ts";
import { runProgram, type Shutdown } from "../runtime/shutdown.ts";
import { startTracing } from "../runtime/tracing.ts";
import { createEngine } from "../temporal/engine.ts";

/**
 * Milliseconds allowed for shutdown of a process with the API role only. It serves the REST API, unsubscribe pages and
 * the reference; workers run in other processes.
 */
const STOP_MS = 9_000;
await runProgram(
  () => STOP_MS,
  (line) => process.stderr.write(`${line}\n`),
  start,
);

async function start(shutdown: Shutdown): Promise<void> {
  const config = readConfig();
  const { MONGODB_URI, SECRET_KEY } = config;
  if (MONGODB_URI === null || SECRET_KEY === null) {
    throw new ConfigError(
      "MONGODB_URI is not set: the API alone needs the address of a replica set. `npm start` brings an embedded one",
    );
  }
  const log = createLog(config.LOG_LEVEL);
  await startTracing(config, shutdown);
  const { link } = linkEngine(config, shutdown);
  const engine = createEngine(() => link.client());
  const api = await startConfiguredApi({ ...config, SECRET_KEY }, { mongodbUri: MONGODB_URI, engine, log });
  log.info({ port: api.port }, "listening");
  if (!config.TRACK_URL.startsWith("https:"))
    log.warn(
      "links in emails use plain http, for development only: TRACK_URL is not an https address behind a TLS proxy",
    );
  shutdown.add("The API", STOP_MS - 1_000, api.close);
  const metrics = await serveMetrics({
    config,
    port: config.API_METRICS_PORT,
    variable: "API_METRICS_PORT",
    ready: api.ready,
    isWorking: api.isOpen,
  });
  shutdown.add("The metrics", 1_000, metrics.close);
  await api.opened;
}
