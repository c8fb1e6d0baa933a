import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { startFailingMongod } from "../support/flagged-mongod.ts";
import { startWorld, type World } from "../support/world.ts";
import { namedRecords } from "./search-setup.ts";

/** A database that answers reads of one collection too late, as a busy one does. */
const MAX_TIME_EXPIRED = 50;

let folder: string;
let mongod: Awaited<ReturnType<typeof startFailingMongod>>;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-search-"));
  mongod = await startFailingMongod(folder);
  world = await startWorld({ mongodbUri: mongod.uri });
}, 60_000);
afterEach(() => mongod.fail(null));
afterAll(async () => {
  await world.close();
  await mongod.stop();
  await rm(folder, { recursive: true, force: true });
});

function expire(collection: string): Promise<void> {
  const namespace = `${mongoose.connection.name}.${collection}`;
  return mongod.fail({ failCommands: ["find", "aggregate"], errorCode: MAX_TIME_EXPIRED, namespace });
}

test("a search names the kinds that take too long, and still answers with the others", async () => {
  const { rest, workspaceId } = await world.workspace();
  await namedRecords(rest, workspaceId);
  const search = async () => (await rest.get("/search?q=zurich")).body;
  const whole = await search();
  expect(whole).toMatchObject({ partial: [] });
  for (const [collection, kind] of [
    ["leads", "LEAD"],
    ["threads", "THREAD"],
    ["campaigns", "CAMPAIGN"],
  ] as const) {
    await expire(collection);
    const results = whole.results.filter((one: { kind: string }) => one.kind !== kind);
    expect(await search()).toEqual({ ...whole, results, partial: [kind] });
    await mongod.fail(null);
  }
  expect(await search()).toEqual(whole);
});
