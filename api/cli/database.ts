import { programEnv, readConfig } from "../../config.ts";
import { type KeyRing, keyRing } from "../../domain/access/seal.ts";
import { ensureSecretKey } from "../../embedded/data-folder.ts";
import { runningMongod, startMongod } from "../../embedded/mongod.ts";
import { connect, disconnect, prepareDatabase } from "../../models/connect.ts";
import { loadAddressHash } from "../../operations/access/signing-keys.ts";

/**
 * Runs a command on the service's database: MONGODB_URI, or the embedded database of DATA_DIR, which is started if it
 * is not running. The result of `work` is the last line printed; an error is printed as one sentence with exit code 1.
 */
export async function onDatabase(work: Work): Promise<void> {
  try {
    console.log(await connected(work));
  } catch (err) {
    process.stderr.write(`${err instanceof Error ? err.message : String(err)}\n`);
    process.exitCode = 1;
  }
}

/** `openRing` reads the keys that encrypt secrets; most commands need none. */
type Work = (openRing: () => Promise<KeyRing>) => Promise<string>;

async function connected(work: Work): Promise<string> {
  const { MONGODB_URI, DATA_DIR, MONGOD_BIN, SECRET_KEY, SECRET_KEYS_RETIRED } = readConfig();
  const running = MONGODB_URI ?? (await runningMongod(DATA_DIR));
  // The secret key must exist before the first data: later starts do not create one
  if (running === null && SECRET_KEY === null) await ensureSecretKey(DATA_DIR);
  const options = { dataDir: DATA_DIR, port: 0, binary: MONGOD_BIN ?? undefined, env: programEnv(), log };
  const own = running === null ? await startMongod(options) : null;
  try {
    await connect(running ?? own?.uri ?? "");
    const openRing = async () => keyRing(SECRET_KEY ?? (await ensureSecretKey(DATA_DIR)), SECRET_KEYS_RETIRED);
    await prepare(openRing);
    return await work(openRing);
  } finally {
    await disconnect();
    await own?.stop();
  }
}

/** SIGTERM ends it after the current step. Without a handler, the first process of a container ignores the signal. */
async function prepare(openRing: () => Promise<KeyRing>): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGTERM", stop);
  try {
    await prepareDatabase(async () => loadAddressHash(await openRing()), { stopping: stopping.signal, say: log });
  } catch (err) {
    if (stopping.signal.aborted) throw new Error("Stopped before the database was ready: the next start continues");
    throw err;
  } finally {
    process.off("SIGTERM", stop);
  }
}

function log(line: string): void {
  process.stderr.write(`${line}\n`);
}
