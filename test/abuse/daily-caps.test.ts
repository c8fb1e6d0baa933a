import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { limit } from "../../operations/abuse/limit.ts";
import { countUse, withinCap } from "../../store/daily-caps.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  const newcomer = { days: 4, emails: 20, mailboxes: 1, members: 2, connectionTests: 3, importedRows: 10 };
  world = await startWorld({ apart: true, settings: { newcomer } });
});
afterAll(() => world.close());
// The day is the same from the first line of a test to its last
beforeEach(() => dayGoesOn(20_000));

/** A workspace that has been new for so many days. */
async function newWorkspace(days = 0) {
  const { workspaceId, rest } = await world.workspace();
  await agedBy(workspaceId, days);
  return { workspaceId, rest };
}

const agedBy = (workspaceId: string, days: number) =>
  Workspace.updateOne({ _id: workspaceId }, { $set: { newSince: new Date(Date.now() - days * DAY_MS) } });
const rowsOf = (count: number) =>
  Array.from({ length: count }, () => ({ email: `${newId("led").toLowerCase()}@people.test` }));
const importing = (rest: Rest, count: number, action = "commit") =>
  rest.post("/leads/import", { action, rows: rowsOf(count) });
const usedOf = async (rest: Rest) => {
  const { importedRows, connectionTests } = (await rest.get("/workspace")).body.dailyLimits;
  return [importedRows?.usedToday ?? null, connectionTests?.usedToday ?? null];
};
const credentials = (name: string) => ({
  email: `${name}@a.test`,
  password: "secret",
  smtp_host: "mail.a.test",
  smtp_port: "465",
  imap_host: "mail.a.test",
  imap_port: "993",
});

test("a new workspace imports only so many rows a day, and a call beyond imports none of its rows (rules/access 8.5)", async () => {
  const { workspaceId, rest } = await newWorkspace();
  expect((await rest.get("/workspace")).body.dailyLimits).toMatchObject({
    importedRows: { most: 10, usedToday: 0, by: "NEW" },
    connectionTests: { most: 3, usedToday: 0, by: "NEW" },
  });
  expect((await importing(rest, 7)).status).toBe(200);
  expect((await importing(rest, 60, "dryRun")).status).toBe(200);
  expect(await importing(rest, 4)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 10, usedToday: 7, path: "rows", resetsAt: expect.any(String) } },
  });
  expect([await scoped(workspaceId).Lead.count(), ...(await usedOf(rest))]).toEqual([7, 7, 0]);
  // Many rows would be a job
  expect([(await importing(rest, 1_001)).status, await scoped(workspaceId).Job.count()]).toEqual([422, 0]);
  expect((await importing(rest, 3)).status).toBe(200);
  await agedBy(workspaceId, 1);
  // Yesterday's good day allows as many again
  expect([(await importing(rest, 10)).status, (await importing(rest, 1)).status]).toEqual([200, 422]);
});

test("leads that a call or a campaign creates count as imported rows, so that there is no way around the limit", async () => {
  const { workspaceId, rest } = await newWorkspace();
  expect((await importing(rest, 8)).status).toBe(200);
  expect((await rest.post("/leads", rowsOf(1)[0])).status).toBe(201);
  const { body: campaign } = await rest.post("/campaigns", { name: "Around" });
  const emails = rowsOf(2).map(({ email }) => email);
  const add = (some: string[]) =>
    rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addManual", emails: some });
  expect(await add(emails)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { path: "emails" } },
  });
  expect(await scoped(workspaceId).Lead.count()).toBe(9);
  expect((await add(emails.slice(1))).status).toBe(200);
  // A lead that exists already costs nothing
  expect((await add(emails.slice(1))).status).toBe(200);
  expect(await rest.post("/leads", rowsOf(1)[0])).toMatchObject({ status: 422, body: { details: { path: "email" } } });
  expect(await usedOf(rest)).toEqual([10, 0]);
});

test("a new workspace tests only so many connections a day, each row of a file counted (rules/access 8.5)", async () => {
  const { workspaceId, rest } = await newWorkspace();
  const testBulk = (count: number) =>
    rest.post("/mailboxes/import/test-bulk", {
      rows: Array.from({ length: count }, (_, index) => credentials(`r${index}`)),
    });
  expect(await testBulk(4)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 3, usedToday: 0, path: "rows" } },
  });
  expect(await scoped(workspaceId).ConnectionBatch.count()).toBe(0);
  await countUse(workspaceId, "CONNECTION_TESTS", 3, "rows");
  expect(
    await rest.post("/mailboxes/import/csv", {
      fileName: "a.csv",
      rows: [credentials("one")],
    }),
  ).toMatchObject({ status: 422, body: { details: { usedToday: 3, path: "rows" } } });
  const servers = { smtpHost: "mail.a.test", smtpPort: 465, imapHost: "mail.a.test", imapPort: 993 };
  const one = { email: "a@a.test", password: "x", security: "SSL_TLS", ...servers };
  expect(await rest.post("/mailboxes/connect", { action: "smtpTest", credentials: one })).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { usedToday: 3, path: "credentials" } },
  });
  expect(await scoped(workspaceId).ConnectionTest.count()).toBe(0);
  expect([await scoped(workspaceId).Job.count(), await usedOf(rest)]).toEqual([0, [0, 3]]);
});

test("however many calls count at once, no more than the limit passes, and work that fails gives its count back", async () => {
  const { workspaceId, rest } = await newWorkspace();
  const counted = await Promise.allSettled(
    Array.from({ length: 30 }, () => countUse(workspaceId, "IMPORTED_ROWS", 2, "rows")),
  );
  expect(counted.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
  const failing = withinCap(workspaceId, { what: "CONNECTION_TESTS", count: 2, path: "rows" }, async () => {
    throw new Error("Temporal is unreachable");
  });
  await expect(failing).rejects.toThrow("Temporal is unreachable");
  expect(await usedOf(rest)).toEqual([10, 0]);
  await scoped(workspaceId).SendingCap.updateMany({}, { $set: { day: "2020-01-01" } });
  expect((await importing(rest, 10)).status).toBe(200);
});

test("the operator limits tests and rows of any workspace, the lower limit counts, and none removes it", async () => {
  const [fresh, old] = [await newWorkspace(), await world.workspace()];
  const limitOf = async (rest: Rest) => (await rest.get("/workspace")).body.dailyLimits.importedRows;
  expect((await old.rest.get("/workspace")).body).toMatchObject({
    sendingCap: null,
    dailyLimits: { importedRows: null, connectionTests: null },
  });
  await limit(old.workspaceId, 2, "A trial", { what: "IMPORTED_ROWS" });
  await limit(fresh.workspaceId, 50, "A big list", { what: "IMPORTED_ROWS" });
  expect(await limitOf(old.rest)).toEqual({ most: 2, usedToday: 0, by: "OPERATOR", reason: "A trial" });
  expect(await limitOf(fresh.rest)).toMatchObject({ most: 10, by: "NEW" });
  expect([(await importing(old.rest, 3)).status, (await importing(old.rest, 2)).status]).toEqual([422, 200]);
  await limit(old.workspaceId, 0, "Too many complaints", { what: "IMPORTED_ROWS" });
  expect(await importing(old.rest, 1)).toMatchObject({
    status: 422,
    body: {
      message: expect.stringMatching(/Too many complaints.*does not reset/),
      details: { limit: 0, usedToday: 2, path: "rows", resetsAt: null },
    },
  });
  // The limit of emails is another one
  expect((await old.rest.get("/workspace")).body.sendingCap).toBeNull();
  await limit(old.workspaceId, null, "It is over", { what: "IMPORTED_ROWS" });
  expect([await limitOf(old.rest), (await importing(old.rest, 3)).status]).toEqual([null, 200]);
});

test("a paid plan ends these limits, and another workspace is unaffected", async () => {
  const [paying, other] = [await newWorkspace(), await newWorkspace()];
  await Workspace.updateOne({ _id: paying.workspaceId }, { $set: { plan: { id: "pro", seats: 9, isEnding: false } } });
  expect([(await importing(paying.rest, 11)).status, (await importing(other.rest, 10)).status]).toEqual([200, 200]);
});
