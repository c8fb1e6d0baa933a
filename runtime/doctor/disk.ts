import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { SetupFinding } from "../../domain/readiness.ts";
import { fail, ok, skip, warn } from "./finding.ts";

const CHECK = "Disk space";
const GIGABYTE = 1e9;
const [WARN_BYTES, FAIL_BYTES] = [5 * GIGABYTE, GIGABYTE];

/** Whether the data folder of the embedded servers has room. Null: both servers are external. */
export async function checkDisk(
  dataDir: string | null,
  loadFreeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<SetupFinding> {
  if (dataDir === null) return skip(CHECK, "the servers are not embedded, so they have their own disks");
  const bytes = await loadFreeBytes(existingFolder(resolve(dataDir))).catch(() => null);
  if (bytes === null) return skip(CHECK, "this user may not look at the disk of the data folder");
  const found = `${(bytes / GIGABYTE).toFixed(1)} GB are free for the data folder`;
  const advice = "Free space, or move the data folder to a larger disk and set DATA_DIR";
  if (bytes < FAIL_BYTES) return fail(CHECK, found, advice);
  return bytes < WARN_BYTES ? warn(CHECK, found, advice) : ok(CHECK, found);
}

/** The first start makes the folder, on the disk of the folder above it. */
function existingFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingFolder(dirname(folder));
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
