import { ConfigError, mailProviders, readConfig } from "../config.ts";
import { startApi } from "../runtime/api.ts";
import { createLog } from "../runtime/log.ts";
import { endOnSignals, shutdownOf } from "../runtime/shutdown.ts";
import { engineOf } from "../temporal/engine.ts";
import { linkTemporal, temporalSettings } from "../temporal/link.ts";

/**
 * Milliseconds for the shutdown of a process with the API role alone: REST, unsubscribe pages and reference, while workers run elsewhere.
 */
const STOP_MS = 9_000;
const say = (line: string) => process.stderr.write(`${line}\n`);
const shutdown = shutdownOf(STOP_MS, say);
endOnSignals(shutdown, say);
try {
  const config = readConfig();
  if (config.MONGODB_URI === null || config.SECRET_KEY === null) {
    throw new ConfigError("MONGODB_URI is not set: the API alone needs the address of a replica set. `npm start` brings an embedded one");
  }
  const log = createLog(config.LOG_LEVEL);
  const temporal = linkTemporal(temporalSettings(config));
  shutdown.add("The connection to Temporal", 1_000, temporal.close);
  const api = await startApi({
    port: config.PORT,
    host: config.HOST,
    mongodbUri: config.MONGODB_URI,
    secretKey: config.SECRET_KEY,
    retiredKeys: config.SECRET_KEYS_RETIRED,
    engine: engineOf(() => temporal.client()),
    settings: {
      publicUrl: config.PUBLIC_URL,
      trackUrl: config.TRACK_URL,
      egressAllow: config.EGRESS_ALLOW,
      allowInsecureMail: config.ALLOW_INSECURE_MAIL,
      providers: mailProviders(config),
      sheetsUrl: config.SHEETS_URL,
    },
    restoredFrom: config.RESTORED_FROM,
    log,
  });
  log.info({ port: api.port }, "listening");
  shutdown.add("The API", STOP_MS - 1_000, api.close);
} catch (err) {
  say(err instanceof Error ? err.message : String(err));
  process.exit(1);
}
