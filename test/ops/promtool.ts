import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { programEnv } from "../../config.ts";
import { cacheFolder, cacheThenRoads, type Road } from "../../embedded/programs/cache.ts";
import { find, onPath, type Program, versionCheck, type WriteLine } from "../../embedded/programs/find.ts";
import { runTool } from "../../embedded/programs/tool.ts";

const MODULE = fileURLToPath(new URL("promtool", import.meta.url));
const EXE = process.platform === "win32" ? ".exe" : "";

const PROMTOOL: Program = {
  name: "promtool",
  remedy: "Install Prometheus (apt-get install prometheus), or Go, by which it is built.",
  check: versionCheck(/version (\d+\.\d+\.\d+)/, [2, 40]),
};

/**
 * Finds Prometheus's checker: on PATH, in the cache, or built from its Go module, some five minutes.
 * @throws Error that says what was tried
 */
export async function findPromtool(log: WriteLine): Promise<string> {
  const env = programEnv();
  const sources = [
    onPath("promtool", env.PATH),
    ...cacheThenRoads(PROMTOOL, cacheFolder(env), [await fromGoModule(log)], log),
  ];
  return (await find(PROMTOOL, sources, log)).path;
}

/** go.sum pins every module, so the hash of both files identifies the program. */
async function fromGoModule(log: WriteLine): Promise<Road> {
  const files = await Promise.all(["go.mod", "go.sum"].map((file) => readFile(`${MODULE}/${file}`)));
  const sources = createHash("sha256").update(Buffer.concat(files)).digest("hex").slice(0, 12);
  return {
    name: "Go module",
    entry: `promtool-${sources}${EXE}`,
    async make(part) {
      const flags = ["-mod=readonly", "-trimpath", "-buildvcs=false"];
      // A plain build names no version, and the check of what was found asks for one
      const [, version = ""] = /prometheus\/prometheus v0\.(\d+)\.\d+/.exec(String(files[0])) ?? [];
      const named = `-s -w -X github.com/prometheus/common/version.Version=${Math.floor(Number(version) / 100)}.${Number(version) % 100}.0`;
      const args = [
        "build",
        ...flags,
        `-ldflags=${named}`,
        "-o",
        part,
        "github.com/prometheus/prometheus/cmd/promtool",
      ];
      await runTool(
        { doing: "Building promtool from its Go module, about five minutes", command: "go", args, cwd: MODULE },
        log,
      );
    },
  };
}
