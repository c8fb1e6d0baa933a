import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The key that seals secrets. It is stored next to the embedded database and made by the first start.
 * @throws Error when the database exists but its key does not, because a new key would open nothing.
 */
export async function ensureSecretKey(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret-key");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  if (existsSync(join(dataDir, "mongod"))) {
    throw new Error(`${file} is missing, and the data in ${dataDir} opens with no other: put it back, or set SECRET_KEY to what it held`);
  }
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  return ensureSecretKey(dataDir);
}
