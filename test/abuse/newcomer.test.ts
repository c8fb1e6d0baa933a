import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { CONDUCT_THRESHOLDS } from "../../domain/access/conduct.ts";
import { newcomerLimitsAt } from "../../domain/access/newcomer.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { signUp } from "../../operations/sign-in/sign-up.ts";
import { judgeWorkspace } from "../../store/campaigns/conduct.ts";
import { loadLimits } from "../../store/workspace-limits.ts";
import { restOf } from "../support/rest.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const NEWCOMER = { days: 4, emails: 20, mailboxes: 1, members: 2, connectionTests: 3, importedRows: 10 };
let world: World;
beforeAll(async () => {
  world = await startWorld({
    apart: true,
    settings: {
      allowSignUp: true,
      newcomer: NEWCOMER,
      conduct: { thresholds: CONDUCT_THRESHOLDS, slowedEmails: 5 },
    },
  });
  await signedIn(world); // No one can sign up before the operator has a password
});
afterAll(() => world.close());

/** The workspace of a person who has just signed up, and a key for it. */
async function signedUp() {
  const email = `${newId("usr").toLowerCase()}@people.test`;
  let workspaceId = "";
  const person = await signUp(
    { email, name: null, workspaceName: "New", password: PASSWORD, svc: null },
    async (made) => {
      ({ workspaceId } = made);
    },
  );
  const { key } = await createKey({ workspaceId, name: "key", scopes: [...ALL_SCOPES], createdBy: person?._id ?? "" });
  return { workspaceId, rest: restOf(`${world.baseUrl}/api/v1`, key) };
}

const agedBy = (workspaceId: string, days: number) =>
  Workspace.updateOne({ _id: workspaceId }, { $set: { newSince: new Date(Date.now() - days * DAY_MS) } });
const capOf = async (workspaceId: string) =>
  (await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId }))?.by.NEW?.most ?? null;

test("the limits of a new workspace grow by those of the first day, and end after the last day (rules/access 8.4)", () => {
  const now = Date.now();
  const at = (days: number) => newcomerLimitsAt(NEWCOMER, new Date(now - days * DAY_MS), now);
  expect([0, 0.9, 1, 3.9, 4, 40].map(at)).toEqual([
    { emails: 20, mailboxes: 1, members: 2, connectionTests: 3, importedRows: 10 },
    { emails: 20, mailboxes: 1, members: 2, connectionTests: 3, importedRows: 10 },
    { emails: 40, mailboxes: 2, members: 4, connectionTests: 6, importedRows: 20 },
    { emails: 80, mailboxes: 4, members: 8, connectionTests: 12, importedRows: 40 },
    null,
    null,
  ]);
});

test("the workspace of a person who signs up is limited, grows, and is no longer limited in the end (rules/access 8.4)", async () => {
  const { workspaceId, rest } = await signedUp();
  expect((await rest.get("/workspace")).body).toMatchObject({
    sendingCap: { most: 20, sentToday: 0, by: "NEW" },
    limits: { mailboxes: 1, members: 2 },
  });
  const invite = (name: string) =>
    rest.post("/invites/manage", { action: "create", email: `${name}@people.test`, role: "MEMBER" });
  expect((await invite("kim")).status).toBe(200);
  expect(await invite("lee")).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED", details: { limit: 2 } } });
  expect(await rest.post("/workspaces", { name: "Client" })).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED" },
  });
  await agedBy(workspaceId, 2);
  await judgeWorkspace(workspaceId);
  expect([await capOf(workspaceId), (await loadLimits(workspaceId)).mailboxes]).toEqual([60, 3]);
  await agedBy(workspaceId, 4);
  // Its age counts even while it has no campaign and is not judged
  const { status, body: client } = await rest.post("/workspaces", { name: "Client" });
  expect([status, await capOf(client.id), (await loadLimits(client.id)).mailboxes]).toEqual([201, 20, 1]);
  await judgeWorkspace(workspaceId);
  expect((await rest.get("/workspace")).body).toMatchObject({ sendingCap: null, limits: { mailboxes: 10_000 } });
  const { body: another } = await rest.post("/workspaces", { name: "Another client" });
  expect(await capOf(another.id)).toBe(20);
});

test("a new workspace that is slowed starts anew", async () => {
  const { workspaceId } = await signedUp();
  await agedBy(workspaceId, 3);
  await judgeWorkspace(workspaceId);
  expect(await capOf(workspaceId)).toBe(80);
  const rows = (count: number, type: string) =>
    Array.from({ length: count }, () => ({
      _id: newId("evt"),
      type,
      at: new Date(),
      campaignId: "cmp_1",
      data: { type: "HARD" },
    }));
  await scoped(workspaceId).ActivityEvent.insertMany([...rows(188, "SENT"), ...rows(12, "BOUNCED")]);
  await judgeWorkspace(workspaceId);
  expect(await capOf(workspaceId)).toBe(20);
});

test("a paid plan ends the limits of mailboxes and members, not that of emails", async () => {
  const { workspaceId } = await signedUp();
  await Workspace.updateOne({ _id: workspaceId }, { $set: { plan: { id: "pro", seats: 9, isEnding: false } } });
  expect([(await loadLimits(workspaceId)).mailboxes, await capOf(workspaceId)]).toEqual([10_000, 20]);
});

test("a workspace that the operator makes has none of these limits", async () => {
  const { workspaceId, rest } = await world.workspace();
  await judgeWorkspace(workspaceId);
  expect((await rest.get("/workspace")).body).toMatchObject({ sendingCap: null, limits: { mailboxes: 10_000 } });
});
