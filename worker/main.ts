import { setTimeout as delay } from "node:timers/promises";
import { createLog } from "../api/log.ts";
import { ConfigError, readConfig } from "../config.ts";
import { keyRing } from "../domain/seal.ts";
import { connect, disconnect, ensureIndexes } from "../models/connect.ts";
import { load } from "../operations/signing-keys.ts";
import { egressOf } from "./egress.ts";
import { installRuntime, startWorker } from "./start.ts";
import { linkTemporal, temporalSettings } from "./temporal.ts";

const RETRY_MS = 1_000;

/** The worker role alone: polls WORKER_QUEUES; the API runs elsewhere. */
try {
  const config = readConfig();
  if (config.MONGODB_URI === null || config.SECRET_KEY === null) {
    throw new ConfigError("MONGODB_URI is not set: a worker alone needs the address of a replica set. `npm start` brings an embedded one");
  }
  const { MONGODB_URI: uri, SECRET_KEY: key } = config;
  const log = createLog(config.LOG_LEVEL);
  installRuntime(log, config.METRICS_PORT === 0 ? null : config.METRICS_PORT);
  const temporal = temporalSettings(config);
  const link = linkTemporal(temporal);
  const ring = keyRing(key, [...config.SECRET_KEYS_RETIRED]);
  const running = await persistently(async () => {
    await connect(uri);
    await ensureIndexes();
    const [signing, egress] = await Promise.all([load(ring), egressOf(config, uri)]);
    return startWorker({
      temporal,
      client: link.client,
      keyRing: ring,
      signing,
      egress,
      trackUrl: config.TRACK_URL,
      log,
      queues: config.WORKER_QUEUES,
    });
  });
  log.info({ queues: config.WORKER_QUEUES }, "workers ready");
  const stop = async () => {
    await running.stop();
    await link.close();
    await disconnect();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());

  /** Servers may come later than their workers. */
  async function persistently<T>(start: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await start();
      } catch (err) {
        log.error({ err }, "the workers did not start: trying again");
        await disconnect();
        await delay(RETRY_MS);
      }
    }
  }
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
