import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { scoped } from "../../models/scoped.ts";
import { startFailingMongod } from "../support/flagged-mongod.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

/** A database that answers reads of one collection too late, as a busy one does. */
const MAX_TIME_EXPIRED = 50;

let folder: string;
let mongod: Awaited<ReturnType<typeof startFailingMongod>>;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-partial-"));
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

test("a list of campaigns answers with null and `partial` for figures that take too long", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, ["ann@example.test"]);
  const listed = async () => (await rest.get("/campaigns?include=metrics,sendingStatus")).body.items[0];
  const whole = await listed();
  expect(whole).toMatchObject({ partial: false, metrics: { recipients: 1 }, sendingStatus: { code: "DRAFT" } });
  await expire("campaign_counters");
  expect(await listed()).toEqual({ ...whole, metrics: null, partial: true });
  expect((await rest.get(path)).body).toMatchObject({ id: campaignId, metrics: null, partial: true });
  await expire("recipients");
  expect(await listed()).toEqual({ ...whole, sendingStatus: null, partial: true });
  await mongod.fail(null);
  await scoped(workspaceId).CampaignCounter.deleteMany({ campaignId });
  await expire("recipients");
  expect(await listed()).toEqual({ ...whole, metrics: null, sendingStatus: null, partial: true });
  await mongod.fail(null);
  expect(await listed()).toEqual(whole);
});
