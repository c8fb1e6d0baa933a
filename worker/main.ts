import { ConfigError, readConfig } from "../config.ts";
import { keyRing } from "../domain/access/seal.ts";
import { disconnect } from "../models/connect.ts";
import { loadSigningKeys } from "../operations/access/signing-keys.ts";
import { openDatabase } from "../runtime/database.ts";
import { linkEngine } from "../runtime/engine.ts";
import { createLog } from "../runtime/log.ts";
import { runProgram, type Shutdown } from "../runtime/shutdown.ts";
import { startTracing } from "../runtime/tracing.ts";
import { startConfigured } from "./start.ts";

/** Milliseconds for the whole shutdown: the workers' grace period and a little more. */
const STOP_MS = 68_000;
/** Milliseconds to wait for opening the database; longer than the search for an unreachable server. */
const OPENING_MS = 5_000;

/** Runs only the worker role, for the queues in WORKER_QUEUES. The API runs elsewhere. */
await runProgram(STOP_MS, (line) => process.stderr.write(`${line}\n`), start);

async function start(shutdown: Shutdown): Promise<void> {
  const config = readConfig();
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
  });
  shutdown.add("The workers", STOP_MS - 2_000, running.stop);
}
