import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { chmod, copyFile, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Connection } from "@temporalio/client";
import { accepts, freePort } from "./ports.ts";
import { cacheFolder, cacheThenRoads, type Road } from "./programs/cache.ts";
import {
  type FoundProgram,
  find,
  onPath,
  type Program,
  type ProgramEnv,
  sourceFromVariable,
  type WriteLine,
} from "./programs/find.ts";
import { runTool } from "./programs/tool.ts";
import { archiveRoad, sdkRoad } from "./programs/vendor.ts";

const TEST_SERVER: Program = {
  name: "Temporal time-skipping test server",
  remedy: "Set TEMPORAL_TEST_SERVER to its binary, or install Java 17 and Maven.",
  check: versionOf,
};

const VERSION = "1.38.0";
const PARTS = fileURLToPath(new URL("temporal-test-server", import.meta.url));
const COPY_JARS = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/**
 * Finds the time-skipping server, and fetches it if necessary. `path` is meant for `existing-path` of
 * @temporalio/testing. `binary` is the value of TEMPORAL_TEST_SERVER.
 */
export function findTestServer(binary: string | undefined, env: ProgramEnv, log: WriteLine): Promise<FoundProgram> {
  const roads = [vendor(log), fromMaven(log)];
  const sources = [
    sourceFromVariable("TEMPORAL_TEST_SERVER", binary),
    onPath("temporal-test-server", env.PATH),
    ...cacheThenRoads(TEST_SERVER, cacheFolder(env), roads, log),
  ];
  return find(TEST_SERVER, sources, log);
}

/**
 * The Java server accepts only a port and fails on `--version`. Its error message proves that it is the server, but not
 * which version.
 */
async function versionOf(path: string): Promise<string> {
  const answer = await promisify(execFile)(path, ["--version"], { timeout: 15_000 }).then(
    ({ stdout }) => stdout,
    (err: Error & { stderr?: string }) => {
      if (err.stderr?.includes('For input string: "--version"')) return "temporal-test-server-unknown";
      throw err;
    },
  );
  const version = /temporal-test-server-(\S+)/.exec(answer)?.[1];
  if (!version) throw new Error(`${path} is not a Temporal test server`);
  return version;
}

/**
 * The hash of the one archive of the release that other projects pin. On other platforms the SDK downloads it and
 * checks only the connection.
 */
const LINUX_X64 = "41df834fe8e1ac59619e13908f41b63e4d1054f37634a2f89033d8cf6af71b96";

function vendor(log: WriteLine): Road {
  const entry = `temporal-test-server-v${VERSION}${process.platform === "win32" ? ".exe" : ""}`;
  if (`${process.platform}-${process.arch}` !== "linux-x64")
    return sdkRoad({ entry, type: "time-skipping", version: `v${VERSION}` }, log);
  const folder = `temporal-test-server_${VERSION}_linux_amd64`;
  const url = `https://github.com/temporalio/sdk-java/releases/download/v${VERSION}/${folder}.tar.gz`;
  return archiveRoad(
    { name: "Temporal's release", entry, url, member: `${folder}/temporal-test-server`, sha256: LINUX_X64 },
    log,
  );
}

function fromMaven(log: WriteLine): Road {
  return {
    name: "Maven with Java",
    entry: `temporal-test-server-${VERSION}-java`,
    member: "run.sh",
    async make(part) {
      if (process.platform === "win32") throw new Error("its start script needs a POSIX shell");
      await runTool({ doing: "Looking for Java", command: "java", args: ["-version"] }, log);
      const lib = join(part, "lib");
      const args = [
        "-B",
        "-C",
        "-f",
        join(PARTS, "pom.xml"),
        COPY_JARS,
        "-DincludeScope=runtime",
        `-DoutputDirectory=${lib}`,
      ];
      await runTool({ doing: "Fetching the Temporal test server from Maven", command: "mvn", args }, log);
      await verify(lib);
      await copyFile(join(PARTS, "run.sh"), join(part, "run.sh"));
      await chmod(join(part, "run.sh"), 0o755);
      await archiveClasses(part, log);
    },
  };
}

/** Refuses a folder whose files differ from jars.sha256. */
async function verify(lib: string): Promise<void> {
  const listed = (await readFile(join(PARTS, "jars.sha256"), "utf8")).trim().split("\n");
  const present = await Promise.all((await readdir(lib)).map((file) => checksumLine(lib, file)));
  const unlike = [
    ...listed.filter((line) => !present.includes(line)),
    ...present.filter((line) => !listed.includes(line)),
  ];
  if (unlike.length > 0) throw new Error(`Maven's files differ from jars.sha256: ${unlike.join(", ")}`);
}

/** A line in the format of sha256sum. */
async function checksumLine(folder: string, file: string): Promise<string> {
  const hash = createHash("sha256").update(await readFile(join(folder, file)));
  return `${hash.digest("hex")}  ${file}`;
}

/**
 * Runs the server once so that Java stores its loaded classes, which halves the time of every later start. It may fail.
 */
async function archiveClasses(folder: string, log: WriteLine): Promise<void> {
  const port = await freePort();
  const jars = (await readdir(join(folder, "lib"))).sort().map((jar) => `lib/${jar}:`);
  const flags = ["-XX:+UseSerialGC", "-XX:ArchiveClassesAtExit=classes.jsa", "-cp", jars.join("")];
  const java = spawn("java", [...flags, "io.temporal.testserver.TestServer", String(port)], {
    cwd: folder,
    stdio: "ignore",
  });
  const ended = once(java, "exit");
  try {
    while (!(await accepts(port))) {
      if (java.exitCode !== null) throw new Error(`exit code ${java.exitCode}`);
      await delay(50);
    }
    const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
    await connection.close();
  } catch (err) {
    log(`The Temporal test server could not store its class archive: ${err}`);
  } finally {
    java.kill("SIGTERM");
    await ended;
  }
}
