import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";

const ROWS = 5_000;

let world: World;
let worker: KilledWorker;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
  worker = await killedWorkerOf(world, (await makeCertificate()).cert);
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await world.close();
});

test("an import and its undo resume after their worker is killed, do nothing twice and report the right counts", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Job, Lead, JobChunk } = scoped(workspaceId);
  const { body: list } = await rest.post("/lead-lists", { name: "Killed" });
  const rows = Array.from({ length: ROWS }, (_, n) => `n${n % (ROWS - 100)}@x.example\n`);
  const file = new FormData();
  file.append("file", new File(["email\n", ...rows], "leads.csv"));
  for (const [name, value] of Object.entries({ action: "commit", listId: list.id })) file.append(name, value);
  worker.start();
  expect((await rest.post("/leads/import/file", file)).status).toBe(202);
  await until(async () => ((await Job.findOne({}))?.nextChunk ?? 0) >= 2, {
    deadlineMs: 30_000,
    what: "the import to be under way",
  });
  await worker.kill();
  const before = await Lead.count();
  expect(before < ROWS - 100).toBe(true);
  worker.start();
  const job = await until(async () => Job.findOne({ status: "COMPLETED" }), {
    deadlineMs: 90_000,
    what: "the import to end",
  });
  const expected = {
    total: ROWS,
    created: ROWS - 100,
    duplicateInFile: 100,
    membershipsAdded: ROWS - 100,
    skipped: 0,
    updated: 0,
  };
  expect(job?.result).toMatchObject(expected);
  expect(await Lead.count()).toBe(ROWS - 100);
  expect((await Lead.find({})).filter(({ imports }) => imports.length !== 1)).toEqual([]);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: ROWS - 100 }]);
  expect(await JobChunk.count()).toBe(0);

  await rest.post("/leads/manage", { action: "bulkAddTags", ids: await someIds(Lead), tags: ["vip"] });
  await worker.kill();
  const { body: undo } = await rest.delete(`/imports/${job?._id}`);
  worker.start();
  await until(async () => ((await Job.get(undo.id))?.nextChunk ?? 0) >= 2, {
    deadlineMs: 30_000,
    what: "the undo to be under way",
  });
  await worker.kill();
  expect(await Lead.count()).toBeGreaterThan(TOUCHED);
  worker.start();
  const undone = await until(async () => Job.findOne({ _id: undo.id, status: "COMPLETED" }), {
    deadlineMs: 90_000,
    what: "the undo to end",
  });
  expect(undone?.result).toEqual({ action: "undoImport", removed: ROWS - 100 - TOUCHED, kept: TOUCHED });
  expect((await Lead.find({})).map(({ tags }) => tags)).toEqual(Array.from({ length: TOUCHED }, () => ["vip"]));
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: TOUCHED }]);
}, 240_000);

const TOUCHED = 20;

/** The ids of leads from all over the import. */
async function someIds(leads: ReturnType<typeof scoped>["Lead"]): Promise<string[]> {
  const all = await leads.find({}, { select: { _id: 1 }, sort: { _id: 1 } });
  return all.filter((_, at) => at % Math.ceil(all.length / TOUCHED) === 0).map(({ _id }) => _id);
}
