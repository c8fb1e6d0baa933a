import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programEnv } from "../../config.ts";
import { freePort } from "../../embedded/ports.ts";
import { until } from "../../test/fakes/wait.ts";
import { statusOf } from "../rig.ts";
import { median, type Row, spread } from "../table.ts";

const ROUNDS = 3;

/**
 * Measures `npm start` with downloaded server programs, first with a new data folder and then again with that folder.
 */
export async function run(): Promise<Row> {
  const [fresh, again]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const folder = await mkdtemp(join(tmpdir(), "outreach-bench-"));
    fresh.push(await startedIn(folder));
    again.push(await startedIn(folder));
    await rm(folder, { recursive: true, force: true });
  }
  const line = (what: string, seconds: number[]) => ({
    what,
    goal: "under 6 s",
    measured: `${median(seconds).toFixed(1)} s (${spread(seconds, 1)})`,
    met: median(seconds) < 6,
  });
  return {
    title: "npm start until the first answered request",
    how: `From the command to a 200 for GET /api/v1/whoami with the first key, ${ROUNDS} times each, asked every 15 to 100 ms. All but the first of these starts read what was compiled before.`,
    measured: [line("on a new data folder", fresh), line("on the data of a start before", again)],
  };
}

async function startedIn(folder: string): Promise<number> {
  const names = ["PORT", "MONGOD_PORT", "TEMPORAL_PORT", "TEMPORAL_UI_PORT", "METRICS_PORT"];
  const ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
  const env = { ...programEnv(), ...ports, DATA_DIR: folder, LOG_LEVEL: "error" };
  const keyFile = join(folder, "first-api-key");
  const started = performance.now();
  const child = spawn("npm", ["start"], { env, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const answered = async () => {
    if (!existsSync(keyFile)) return false;
    const key = (await readFile(keyFile, "utf8")).trim();
    return (
      (await statusOf(`http://127.0.0.1:${ports["PORT"]}/api/v1/whoami`, { Authorization: `Bearer ${key}` })) === 200
    );
  };
  await until(answered, { deadlineMs: 60_000, what: "npm start to answer", longestMs: 100 });
  const seconds = (performance.now() - started) / 1000;
  const ended = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
  await ended;
  return seconds;
}
