import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createLog } from "../api/log.ts";
import { scoped } from "../models/scoped.ts";
import { bundleOf } from "../worker/workers.ts";
import { makeCertificate } from "./fakes/certificate.ts";
import { until } from "./fakes/wait.ts";
import { KilledWorker } from "./system/killed-worker.ts";
import { startWorld, type World } from "./world.ts";

const ROWS = 5_000;

let folder: string;
let world: World;
let worker: KilledWorker;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-import-"));
  world = await startWorld({ temporal: true });
  const codePath = join(folder, "workflows.js");
  await writeFile(codePath, (await bundleOf(createLog("error"))).code);
  worker = new KilledWorker({
    mongodbUri: world.mongodbUri,
    temporalAddress: world.temporal?.address ?? "",
    secretKey: world.services.keyRing.current.key.toString("base64"),
    certificate: (await makeCertificate()).cert,
    trackUrl: world.baseUrl,
    codePath,
  });
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await world.close();
  await rm(folder, { recursive: true, force: true });
});

test("an import whose worker is killed goes on where it stopped: no lead, membership or history twice, and counts as if nothing had been", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Job, Lead, JobChunk } = scoped(workspaceId);
  const { body: list } = await rest.post("/lead-lists", { name: "Killed" });
  const rows = Array.from({ length: ROWS }, (_, n) => ({ email: `n${n % (ROWS - 100)}@x.example` }));
  worker.start();
  const answer = rest.post("/leads/import", { action: "commit", rows, listId: list.id });
  await until(async () => ((await Job.findOne({}))?.nextChunk ?? 0) >= 2, { deadlineMs: 30_000, what: "the import to be under way" });
  await worker.kill();
  const before = await Lead.count();
  expect(before < ROWS - 100).toBe(true);
  worker.start();
  const job = await until(async () => Job.findOne({ status: "COMPLETED" }), { deadlineMs: 90_000, what: "the import to end" });
  const expected = { total: ROWS, created: ROWS - 100, duplicateInFile: 100, membershipsAdded: ROWS - 100, skipped: 0, updated: 0 };
  expect(job?.result).toMatchObject(expected);
  expect((await answer).status).toBe(200);
  expect(await Lead.count()).toBe(ROWS - 100);
  expect((await Lead.find({})).filter(({ imports }) => imports.length !== 1)).toEqual([]);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: ROWS - 100 }]);
  expect(await JobChunk.count()).toBe(0);
}, 150_000);
