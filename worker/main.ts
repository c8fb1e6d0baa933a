import { ConfigError, readConfig } from "../config.ts";
import { keyRing } from "../domain/access/seal.ts";
import { SECOND_MS } from "../domain/time/durations.ts";
import { disconnect } from "../models/connect.ts";
import { loadSigningKeys } from "../operations/access/signing-keys.ts";
import { openDatabase } from "../runtime/database.ts";
import { linkEngine } from "../runtime/engine.ts";
import { createLog } from "../runtime/log.ts";
import { runProgram, type Shutdown } from "../runtime/shutdown.ts";
import { startTracing } from "../runtime/tracing.ts";
import { startConfigured } from "./start.ts";

/** Milliseconds of the shutdown that are left when an email in flight must have ended. */
const AFTER_GRACE_MS = 8_000;
/** Milliseconds to wait for opening the database; longer than the search for an unreachable server. */
const OPENING_MS = 5_000;

/** Milliseconds for the whole shutdown, once the settings are read. */
let stopMs = AFTER_GRACE_MS;

/** Runs only the worker role, for the queues in WORKER_QUEUES. The API runs elsewhere. */
await runProgram(
  () => stopMs,
  (line) => process.stderr.write(`${line}\n`),
  start,
);

async function start(shutdown: Shutdown): Promise<void> {
  const config = readConfig();
  stopMs = config.WORKER_STOP_SECONDS * SECOND_MS;
  const { MONGODB_URI, SECRET_KEY, TEMPORAL_ADDRESS } = config;
  if (MONGODB_URI === null || TEMPORAL_ADDRESS === null || SECRET_KEY === null) {
    throw new ConfigError(
      "MONGODB_URI and TEMPORAL_ADDRESS must be set: workers alone need both servers. `npm start` brings embedded ones",
    );
  }
  const log = createLog(config.LOG_LEVEL);
  const ring = keyRing(SECRET_KEY, config.SECRET_KEYS_RETIRED);
  const opening = openDatabase(MONGODB_URI, ring, log, shutdown.signal, () => loadSigningKeys(ring));
  // Ending a process while it prepares the database would make the other processes wait
  shutdown.add("The connection to MongoDB", OPENING_MS, () => opening.catch(() => {}).then(disconnect));
  const signing = await opening;
  await startTracing(config, shutdown);
  const { settings: temporal, link } = linkEngine(config, shutdown);
  const services = { keyRing: ring, signing };
  const running = await startConfigured({
    config,
    mongodbUri: MONGODB_URI,
    temporal,
    link,
    services,
    log,
    stopping: shutdown.signal,
    graceMs: stopMs - AFTER_GRACE_MS,
  });
  shutdown.add("The workers", stopMs - 2_000, running.stop);
}
