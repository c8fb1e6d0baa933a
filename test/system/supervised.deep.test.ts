import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { isAlive, liveRecord } from "../../embedded/pid-file.ts";
import { accepts } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";
import { environmentOf, portsOf } from "../support/service.ts";

/**
 * `npm start` under a supervisor that starts and ends it: npm, its shell and the service are three processes, the
 * servers two more.
 */
const WITHIN = { deadlineMs: 40_000 };
let DATA_DIR: string;
let PORTS: Record<string, string>;
let npm: Running | null = null;

interface Running {
  child: ChildProcess;
  output(): string;
  /** Of npm, the shell it runs the script in, and the service; the servers by name. */
  pids: { npm: number; shell: number; service: number; mongod: number; temporal: number };
}

beforeAll(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), "outreach-supervised-"));
  PORTS = await portsOf();
});

afterEach(async () => {
  if (npm !== null) for (const pid of Object.values(npm.pids).reverse()) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  npm = null;
});

afterAll(() => rm(DATA_DIR, { recursive: true, force: true }));

async function start(command = "npm", args = ["start"]): Promise<Running> {
  const env = environmentOf({ ...PORTS, DATA_DIR, WORKER_QUEUES: "webhook" });
  const child = spawn(command, args, { env, detached: true });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
  }
  await until(() => text.includes("workers ready") || child.exitCode !== null, {
    deadlineMs: 60_000,
    what: "the service",
  });
  const [mongod, temporal] = await Promise.all(["mongod", "temporal"].map((name) => liveRecord(DATA_DIR, name)));
  if (!mongod || !temporal) throw new Error(`It did not start:\n${text}`);
  const service = mongod.parent;
  npm = {
    child,
    output: () => text,
    pids: { ...(await aboveOf(service)), service, mongod: mongod.pid, temporal: temporal.pid },
  };
  return npm;
}

/** npm, and the shell below it; a shell that became the service is the service. */
async function aboveOf(service: number): Promise<{ npm: number; shell: number }> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,args="]);
  const rows = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  const parents = new Map(rows.map((row) => [Number(row?.[1]), Number(row?.[2])]));
  const npms = new Set(rows.filter((row) => row?.[3]?.startsWith("npm start")).map((row) => Number(row?.[1])));
  const above = parents.get(service) ?? 0;
  if (npms.has(above)) return { npm: above, shell: service };
  const top = parents.get(above) ?? 0;
  if (!npms.has(top)) throw new Error(`No npm above process ${service}`);
  return { npm: top, shell: above };
}

async function gone({ pids, child }: Running): Promise<void> {
  const left = () => Object.entries(pids).filter(([, pid]) => isAlive(pid));
  await until(() => left().length === 0, { ...WITHIN, what: "all five processes to end" }).catch((error) => {
    throw new Error(`Left: ${JSON.stringify(left())}`, { cause: error });
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  // A server that ended before the service was started again, and ends behind it
  const isQuiet = async () =>
    !(await Promise.all(Object.values(PORTS).map((port) => accepts(Number(port))))).includes(true);
  await until(isQuiet, { ...WITHIN, what: "the ports to be free" });
}

/** Requests one after the other, each worth a line of log, as long as anybody answers. */
async function keepAsking(signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    await fetch(`http://127.0.0.1:${PORTS["PORT"]}/api/v1/whoami`, { signal }).catch(() => delay(20));
}

/** A mongod that ended in order leaves its lock empty. */
async function expectTidy(): Promise<void> {
  expect(await readFile(join(DATA_DIR, "mongod", "mongod.lock"), "utf8")).toBe("");
}

const ENDS = [
  ["SIGTERM", "npm"],
  ["SIGKILL", "shell"],
  ["SIGKILL", "npm"],
  ["SIGTERM", "shell"],
] as const;

test.each(ENDS)(
  "sending %s to the %s of `npm start` shuts down the service and its servers cleanly",
  async (signal, which) => {
    const running = await start();
    process.kill(running.pids[which], signal);
    await gone(running);
    await expectTidy();
  },
  120_000,
);

test("all processes end cleanly when a supervisor signals all of them at the same time", async () => {
  const running = await start();
  // The first to end takes others with it
  for (const pid of Object.values(running.pids)) if (isAlive(pid)) process.kill(pid, "SIGTERM");
  await gone(running);
  await expectTidy();
}, 120_000);

test("closing the terminal ends all processes cleanly, even while the service writes logs", async () => {
  const running = await start("script", ["-qefc", "npm start", "/dev/null"]);
  const asking = new AbortController();
  const asked = keepAsking(asking.signal);
  running.child.kill("SIGKILL");
  await gone(running);
  asking.abort();
  await asked;
  await expectTidy();
}, 120_000);

test("the service keeps running after the shell that started `npm start` in the background exits", async () => {
  const running = await start("sh", ["-c", "npm start & read -r _"]);
  running.child.stdin?.end();
  await once(running.child, "exit");
  const answer = async () => (await fetch(`http://127.0.0.1:${PORTS["PORT"]}/healthz`)).status;
  // Longer than the end of a parent goes unnoticed
  const since = Date.now();
  await until(() => Date.now() - since > 3_000, { ...WITHIN, what: "some seconds" });
  expect(await answer()).toBe(200);
  process.kill(running.pids.npm, "SIGTERM");
  await gone(running);
}, 120_000);

test("the service keeps running, and later ends cleanly, after the reader of its output has gone", async () => {
  const running = await start();
  for (const stream of [running.child.stdout, running.child.stderr]) stream?.destroy();
  const status = async () => (await fetch(`http://127.0.0.1:${PORTS["PORT"]}/api/v1/whoami`)).status;
  for (let requests = 0; requests < 20; requests++) expect(await status()).toBe(401);
  process.kill(running.pids.npm, "SIGTERM");
  await gone(running);
  await expectTidy();
}, 120_000);

test("a start right after a stop waits for the earlier service to end and continues with the same data", async () => {
  const first = await start();
  process.kill(first.pids.npm, "SIGTERM");
  await once(first.child, "exit");
  const second = await start();
  expect(second.pids.service).not.toBe(first.pids.service);
  await until(() => !isAlive(first.pids.service), { ...WITHIN, what: "the first to end" });
  process.kill(second.pids.npm, "SIGTERM");
  await gone(second);
  await expectTidy();
}, 120_000);
