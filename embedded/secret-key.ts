import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The key that seals secrets, kept beside the embedded database; made by the first start.
 * @throws Error when the database is there and its key is not: a new one would open nothing.
 */
export async function secretKeyOf(dataDir: string): Promise<string> {
  const file = join(dataDir, "secret-key");
  if (existsSync(file)) return (await readFile(file, "utf8")).trim();
  if (existsSync(join(dataDir, "mongod"))) {
    throw new Error(`${file} is missing, and the data in ${dataDir} opens with no other: put it back, or set SECRET_KEY to what it held`);
  }
  await mkdir(dataDir, { recursive: true });
  await writeFile(file, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  return secretKeyOf(dataDir);
}
