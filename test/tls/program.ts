import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { programEnv } from "../../config.ts";
import { cacheFolder, cacheThenRoads, type Road } from "../../embedded/programs/cache.ts";
import { type FoundProgram, find, onPath, type Program, type WriteLine } from "../../embedded/programs/find.ts";
import { runTool } from "../../embedded/programs/tool.ts";

const CADDY: Program = {
  name: "Caddy",
  remedy: "Install Caddy (apt-get install caddy).",
  async check(path) {
    const { stdout } = await promisify(execFile)(path, ["version"], { timeout: 15_000 });
    const [, version = "", major = 0, minor = 0] = /^v?((\d+)\.(\d+)\.\d+)/.exec(stdout) ?? [];
    if (Number(major) !== 2 || Number(minor) < 6)
      throw new Error(`${path} is ${version || "of no known version"}, and 2.6 or later is needed`);
    return version;
  },
};

/**
 * Finds Caddy: on PATH, in the cache, or in apt's package, of which only the program is unpacked: nothing is installed
 * or started.
 * @throws Error that says what was tried
 */
export function findCaddy(log: WriteLine): Promise<FoundProgram> {
  const env = programEnv();
  return find(CADDY, [onPath("caddy", env.PATH), ...cacheThenRoads(CADDY, cacheFolder(env), [fromApt(log)], log)], log);
}

function fromApt(log: WriteLine): Road {
  return {
    name: "apt",
    entry: "caddy-of-apt",
    async make(part) {
      const folder = await mkdtemp(join(tmpdir(), "outreach-caddy-"));
      try {
        await runTool(
          { doing: "Getting Caddy from apt", command: "apt-get", args: ["-q", "download", "caddy"], cwd: folder },
          log,
        );
        const [archive = ""] = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
        await runTool({ doing: "Unpacking it", command: "dpkg", args: ["-x", archive, "."], cwd: folder }, log);
        await copyFile(join(folder, "usr/bin/caddy"), part);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
