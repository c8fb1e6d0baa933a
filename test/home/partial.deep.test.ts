import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { startFailingMongod } from "../support/flagged-mongod.ts";
import { startWorld, type World } from "../support/world.ts";
import { busyWorkspace } from "./home-setup.ts";

/** A database that answers reads of one collection too late, as a busy one does. */
const MAX_TIME_EXPIRED = 50;

let folder: string;
let mongod: Awaited<ReturnType<typeof startFailingMongod>>;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-home-"));
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

test("home names the parts that take too long, and still answers with the others", async () => {
  const { rest } = await busyWorkspace(world);
  const home = async () => (await rest.get("/home")).body;
  const whole = await home();
  expect(whole).toMatchObject({ partial: [], replies: { total: 1 } });
  for (const [collection, parts] of [
    // The results of today are counted from threads too
    ["threads", ["replies", "today"]],
    ["approvals", ["approvals"]],
    ["mailbox_days", ["today"]],
    ["leads", ["checklist"]],
  ] as const) {
    await expire(collection);
    const lost = Object.fromEntries(parts.map((part) => [part, null]));
    expect(await home()).toEqual({ ...whole, ...lost, partial: parts });
    await mongod.fail(null);
  }
  await expire("campaign_counters");
  expect((await home()).campaigns).toMatchObject([{ metrics: null, partial: true }, { partial: true }]);
  await mongod.fail(null);
  expect(await home()).toEqual(whole);
});
