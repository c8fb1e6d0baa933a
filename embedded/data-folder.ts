import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WriteLine } from "./programs/find.ts";

/**
 * The names of everything that the service and its servers create in the folder. `lost+found` belongs to the file
 * system.
 */
const OURS =
  /^(mongod|(mongod|temporal)\.(log|log\.old|lock|lock-journal|pid|pid\.part)|temporal\.db(-wal|-shm)?|secret-key|first-(api-key|sign-in)|ending|lost\+found)$/;

/**
 * Makes the data folder, and everything that this process and its servers write from now on, accessible only to its
 * owner. Older versions left keys, emails and logs readable for others, so the access to existing files is restricted
 * as well. The contents of MongoDB's own folder are left to MongoDB.
 */
export async function ownFolder(dataDir: string, log: WriteLine): Promise<void> {
  process.umask(0o077);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    await close(dataDir, log);
  } catch (err) {
    const why = err instanceof Error && "code" in err ? err.code : err;
    log(`Other users of this machine can still read ${dataDir} (${why}), because it belongs to another user`);
  }
}

async function close(dataDir: string, log: WriteLine): Promise<void> {
  const names = await readdir(dataDir);
  for (const name of names.filter((entry) => OURS.test(entry) && entry !== "lost+found")) {
    const path = join(dataDir, name);
    const found = await lstat(path);
    // A link's target is not in this folder
    if (!found.isSymbolicLink()) await chmod(path, found.isDirectory() ? 0o700 : 0o600);
  }
  const foreign = names.find((name) => !OURS.test(name));
  if (foreign === undefined) await chmod(dataDir, 0o700);
  else if (((await lstat(dataDir)).mode & 0o077) > 0) {
    log(
      `${dataDir} also contains other files, such as ${foreign}, so other users can still read it: use a separate folder for DATA_DIR`,
    );
  }
}

/**
 * The key that seals secrets. It is stored next to the embedded database and made by the first start.
 * @throws Error when the database exists but its key does not, because a new key would open nothing.
 */
export async function ensureSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret-key");
  const stored = await readSecretKey(dataDir);
  if (stored !== null) return stored;
  if (existsSync(join(dataDir, "mongod"))) {
    throw new Error(
      `${file} is missing, and no other key opens the data in ${dataDir}: restore the file, or set SECRET_KEY to the key that was in it`,
    );
  }
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  return ensureSecretKey(dataDir);
}

/** The stored key; null before the first start. */
export async function readSecretKey(dataDir: string): Promise<string | null> {
  const file = join(dataDir, "secret-key");
  return existsSync(file) ? (await readFile(file, "utf8")).trim() : null;
}
