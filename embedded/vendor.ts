import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Road } from "./cache.ts";
import type { Log } from "./find.ts";
import { runTool } from "./tool.ts";

/** How long a machine without the vendor's network waits for it. */
const PROBE_MS = 3_000;

export interface Vendor {
  name: string;
  entry: string;
  /** Asked first, for three seconds at most. */
  url: string;
  /** A script beside this file; it is given `args` and a folder, and prints the path of what it fetched as its last line. */
  script: string;
  args: string[];
}

/** The vendor's own downloader, in a process of its own: it prints, and leaves timers and native threads behind. */
export function vendorRoad({ name, entry, url, script, args }: Vendor, log: Log): Road {
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

/** Throws within three seconds when the host does not answer; what it answers is of no interest. */
async function probe(url: string): Promise<void> {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
  } catch (err) {
    throw new Error(`${new URL(url).host} does not answer`, { cause: err });
  }
}
