import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ConsoleFiles } from "../api/console/pages.ts";
import { programEnv } from "../config.ts";
import { loadConsoleKey } from "./console-key.ts";
import type { Log } from "./log.ts";

const ROOT = join(import.meta.dirname, "..");
/** Where `npm run console:build` and images put it. */
const DIST = join(ROOT, "console/dist");
/** The build key while a developer works on the console: the newest build is always served. */
export const DEVELOPMENT = "development";
const NAME = /^console-[0-9a-f]{16}$/;

/**
 * Finds the console of these sources: prebuilt, or built by an earlier start, or by a child of this process that builds
 * it into `cache` while everything else starts. A finished build never changes, so a process keeps the page that it
 * serves.
 */
export function findConsole(cache: string, log: Log, stopping: AbortSignal): ConsoleFiles {
  let [folders, state]: [readonly string[], ReturnType<ConsoleFiles["state"]>] = [[], "BUILDING"];
  const opened = open(cache, log, stopping).then(
    (found) => {
      folders = found ?? [];
      state = found === null ? "ABSENT" : "READY";
    },
    (err: unknown) => {
      state = "ABSENT";
      if (!stopping.aborted) log.error({ err }, "the console could not be built");
    },
  );
  void opened;
  return { folders: () => folders, state: () => state };
}

/** The folders to serve from, the current one first; null where there is no build and no tool to build it. */
async function open(cache: string, log: Log, stopping: AbortSignal): Promise<string[] | null> {
  const key = await loadConsoleKey();
  const prebuilt = await keyOfDist();
  const canBuild = hasBundler();
  if (prebuilt !== null && (prebuilt === key || prebuilt === DEVELOPMENT || !canBuild))
    return [DIST, ...(await earlier(cache, ""))];
  const folder = join(cache, `console-${key}`);
  if (!existsSync(join(folder, "index.html"))) {
    if (!canBuild) return null;
    log.info("building the console");
    await build(folder, stopping);
  }
  return [folder, ...(await earlier(cache, `console-${key}`))];
}

async function keyOfDist(): Promise<string | null> {
  return readFile(join(DIST, "key"), "utf8").catch(() => null);
}

/** Images contain no build tools, because they contain the build. */
function hasBundler(): boolean {
  try {
    return existsSync(dirname(createRequire(import.meta.url).resolve("vite/package.json")));
  } catch {
    return false;
  }
}

/** The previous builds, the latest first. */
async function earlier(cache: string, current: string): Promise<string[]> {
  const names = (await readdir(cache).catch(() => [])).filter((name) => NAME.test(name) && name !== current);
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(cache, name))).mtimeMs })));
  return aged.toSorted((one, other) => other.at - one.at).map(({ name }) => join(cache, name));
}

async function build(folder: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, ["--no-warnings", join(ROOT, "console/build.ts"), folder], {
    stdio: ["ignore", "ignore", "pipe"],
    // Always production, or tests would get another bundle than users
    env: { ...programEnv(), NODE_ENV: "production" },
    signal,
  });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    words = `${words}${part}`.slice(-2_000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`console/build.ts ended with ${code}: ${words.trim()}`);
}
