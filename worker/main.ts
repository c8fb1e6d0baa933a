import { setTimeout as delay } from "node:timers/promises";
import { ConfigError, readConfig } from "../config.ts";
import { type KeyRing, keyRing } from "../domain/access/seal.ts";
import { connect, disconnect, ensureIndexes } from "../models/connect.ts";
import { load, type SigningKeys } from "../operations/access/signing-keys.ts";
import { createLog, type Log } from "../runtime/log.ts";
import { endOnSignals, shutdownOf } from "../runtime/shutdown.ts";
import { linkTemporal, temporalSettings } from "../temporal/link.ts";
import { startConfigured } from "./start.ts";

const RETRY_MS = 1_000;
/** The workers' own grace, and a little for the way. */
const STOP_MS = 68_000;

/** The worker role alone, of the queues in WORKER_QUEUES; the API runs elsewhere. */
const shutdown = shutdownOf(STOP_MS, say);
endOnSignals(shutdown, say);
try {
  await run();
} catch (err) {
  // A start that is interrupted fails somewhere: no news
  if (!shutdown.signal.aborted) {
    say(err instanceof Error ? err.message : String(err));
    process.exit(1);
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function run(): Promise<void> {
  const config = readConfig();
  const { MONGODB_URI, SECRET_KEY, TEMPORAL_ADDRESS } = config;
  if (MONGODB_URI === null || TEMPORAL_ADDRESS === null || SECRET_KEY === null) {
    throw new ConfigError(
      "MONGODB_URI and TEMPORAL_ADDRESS must be set: workers alone need both servers. `npm start` brings embedded ones",
    );
  }
  const log = createLog(config.LOG_LEVEL);
  const ring = keyRing(SECRET_KEY, config.SECRET_KEYS_RETIRED);
  const signing = await openDatabase(MONGODB_URI, ring, log);
  shutdown.add("The connection to MongoDB", 1_000, disconnect);
  const temporal = temporalSettings(config);
  const link = linkTemporal(temporal);
  shutdown.add("The connection to Temporal", 1_000, link.close);
  const services = { keyRing: ring, signing };
  const running = await startConfigured({ config, mongodbUri: MONGODB_URI, temporal, link, services, log, stopping: shutdown.signal });
  shutdown.add("The workers", STOP_MS - 2_000, running.stop);
}

async function openDatabase(uri: string, ring: KeyRing, log: Log): Promise<SigningKeys> {
  for (;;) {
    try {
      await connect(uri);
      await ensureIndexes();
      return await load(ring);
    } catch (err) {
      log.error({ err }, "The database does not answer: trying again");
      await disconnect();
      await delay(RETRY_MS);
    }
  }
}
