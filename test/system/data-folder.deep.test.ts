import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { until } from "../fakes/wait.ts";
import { restOf } from "../support/rest.ts";
import { sharedMongodb } from "../support/server-host.ts";
import { environmentOf, firstKeyIn, portsOf, runService, type Service } from "../support/service.ts";

/** Who on this machine may read the service's data, and where its first key goes. */
const FOLDER = mkdtempSync(join(tmpdir(), "outreach-folder-"));
const SECRET_KEY = randomBytes(32).toString("base64");
let running: Service[] = [];

afterEach(async () => {
  for (const service of running) await service.end("SIGTERM", 30_000);
  running = [];
});

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

async function start(dataDir: string, more: Record<string, string> = {}): Promise<Service> {
  const service = runService({ ...(await portsOf()), DATA_DIR: dataDir, WORKER_QUEUES: "webhook", ...more });
  running.push(service);
  await service.says(/workers ready/);
  return service;
}

const modeOf = (...path: string[]) => statSync(join(...path)).mode & 0o777;

test("a data folder that other users could read is closed to them at the start, with existing files and files that servers write later", async () => {
  const dataDir = join(FOLDER, "wide");
  mkdirSync(dataDir, { mode: 0o755 });
  const elsewhere = join(FOLDER, "elsewhere");
  writeFileSync(elsewhere, "", { mode: 0o644 });
  symlinkSync(elsewhere, join(dataDir, "temporal.log.old"));
  mkdirSync(join(dataDir, "mongod"), { mode: 0o755 });
  for (const [name, text] of [
    ["secret-key", `${SECRET_KEY}\n`],
    ["mongod.log", "old"],
    ["first-api-key", "old"],
    ["first-sign-in", "old"],
  ] as const) {
    writeFileSync(join(dataDir, name), text, { mode: 0o644 });
  }
  await start(dataDir);
  const names = readdirSync(dataDir).filter((name) => name !== "temporal.log.old");
  expect(names).toEqual(
    expect.arrayContaining(["mongod", "mongod.log", "mongod.pid", "temporal.db", "temporal.log", "secret-key"]),
  );
  const open = names.filter((name) => (modeOf(dataDir, name) & 0o077) > 0);
  expect(open).toEqual([]);
  expect([modeOf(dataDir), modeOf(dataDir, "mongod"), modeOf(dataDir, "secret-key")]).toEqual([0o700, 0o700, 0o600]);
  expect(modeOf(elsewhere)).toBe(0o644);
});

test("a data folder that contains unrelated files keeps its permissions, and the service logs a warning", async () => {
  const dataDir = join(FOLDER, "mixed");
  mkdirSync(dataDir, { mode: 0o755 });
  writeFileSync(join(dataDir, "letter.txt"), "", { mode: 0o644 });
  writeFileSync(join(dataDir, "mongod.sh"), "", { mode: 0o755 });
  const service = await start(dataDir);
  expect(service.output()).toMatch(/also contains other files, such as letter\.txt.*DATA_DIR/);
  expect([
    modeOf(dataDir),
    modeOf(dataDir, "letter.txt"),
    modeOf(dataDir, "mongod.sh"),
    modeOf(dataDir, "secret-key"),
  ]).toEqual([0o755, 0o644, 0o755, 0o600]);
});

test("in a terminal the first start shows the first API key, and the key works", async () => {
  const dataDir = join(FOLDER, "terminal");
  const ports = await portsOf();
  const command = `'${process.execPath}' --no-warnings start.js`;
  const env = environmentOf({ ...ports, DATA_DIR: dataDir, WORKER_QUEUES: "webhook" });
  const terminal = spawn("script", ["-qefc", command, "/dev/null"], { env, stdio: ["pipe", "pipe", "ignore"] });
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  try {
    await until(() => shown.includes("Try:"), { deadlineMs: 50_000, what: "the greeting" });
    const [, key = ""] = /(ocp_live_\w+)/.exec(shown) ?? [];
    expect(key).toBe(firstKeyIn(dataDir));
    expect((await restOf(`http://127.0.0.1:${ports["PORT"]}/api/v1`, key).get("/whoami")).status).toBe(200);
  } finally {
    terminal.kill("SIGTERM");
    await once(terminal, "exit");
  }
});

test("without a terminal or a file for the first API key, no key is created, and the log names the command that creates one", async () => {
  const dataDir = join(FOLDER, "unread");
  const uri = (await sharedMongodb()).replace("/?", "/test_unread?");
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const service = await start(dataDir, { MONGODB_URI: uri, SECRET_KEY });
    expect(service.output()).toContain("`npm run key:create` creates one");
    expect(await connection.collection("workspaces").countDocuments()).toBe(1);
    expect(await connection.collection("api_keys").countDocuments()).toBe(0);
    expect(existsSync(join(dataDir, "first-api-key"))).toBe(false);
  } finally {
    await connection.dropDatabase();
    await connection.close();
  }
});
