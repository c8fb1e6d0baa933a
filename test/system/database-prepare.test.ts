import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { buildIdOfSources } from "../../runtime/build-id.ts";
import { command, on } from "../support/command.ts";
import { startWorld, type World } from "../support/world.ts";

const NAME = `prepared_${randomBytes(4).toString("hex")}`;
let world: World;
let env: Record<string, string>;

beforeAll(async () => {
  world = await startWorld();
  env = { ...on(world), MONGODB_URI: world.mongodbUri.replace(/\/test[^/?]*\?/, `/${NAME}?`) };
});
afterAll(async () => {
  await database().dropDatabase();
  await world?.close();
});

function database(): mongoose.mongo.Db {
  return mongoose.connection.getClient().db(NAME);
}

test("build:id prints the build id by which Temporal knows the workers of this version", async () => {
  expect(await command({}, "build-id")).toEqual({ out: `${buildIdOfSources()}\n`, err: "", code: 0 });
});

test("database:prepare leaves the database as it is for another build or an unknown option, and says why", async () => {
  const other = await command(env, "database-prepare", ["--build-id", "1.0.0-000000000000"]);
  expect([other.code, other.err]).toEqual([
    2,
    `This is the build ${buildIdOfSources()}, not 1.0.0-000000000000: correct the build id\n`,
  ]);
  expect(await command(env, "database-prepare", ["--force"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("usage: npm run database:prepare"),
  });
  expect(await database().listCollections().toArray()).toEqual([]);
}, 60_000);

test("database:prepare says that it waits for another process, and SIGTERM ends it", async () => {
  const lease = { _id: "lease", owner: "another", until: new Date(Date.now() + 600_000) };
  await database().collection<{ _id: string }>("migrations").insertOne(lease);
  const child = spawn(process.execPath, ["--no-warnings", "api/cli/database-prepare.ts"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "close");
  let said = "";
  for await (const text of child.stderr.setEncoding("utf8")) {
    said += text;
    if (said.endsWith("waiting for it\n")) child.kill("SIGTERM");
  }
  expect(said).toBe(
    "Another process prepares the database: waiting for it\nStopped before the database was ready: the next start continues\n",
  );
  expect(await ended).toEqual([1, null]);
  expect((await database().listCollections().toArray()).map(({ name }) => name)).toEqual(["migrations"]);
  await database().dropDatabase();
}, 60_000);

test("database:prepare migrates the database and creates its indexes, and a repeat changes nothing", async () => {
  const prepare = () => command(env, "database-prepare", ["--build-id", buildIdOfSources()]);
  const first = await prepare();
  expect([first.code, first.out.trim().split("\n").at(-1)]).toEqual([
    0,
    `The database is ready for the build ${buildIdOfSources()}`,
  ]);
  const indexes = await database().collection("recipients").indexes();
  expect(indexes.length).toBeGreaterThan(3);
  expect((await prepare()).code).toBe(0);
  expect(await database().collection("recipients").indexes()).toEqual(indexes);
}, 120_000);
