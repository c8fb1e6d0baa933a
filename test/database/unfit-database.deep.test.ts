import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { keyRing } from "../../domain/access/seal.ts";
import { freePort } from "../../embedded/ports.ts";
import { disconnect } from "../../models/connect.ts";
import { openDatabase } from "../../runtime/database.ts";
import { createLog } from "../../runtime/log.ts";
import { until } from "../fakes/wait.ts";
import { sharedMongodb } from "../support/server-host.ts";
import { runService } from "../support/service.ts";

const NAME = `test_unfit_${process.env["JEST_WORKER_ID"] ?? "0"}`;
const ring = keyRing(randomBytes(32).toString("base64"), []);
let client: mongoose.mongo.MongoClient;
let uri: string;
beforeAll(async () => {
  const server = await sharedMongodb();
  uri = server.replace("/?", `/${NAME}?`);
  client = await mongoose.mongo.MongoClient.connect(server);
  await client.db(NAME).dropDatabase();
});
afterAll(async () => {
  await client.db(NAME).dropDatabase();
  await client.close();
});

// The rows that a test leaves behind would keep the next test waiting
afterEach(async () => {
  await rows().deleteMany({ _id: { $in: ["lease", 99] } });
});

const rows = () => client.db(NAME).collection<{ _id: string | number; holder?: string; until?: Date }>("migrations");

async function run(entry: string) {
  const [PORT, METRICS_PORT] = [String(await freePort()), String(await freePort())];
  const SECRET_KEY = randomBytes(32).toString("base64");
  return runService(
    { PORT, METRICS_PORT, MONGODB_URI: uri, SECRET_KEY, TEMPORAL_ADDRESS: "127.0.0.1:1", HOST: "127.0.0.1" },
    [],
    entry,
  );
}

test.each(["api/main.ts", "worker/main.ts", "start.js"])(
  "%s reports that a newer version has migrated the database, and exits",
  async (entry) => {
    await rows().insertOne({ _id: 99 });
    const service = await run(entry);
    expect(await service.ended()).toBe(1);
    expect(service.output()).toMatch(/newer version of the program has migrated the database to 99/);
    expect(service.output()).not.toMatch(/does not answer/);
  },
);

test("while another process prepares the database, the API is alive but not ready, and still stops on a signal", async () => {
  await rows().insertOne({ _id: "lease", holder: "another", until: new Date(Date.now() + 1e9) });
  const waiting = await run("api/main.ts");
  await waiting.says(/Another process prepares the database/);
  expect((await fetch(`${waiting.url}/healthz`)).status).toBe(200);
  const readyz = await fetch(`${waiting.url}/readyz`);
  expect([readyz.status, await readyz.json()]).toMatchObject([503, { mongodb: "up" }]);
  expect(await waiting.end("SIGTERM", 30_000)).toBe(0);
  expect(waiting.output()).not.toMatch(/did not stop/);

  const next = await run("api/main.ts");
  await next.says(/Another process prepares the database/);
  await rows().deleteOne({ _id: "lease" });
  await until(async () => (await fetch(`${next.url}/readyz`)).status === 200, {
    deadlineMs: 20_000,
    what: "the API to be ready",
  });
  expect(await next.end("SIGTERM", 30_000)).toBe(0);
});

test("a database server that is absent is reported only as not answering", async () => {
  const lines: string[] = [];
  const stopping = new AbortController();
  const write = (line: string) => {
    lines.push(line);
    stopping.abort();
  };
  const opening = openDatabase(
    "mongodb://127.0.0.1:1/?replicaSet=rs0",
    ring,
    createLog("info", { write }),
    stopping.signal,
    async () => "open",
  );
  await expect(opening).rejects.toMatchObject({ name: "AbortError" });
  expect(lines).toEqual([expect.stringContaining("The database does not answer: trying again")]);
});

test("an error from a database that answers is reported as that error, and the start is tried again", async () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => lines.push(line) });
  let times = 0;
  const opened = await openDatabase(uri, ring, log, new AbortController().signal, async () => {
    if (++times < 2) throw new Error("A signing key is missing");
    return "open";
  });
  await disconnect();
  const told = lines.filter((line) => line.includes("trying again"));
  expect([opened, told.length]).toEqual(["open", 1]);
  expect(told[0]).toMatch(/The database answers, but it cannot be opened/);
  expect(told[0]).toMatch(/A signing key is missing/);
});
