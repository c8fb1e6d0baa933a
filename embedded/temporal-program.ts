import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder, cacheThenRoads, type Road } from "./cache.ts";
import { type Env, type Found, find, type Log, named, onPath, type Program, versionCheck } from "./find.ts";
import { runTool } from "./tool.ts";
import { vendorRoad } from "./vendor.ts";

const TEMPORAL: Program = {
  name: "Temporal server",
  remedy: "Set TEMPORAL_BIN to the binary of a Temporal CLI with server 1.29 or newer, or TEMPORAL_ADDRESS to a server that runs already.",
  check: versionCheck(/Server (\d+\.\d+\.\d+)/, [1, 29]),
};

const CLI_VERSION = "v1.9.1";
const EXE = process.platform === "win32" ? ".exe" : "";
const MODULE = fileURLToPath(new URL("temporal-dev-server", import.meta.url));

/** Finds the Temporal CLI or a program with the same `server start-dev`. `binary` is the value of TEMPORAL_BIN. */
export async function findTemporal(binary: string | undefined, env: Env, log: Log): Promise<Found> {
  const roads = [vendor(log), await fromGoModules(log)];
  const sources = [named("TEMPORAL_BIN", binary), onPath("temporal", env.PATH), ...cacheThenRoads(TEMPORAL, cacheFolder(env), roads, log)];
  return find(TEMPORAL, sources, log);
}

function vendor(log: Log): Road {
  const entry = `temporal-cli-${CLI_VERSION}${EXE}`;
  const args = ["dev-server", CLI_VERSION];
  return vendorRoad({ name: "Temporal's download", entry, url: "https://temporal.download/", script: "download-temporal.ts", args }, log);
}

/** go.sum pins every module, so the hash of these three files names the binary. */
async function fromGoModules(log: Log): Promise<Road> {
  const files = await Promise.all(["go.mod", "go.sum", "main.go"].map((file) => readFile(`${MODULE}/${file}`)));
  const sources = createHash("sha256").update(Buffer.concat(files)).digest("hex").slice(0, 12);
  const version = /go\.temporal\.io\/server v(\S+)/.exec(String(files[0]))?.[1];
  return {
    name: "Go modules",
    entry: `temporal-dev-server-${version}-${sources}${EXE}`,
    async make(part) {
      const args = ["build", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", part, "."];
      await runTool({ doing: "Building a Temporal server from Go modules, about five minutes", command: "go", args, cwd: MODULE }, log);
    },
  };
}
