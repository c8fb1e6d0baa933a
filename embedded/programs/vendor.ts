import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Archive, fetchMember, request } from "./archive.ts";
import type { Road } from "./cache.ts";
import type { WriteLine } from "./find.ts";
import { runTool } from "./tool.ts";

/** How many milliseconds a machine that cannot reach the vendor waits. */
const PROBE_MS = 3_000;

export interface Vendor {
  name: string;
  entry: string;
  /** Requested first, with a time limit of three seconds. */
  url: string;
  /**
   * A script next to this file. It gets `args` and a folder, and prints the path of what it downloaded as its last
   * line.
   */
  script: string;
  args: string[];
}

/**
 * Uses the vendor's own downloader, in a separate process because it prints and leaves timers and native threads
 * behind.
 */
export function vendorRoad({ name, entry, url, script, args }: Vendor, log: WriteLine): Road {
  return {
    name,
    entry,
    async make(part) {
      await probe(url);
      const folder = await mkdtemp(join(dirname(part), "download-"));
      try {
        const path = fileURLToPath(new URL(script, import.meta.url));
        const command = ["--no-warnings", path, ...args, folder];
        const printed = await runTool({ doing: `Downloading ${entry}`, command: process.execPath, args: command }, log);
        await copyFile(printed.trim().split("\n").at(-1) ?? "", part);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Downloads an archive whose hash is known. */
export function archiveRoad(
  { name, entry, ...archive }: Archive & { name: string; entry: string },
  log: WriteLine,
): Road {
  return {
    name,
    entry,
    async make(part) {
      await probe(archive.url);
      await fetchMember(archive, part, log);
    },
  };
}

/** Downloads through Temporal's SDK. The SDK checks no hash, so only the connection vouches for the file. */
export function sdkRoad(
  of: { entry: string; type: "dev-server" | "time-skipping"; version: string },
  log: WriteLine,
): Road {
  const args = [of.type, of.version];
  const url = "https://temporal.download/";
  return vendorRoad({ name: "Temporal's download", entry: of.entry, url, script: "download-temporal.ts", args }, log);
}

/** Throws within three seconds when the host does not answer. Any answer is good enough. */
async function probe(url: string): Promise<void> {
  try {
    await request(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) }, async () => {});
  } catch (err) {
    throw new Error(`${new URL(url).host} does not answer`, { cause: err });
  }
}
