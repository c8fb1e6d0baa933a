import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { until } from "../fakes/wait.ts";
import { command, on } from "../support/command.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ADA, BOB, nameOf, storedPlace, storeLeadOf } from "./stored-person.ts";

const OFFICE = "office@firm.test";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker(), apart: true });
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  await Prospect.collection.deleteMany({});
});

type PersonName = Pick<typeof ADA, "firstName" | "lastName">;

async function storeProspect({ firstName, lastName }: PersonName, email: string): Promise<string> {
  const _id = newId("kpr");
  const fullName = `${firstName} ${lastName}`;
  await Prospect.create({ _id, firstName, lastName, fullName, email, hasEmail: true });
  return _id;
}

/** Stores a prospect that the workspace has revealed. */
async function reveal(workspaceId: string, prospectId: string, person: typeof ADA, email: string): Promise<void> {
  const { firstName, lastName } = person;
  const shown = { id: prospectId, firstName, lastName, fullName: nameOf(person) } as never;
  const revealed = { email, emailStatus: "revealed" as const, phone: "1", listIds: [] };
  await scoped(workspaceId).KnownProspect.store({ _id: newId("kpr"), prospectId, person: shown, ...revealed });
}

async function erase(rest: Rest, email: string) {
  const { body } = await rest.post("/privacy/erase", { email });
  const wait = { deadlineMs: 30_000, what: "the erasure to end" };
  return until(async () => {
    const { body: job } = await rest.get(`/jobs/${body.id}`);
    return job.status === "COMPLETED" ? { ...job.result, sharedAddresses: body.sharedAddresses } : null;
  }, wait);
}

const addressesOf = async () =>
  (await Prospect.find({}, { email: 1 }).sort({ _id: 1 }).lean<Prospect[]>()).map(({ email }) => email);

// The order of these two tests matters: the first one needs a deployment with one workspace
test("the only workspace of an installation erases a person from the data set too", async () => {
  const { rest } = await world.workspace();
  await storeProspect(ADA, ADA.email);
  await storeProspect(BOB, BOB.email);
  expect((await erase(rest, ADA.email)).erased).toContainEqual({ what: "prospects of the data set", count: 1 });
  expect(await addressesOf()).toEqual([BOB.email]);
}, 60_000);

test("a workspace erases what it knows of a prospect, and the data set that it shares keeps the person until the operator erases them", async () => {
  const { rest, workspaceId } = await world.workspace();
  const prospectId = await storeProspect(ADA, ADA.email);
  await reveal(workspaceId, prospectId, ADA, ADA.email);
  const { body } = await rest.post("/privacy/erase", { email: ADA.email, planOnly: true });
  const { changes } = body.plan.effect;
  expect(changes.map(({ what }: { what: string }) => what)).toEqual(["suppressions", "known prospects"]);
  const { erased, kept } = await erase(rest, ADA.email);
  expect(erased).toEqual([{ what: "known prospects", count: 1 }]);
  expect(kept).toContainEqual({
    what: "prospects of the data set",
    why: expect.stringContaining("npm run prospects:erase"),
  });
  expect(await addressesOf()).toEqual([ADA.email]);
  const done = await command(on(world), "prospects-erase", ["--email", ` ${ADA.email.toUpperCase()}`]);
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining("Deleted 1, removed the address from 0") });
  expect(await addressesOf()).toEqual([]);
  expect(await command(on(world), "prospects-erase", [])).toMatchObject({
    code: 1,
    err: expect.stringContaining("usage: npm run prospects:erase"),
  });
}, 60_000);

test("prospects with one address and different names are different people, who only lose the address", async () => {
  const { rest, workspaceId } = await world.workspace();
  for (const person of [ADA, BOB]) await reveal(workspaceId, await storeProspect(person, OFFICE), person, OFFICE);
  const { body } = await rest.post("/privacy/export", { email: OFFICE });
  expect(body).toMatchObject({ addresses: [OFFICE], sharedAddresses: [OFFICE], document: { names: [] } });
  expect(JSON.stringify(body.document.data)).not.toContain(ADA.lastName);
  const { erased, sharedAddresses } = await erase(rest, OFFICE);
  expect([erased, sharedAddresses]).toEqual([[{ what: "known prospects", count: 2 }], [OFFICE]]);
  const known = await scoped(workspaceId).KnownProspect.find({}, { sort: { _id: 1 } });
  expect(known.map(({ person, email, emailStatus, phone }) => [person.lastName, email, emailStatus, phone])).toEqual([
    [ADA.lastName, null, "not_revealed", "1"],
    [BOB.lastName, null, "not_revealed", "1"],
  ]);
  const done = await command(on(world), "prospects-erase", ["--email", OFFICE]);
  expect(done.out).toContain("Deleted 0, removed the address from 2");
  expect(await addressesOf()).toEqual([null, null]);
}, 60_000);

test("a prospect whose name changed after it was revealed is one person", async () => {
  const { rest, workspaceId } = await world.workspace();
  const prospectId = await storeProspect({ ...ADA, lastName: "King" }, ADA.email);
  await reveal(workspaceId, prospectId, ADA, ADA.email);
  const { erased, sharedAddresses } = await erase(rest, ADA.email);
  expect([erased, sharedAddresses]).toEqual([[{ what: "known prospects", count: 1 }], []]);
  expect(await scoped(workspaceId).KnownProspect.count({})).toBe(0);
}, 60_000);

test("the lead's name is compared with each name of a prospect, and an unknown name matches nothing", async () => {
  const { rest, workspaceId } = await world.workspace();
  const king = { ...ADA, lastName: "King" };
  await storeLeadOf(await storedPlace(workspaceId), king);
  await reveal(workspaceId, await storeProspect(king, ADA.email), ADA, ADA.email);
  await reveal(workspaceId, await storeProspect(BOB, ADA.email), BOB, ADA.email);
  const { body } = await rest.post("/privacy/export", { email: ADA.email });
  expect(body.sharedAddresses).toEqual([]);
  const { data } = body.document;
  const known = data.find(({ kind }: { kind: string }) => kind === "known prospects");
  expect(known.records).toMatchObject([{ person: { lastName: ADA.lastName } }]);
  const nameless = await world.workspace();
  const { Lead } = scoped(nameless.workspaceId);
  await Lead.store({ _id: newId("led"), email: OFFICE, emailDomain: "firm.test" });
  const unnamed = { firstName: "", lastName: "", email: OFFICE } as typeof ADA;
  for (const person of [ADA, BOB, unnamed])
    await reveal(nameless.workspaceId, await storeProspect(person, OFFICE), person, OFFICE);
  expect((await nameless.rest.post("/privacy/export", { email: OFFICE })).body.sharedAddresses).toEqual([OFFICE]);
}, 60_000);

test("no request shows who has an address in the data set, and an erasure still deletes a listed prospect with it", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { KnownProspect } = scoped(workspaceId);
  for (const person of [ADA, BOB]) await storeProspect(person, OFFICE);
  const { body: office } = await rest.post("/privacy/export", { email: OFFICE });
  expect(office).toMatchObject({ addresses: [OFFICE], sharedAddresses: [], document: { names: [] } });
  const prospectId = await storeProspect(ADA, ADA.email);
  const shown = { id: prospectId, firstName: ADA.firstName, lastName: ADA.lastName, fullName: nameOf(ADA) } as never;
  await KnownProspect.store({ _id: newId("kpr"), prospectId, person: shown, listIds: [] });
  const { body } = await rest.post("/privacy/export", { email: ADA.email });
  expect(body.document).toMatchObject({ names: [], data: [] });
  const { body: planned } = await rest.post("/privacy/erase", { email: ADA.email, planOnly: true });
  expect(planned.plan.effect.changes.map(({ what }: { what: string }) => what)).toEqual(["suppressions"]);
  await erase(rest, ADA.email);
  expect(await KnownProspect.count({})).toBe(0);
}, 60_000);

test("of several prospects with one address, those with the name of the lead are the person", async () => {
  const { rest, workspaceId } = await world.workspace();
  await storeLeadOf(await storedPlace(workspaceId), ADA);
  for (const person of [ADA, BOB]) {
    const prospectId = await storeProspect(person, ADA.email);
    await reveal(workspaceId, prospectId, person, ADA.email);
  }
  const { body } = await rest.post("/privacy/export", { email: ADA.email });
  expect(body.sharedAddresses).toEqual([]);
  expect(JSON.stringify(body.document)).not.toContain(BOB.lastName);
  await erase(rest, ADA.email);
  const known = await scoped(workspaceId).KnownProspect.find({});
  expect(known.map(({ person, email }) => [person.lastName, email])).toEqual([[BOB.lastName, null]]);
}, 60_000);
