import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { people, startCrm } from "../fakes/crm.ts";
import type { FakeCrm } from "../fakes/crm-account.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { membersOf } from "./crm-world.ts";

/** The suite's size; `npm run bench crm` kills ten times among 20,000. */
const [CONTACTS, KILLS, PAGE] = [1_200, 2, 60];

let world: World;
let worker: KilledWorker;
let crm: FakeCrm;
beforeAll(async () => {
  crm = await startCrm();
  world = await startWorld({ temporal: true, settings: { crm: crm.providers } });
  worker = await killedWorkerOf(world, (await makeCertificate()).cert, undefined, { crm: crm.providers });
}, 60_000);
afterAll(async () => {
  await worker.kill();
  await world.close();
  await crm.close();
});

test("an import whose worker is killed repeatedly resumes where it stopped, and imports each contact exactly once", async () => {
  const { rest, workspaceId } = await world.workspace();
  crm.segments.set("7", people(CONTACTS));
  Object.assign(crm.settings, { pageSize: PAGE, delayMs: 30 });
  worker.start();
  const { body: connection } = await rest.post("/crm/connect", {
    action: "connect",
    provider: "PIPEDRIVE",
    apiToken: crm.apiToken("PIPEDRIVE"),
  });
  const { body: list } = await rest.post("/lead-lists", { name: "Killed" });
  const { body: begun } = await rest.post("/crm/import", {
    connectionId: connection.id,
    segmentId: "7",
    listId: list.id,
  });
  const { Job, Lead, CrmMember } = scoped(workspaceId);
  const processed = async () => (await Job.get(begun.id))?.processed ?? 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const at = (CONTACTS / (KILLS + 1)) * kill;
    await until(async () => (await processed()) >= at, {
      deadlineMs: 60_000,
      what: `the import to be at ${at}`,
      longestMs: 20,
    });
    await worker.kill();
    expect(await processed()).toBeLessThan(CONTACTS);
    worker.start();
  }
  const job = await until(async () => Job.findOne({ _id: begun.id, status: "COMPLETED" }), {
    deadlineMs: 120_000,
    what: "the import to end",
  });
  expect(job?.result).toMatchObject({
    total: CONTACTS,
    created: CONTACTS,
    skipped: 0,
    updated: 0,
    membershipsAdded: CONTACTS,
  });
  expect(await Lead.count()).toBe(CONTACTS);
  expect(await CrmMember.count()).toBe(CONTACTS);
  expect((await Lead.find({})).filter(({ imports }) => imports.length !== 1)).toEqual([]);
  expect(await membersOf(workspaceId, list.id)).toHaveLength(CONTACTS);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: CONTACTS }]);
}, 240_000);
