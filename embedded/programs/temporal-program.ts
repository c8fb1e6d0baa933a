import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { cacheFolder, cacheThenRoads, type Road } from "./cache.ts";
import {
  type FoundProgram,
  find,
  onPath,
  type Program,
  type ProgramEnv,
  sourceFromVariable,
  versionCheck,
  type WriteLine,
} from "./find.ts";
import { runTool } from "./tool.ts";
import { archiveRoad, sdkRoad } from "./vendor.ts";

const TEMPORAL: Program = {
  name: "Temporal server",
  remedy:
    "Set TEMPORAL_BIN to the binary of a Temporal CLI with server 1.29 or newer, or TEMPORAL_ADDRESS to a server that runs already.",
  check: versionCheck(/Server (\d+\.\d+\.\d+)/, [1, 29]),
};

/** Only the server built from our Go module accepts a secret by which its web pages refuse strangers. */
const WITH_PAGES: Program = {
  name: "Temporal server with guarded web pages",
  remedy: "Install Go, which builds it, or remove TEMPORAL_UI to run without the pages.",
  check: versionCheck(/Server (\d+\.\d+\.\d+), guarded UI/, [1, 29], "answers everybody on its web pages"),
};

const CLI_VERSION = "v1.9.1";
const EXE = process.platform === "win32" ? ".exe" : "";
/** Packages that are compiled where none is cached. */
const PACKAGES = 1_700;
const MODULE = fileURLToPath(new URL("temporal-dev-server", import.meta.url));

export interface TemporalSearch {
  /** The value of TEMPORAL_BIN. */
  binary: string | undefined;
  env: ProgramEnv;
  log: WriteLine;
  /** Whether its web pages are needed, which the Temporal CLI shows to anyone. */
  withPages?: boolean;
}

/** Finds the Temporal CLI or a program with the same `server start-dev`. */
export async function findTemporal({ binary, env, log, withPages = false }: TemporalSearch): Promise<FoundProgram> {
  const program = withPages ? WITH_PAGES : TEMPORAL;
  const roads = [...(withPages ? [] : [vendor(log)]), await fromGoModules(log)];
  const sources = [
    sourceFromVariable("TEMPORAL_BIN", binary),
    onPath("temporal", env.PATH),
    ...cacheThenRoads(program, cacheFolder(env), roads, log),
  ];
  return find(program, sources, log);
}

/**
 * The hashes of the release's archives that other projects pin. Archives of other platforms come through the SDK, which
 * checks only the connection.
 */
const PINNED: Record<string, { file: string; sha256: string }> = {
  "linux-x64": {
    file: "linux_amd64.tar.gz",
    sha256: "09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5",
  },
  "win32-x64": {
    file: "windows_amd64.zip",
    sha256: "babb65844835045c91fb98930fe10b81de28db80c8c609180473d2c0b18c7589",
  },
};

function vendor(log: WriteLine): Road {
  const entry = `temporal-cli-${CLI_VERSION}${EXE}`;
  const pinned = PINNED[`${process.platform}-${process.arch}`];
  if (pinned === undefined) return sdkRoad({ entry, type: "dev-server", version: CLI_VERSION }, log);
  const release = `https://github.com/temporalio/cli/releases/download/${CLI_VERSION}`;
  const url = `${release}/temporal_cli_${CLI_VERSION.slice(1)}_${pinned.file}`;
  return archiveRoad({ name: "Temporal's release", entry, url, member: `temporal${EXE}`, sha256: pinned.sha256 }, log);
}

/** go.sum pins every module, so the hash of these files identifies the binary. */
async function fromGoModules(log: WriteLine): Promise<Road> {
  const files = await Promise.all(
    ["go.mod", "go.sum", "main.go", "pages.go"].map((file) => readFile(`${MODULE}/${file}`)),
  );
  const sources = createHash("sha256").update(Buffer.concat(files)).digest("hex").slice(0, 12);
  const version = /go\.temporal\.io\/server v(\S+)/.exec(String(files[0]))?.[1];
  return {
    name: "Go modules",
    entry: `temporal-dev-server-${version}-${sources}${EXE}`,
    async make(part) {
      const args = ["build", "-v", "-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", part, "."];
      const counts = {
        "modules downloaded": /^go: downloading /,
        [`of about ${PACKAGES} packages compiled`]: /^[^\s:]+$/,
      };
      await runTool(
        {
          doing: "Building a Temporal server from Go modules, about five minutes",
          command: "go",
          args,
          cwd: MODULE,
          counts,
        },
        log,
      );
    },
  };
}
