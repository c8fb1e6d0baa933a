import { randomBytes } from "node:crypto";
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
    1,
    `This is the build ${buildIdOfSources()}, not 1.0.0-000000000000: correct the build id\n`,
  ]);
  expect(await command(env, "database-prepare", ["--force"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("usage: npm run database:prepare"),
  });
  expect(await database().listCollections().toArray()).toEqual([]);
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
