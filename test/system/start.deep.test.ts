import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { programEnv } from "../../config.ts";
import { liveRecord } from "../../embedded/pid-file.ts";
import { accepts } from "../../embedded/ports.ts";
import { findMongod } from "../../embedded/programs/mongod-program.ts";
import { until } from "../fakes/wait.ts";
import { type RestAnswer, restOf } from "../support/rest.ts";
import { firstKeyIn, firstLinkIn, portsOf, runService, type Service } from "../support/service.ts";

const DATA_DIR = mkdtempSync(join(tmpdir(), "outreach-start-"));
const PORTS = await portsOf();
/** While this file is there, no MongoDB comes up. */
const HOLD = join(DATA_DIR, "hold");
const MONGOD_BIN = await heldMongod();
const running: Service[] = [];
let key = "";
let link = "";

afterAll(async () => {
  for (const service of running) await service.end("SIGKILL", 30_000);
  for (const name of ["mongod", "temporal"]) await gone(name);
  rmSync(DATA_DIR, { recursive: true, force: true });
});

/** Without the queue whose worker builds the bundle of workflows: the first start shows that it comes up. */
function start(more: Record<string, string> = {}, nodeOptions: readonly string[] = []): Service {
  const service = runService({ ...PORTS, DATA_DIR, MONGOD_BIN, WORKER_QUEUES: "webhook", ...more }, nodeOptions);
  running.push(service);
  return service;
}

async function heldMongod(): Promise<string> {
  const { path } = await findMongod(process.env["MONGOD_BIN"], programEnv(), () => {});
  const script = join(DATA_DIR, "mongod.sh");
  writeFileSync(
    script,
    `#!/bin/sh\nif [ -e "${HOLD}" ] && [ "$1" != --version ]; then exit 1; fi\nexec "${path}" "$@"\n`,
    { mode: 0o755 },
  );
  return script;
}

function whoami(): Promise<RestAnswer> {
  return restOf(`http://127.0.0.1:${PORTS["PORT"]}/api/v1`, key).get("/whoami");
}

function gone(name: string): Promise<boolean> {
  const what = `${name} to end with the service`;
  return until(async () => (await liveRecord(DATA_DIR, name)) === null, { deadlineMs: 40_000, what });
}

async function kill(name: string): Promise<void> {
  const record = await liveRecord(DATA_DIR, name);
  if (record === null) throw new Error(`${name} does not run`);
  process.kill(record.pid, "SIGKILL");
}

test("the first start prints its address, the file with a working API key and a command to try, and never the key itself", async () => {
  const service = start({ WORKER_QUEUES: "" });
  const file = join(DATA_DIR, "first-api-key");
  await service.says(new RegExp(`API key: in ${file}`));
  key = firstKeyIn(DATA_DIR);
  link = firstLinkIn(DATA_DIR);
  await service.says(new RegExp(`Try: curl .*cat ${file}.* http://localhost:${PORTS["PORT"]}/api/v1/whoami`));
  const answer = await whoami();
  expect(answer.status).toBe(200);
  expect(answer.body.scopes).toHaveLength(41);
  await service.says(/workers ready/);
  const metrics = async () => (await fetch(`http://127.0.0.1:${PORTS["METRICS_PORT"]}/metrics`)).text();
  const overdue = async () => /^outreach_recipients_overdue(?:\{.*\})? (\d+)$/m.exec(await metrics())?.[1];
  expect(await until(overdue, { deadlineMs: 40_000, what: "the count of whoever is overdue" })).toBe("0");
  expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: "ready", recipientsOverdue: 0 });
  expect(service.output()).not.toContain("ocp_live");
});

test("without MongoDB the API answers 503 and stays alive, and MongoDB and Temporal are restarted automatically after a crash", async () => {
  writeFileSync(HOLD, "");
  await kill("mongod");
  const readyz = async () => (await fetch(`http://127.0.0.1:${PORTS["PORT"]}/readyz`)).json();
  await until(async () => (await whoami()).status === 503, { deadlineMs: 40_000, what: "503 without MongoDB" });
  expect((await fetch(`http://127.0.0.1:${PORTS["PORT"]}/healthz`)).status).toBe(200);
  await kill("temporal");
  rmSync(HOLD);
  await until(async () => (await whoami()).status === 200, { deadlineMs: 60_000, what: "MongoDB to come back" });
  const all = { status: "ready", mongodb: "up", engine: "up", recipientsOverdue: 0, emailsHeldBack: 0, missing: [] };
  await until(async () => JSON.stringify(await readyz()) === JSON.stringify(all), {
    deadlineMs: 60_000,
    what: "Temporal to come back",
  });
});

test("SIGTERM ends the service and its servers", async () => {
  expect(await running.at(-1)?.end("SIGTERM", 30_000)).toBe(0);
  for (const name of ["mongod", "temporal"]) await gone(name);
  for (const port of Object.values(PORTS)) expect(await accepts(Number(port))).toBe(false);
});

test("a second start keeps data and API key, and prints the file of the key but not the key", async () => {
  const service = start();
  await service.says(/API key: in .*first-api-key/);
  expect((await whoami()).status).toBe(200);
  expect(service.output()).not.toContain(key);
  expect(firstKeyIn(DATA_DIR)).toBe(key); // no second one of every scope was made
});

test("the first sign-in link stays the same after a restart and works", async () => {
  expect(firstLinkIn(DATA_DIR)).toBe(link);
  expect(running.at(-1)?.output()).toMatch(/Sign in: open the link in .*first-sign-in before /);
  expect(running.at(-1)?.output()).not.toContain("contains other files");
  expect((await fetch(link)).status).toBe(200);
});

test("after SIGKILL the next start works immediately, although MongoDB and Temporal are still running", async () => {
  await running.at(-1)?.end("SIGKILL", 30_000);
  await start().says(/Ready: /);
  expect((await whoami()).status).toBe(200);
  expect((await fetch(link)).status).toBe(200);
});

test("a second service on the same data folder is refused, and the message names the process that uses the folder", async () => {
  const second = start(await portsOf());
  expect(await second.ended()).toBe(1);
  expect(second.output()).toMatch(/is in use by process \d+.*DATA_DIR/);
  expect((await whoami()).status).toBe(200);
});

test("a taken port stops the start, and the message names the process that holds the port and the variable to set", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await until(() => server.listening, { deadlineMs: 40_000, what: "the holder of the port" });
  const address = server.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const service = start({ ...(await portsOf()), PORT: port, DATA_DIR: join(DATA_DIR, "other") });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toMatch(new RegExp(`Port ${port} is taken by .*\\(process ${process.pid}\\).*set PORT`));
  server.close();
});

test("with an external MongoDB and Temporal the service does not start without SECRET_KEY", async () => {
  const service = start({
    ...(await portsOf()),
    MONGODB_URI: "mongodb://127.0.0.1:1/?replicaSet=rs0",
    TEMPORAL_ADDRESS: "127.0.0.1:1",
  });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toMatch(/^SECRET_KEY is not set.*openssl rand/);
});

test("a data folder without its secret-key file stops the start, and the message asks for SECRET_KEY", async () => {
  const orphaned = join(DATA_DIR, "orphaned");
  mkdirSync(join(orphaned, "mongod"), { recursive: true });
  const service = start({ ...(await portsOf()), DATA_DIR: orphaned });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toMatch(/secret-key is missing.*set SECRET_KEY/);
});

test("a start waits for a process that is still ending on the same data folder", async () => {
  const dataDir = join(DATA_DIR, "late");
  mkdirSync(dataDir);
  const ending = spawn(process.execPath, ["--eval", "setInterval(() => {}, 1_000)"]);
  writeFileSync(join(dataDir, "ending"), String(ending.pid));
  const service = start({ ...(await portsOf()), DATA_DIR: dataDir });
  const [first] = await service.says(/Waiting for process \d+|Ready/);
  ending.kill();
  expect(first).toBe(`Waiting for process ${ending.pid}`);
  await service.says(/Ready: /);
  expect(await service.end("SIGTERM", 30_000)).toBe(0);
});

test("on a Node version that is too old the service exits with one sentence that names the required version", async () => {
  const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})';
  const service = start({}, ["--import", old]);
  expect(await service.ended()).toBe(1);
  expect(service.output().trim()).toMatch(/^Outreach needs Node >=24\.9, but this is 20\.20\.2[^\n]*$/);
});
