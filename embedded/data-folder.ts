import { chmod, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "./find.ts";

/** What the service and its servers put there, by its whole name; `lost+found` is the file system's. */
const OURS =
  /^(mongod|(mongod|temporal)\.(log|log\.old|lock|lock-journal|pid|pid\.part)|temporal\.db(-wal|-shm)?|secret-key|first-api-key|ending|lost\+found)$/;

/**
 * The data folder, for nobody but its owner, and everything written from here on, by servers too. Keys, mails and logs were open to
 * others in a folder of an older version: what it holds is closed as well. What is in MongoDB's own folder is MongoDB's.
 */
export async function ownFolder(dataDir: string, log: Log): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await close(dataDir, log);
  } catch (err) {
    const why = err instanceof Error && "code" in err ? err.code : err;
    log(`${dataDir} cannot be kept from other users of this machine (${why}): it belongs to somebody else`);
  }
}

async function close(dataDir: string, log: Log): Promise<void> {
  const names = await readdir(dataDir);
  for (const name of names.filter((entry) => OURS.test(entry) && entry !== "lost+found")) {
    const path = join(dataDir, name);
    const found = await lstat(path);
    // What a link leads to is not in this folder
    if (!found.isSymbolicLink()) await chmod(path, found.isDirectory() ? 0o700 : 0o600);
  }
  const foreign = names.find((name) => !OURS.test(name));
  if (foreign === undefined) await chmod(dataDir, 0o700);
  else if (((await lstat(dataDir)).mode & 0o077) > 0) {
    log(`${dataDir} holds other things too, such as ${foreign}, and stays open to others: DATA_DIR is best a folder of its own`);
  }
}
