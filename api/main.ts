import { ConfigError, mailProviders, readConfig } from "../config.ts";
import { engineOf } from "../operations/engine.ts";
import { linkTemporal, temporalSettings } from "../worker/temporal.ts";
import { createLog } from "./log.ts";
import { startApi } from "./start.ts";

/** The API role alone: REST, unsubscribe pages, reference; workers run elsewhere. */
try {
  const config = readConfig();
  if (config.MONGODB_URI === null || config.SECRET_KEY === null) {
    throw new ConfigError("MONGODB_URI is not set: the API alone needs the address of a replica set. `npm start` brings an embedded one");
  }
  const log = createLog(config.LOG_LEVEL);
  const temporal = linkTemporal(temporalSettings(config));
  const api = await startApi({
    port: config.PORT,
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
  const stop = async () => {
    await api.close();
    await temporal.close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
} catch (err) {
  process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
  process.exitCode = 1;
}
