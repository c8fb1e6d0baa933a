import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readTimings, type Timing, writeTimings } from "./timings.ts";

/**
 * `npm run test:record [-- <files or options of Jest>]`: runs the tests of both tiers, or the named ones, and rewrites
 * `test/timings.json`: seconds by file, which order and shards follow, and the files that each test reaches, which
 * `npm run test:changed` reads. Recording makes a run somewhat slower. Record on a quiet machine with two cores.
 */
const folder = await mkdtemp(join(tmpdir(), "outreach-recordings-"));
try {
  const args = ["--no-warnings", "node_modules/jest/bin/jest.js", ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, TEST_RECORDINGS: folder } });
  const [code] = await once(child, "exit");
  const recorded = await Promise.all(
    (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8"))),
  );
  const kept = Object.entries(readTimings()).filter(([path]) => existsSync(path));
  const fresh = recorded.map(({ path, ...timing }: Timing & { path: string }) => [path, timing] as const);
  writeTimings(Object.fromEntries([...kept, ...fresh]));
  console.log(`test/timings.json: ${fresh.length} files recorded, ${Object.keys(readTimings()).length} known`);
  process.exitCode = code ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
