import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/sign-in/session.ts";
import { newId } from "../../mongo/ids.ts";
import { call } from "../../operations/call.ts";
import type { Context } from "../../operations/context.ts";
import { operation } from "../../operations/operation.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let operator: SignedIn;
beforeAll(async () => {
  world = await startWorld({ apart: true });
  operator = await signedIn(world); // The first person of a database is an operator
});
afterAll(() => world.close());

const REASON = "Many bounces";
const act = (deed: string, input: Record<string, unknown>, { rest }: SignedIn = operator) =>
  rest.post(`/system/workspaces/${deed}`, input);

test("an operator finds a workspace of others, suspends it with a reason, and resumes it (rules/console 4.4)", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  await rest.post(`${path}/control`, { action: "launch" });
  const seen = async (search: string) =>
    (await operator.rest.get(`/system/workspaces?search=${encodeURIComponent(search)}`)).body;
  expect(await seen(workspaceId)).toMatchObject({
    total: 1,
    items: [{ id: workspaceId, suspension: null, cap: null, emails: 0, rates: { bounces: null } }],
  });
  expect((await seen("no such workspace")).total).toBe(0);
  expect(await act("suspend", { workspaceId, reason: REASON })).toMatchObject({
    status: 200,
    body: { workspaceId, campaigns: 1 },
  });
  expect((await seen(workspaceId)).items[0].suspension).toMatchObject({ by: "OPERATOR", reason: REASON });
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "OPERATOR", reason: REASON });
  expect(await act("resume", { workspaceId })).toMatchObject({ status: 200, body: { campaigns: 1 } });
  expect((await rest.get(path)).body.status).toBe("ACTIVE");
  expect(await act("resume", { workspaceId })).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION" },
  });
  const { items } = (await rest.get("/audit-log?action=workspace.")).body;
  const actor = { kind: "OPERATOR", id: operator.userId };
  expect(items).toMatchObject([
    { action: "workspace.endSuspension", actor },
    { action: "workspace.suspend", actor, target: { workspaceId, reason: REASON } },
  ]);
});

test("an operator limits emails, connection tests and rows, and finds the workspace of a reported email", async () => {
  const { rest, workspaceId } = await world.workspace();
  for (const [what, most] of [
    [undefined, 5],
    ["CONNECTION_TESTS", 6],
    ["IMPORTED_ROWS", 7],
  ] as const)
    expect((await act("limit", { workspaceId, ...(what && { what }), most, reason: REASON })).status).toBe(200);
  expect((await rest.get("/workspace")).body).toMatchObject({
    sendingCap: { most: 5, by: "OPERATOR", reason: REASON },
    dailyLimits: { connectionTests: { most: 6 }, importedRows: { most: 7 } },
  });
  const { items } = (await rest.get("/audit-log?action=workspace.limit")).body;
  expect(items).toMatchObject([
    { target: { what: "IMPORTED_ROWS", most: 7, reason: REASON }, ip: expect.any(String) },
    { target: { what: "CONNECTION_TESTS", most: 6 } },
    { target: { what: "EMAILS", most: 5 } },
  ]);
  const messageId = `<${newId("snd")}@a.test>`;
  const send = { _id: newId("snd"), to: "a@b.test", sendKey: newId("key"), messageIds: [messageId] };
  await scoped(workspaceId).Send.insert(send);
  const find = (message: string) => operator.rest.post("/system/reported", { message });
  const { body } = await find(`Message-ID: ${messageId}`);
  expect(body.items).toMatchObject([{ workspaceId, isSuspended: false, send: { id: send._id } }]);
  // Not whom the workspace emails
  expect(JSON.stringify(body)).not.toContain("a@b.test");
  expect((await find("<nobody@a.test>")).body.items).toEqual([]);
});

test("no one else can do any of it: neither a member nor a key (rules/console 4.4)", async () => {
  const other = await signedIn(world);
  const { rest: byKey, workspaceId } = await world.workspace();
  const calls = {
    list: ({ rest }: Pick<SignedIn, "rest">) => rest.get("/system/workspaces"),
    suspend: ({ rest }: Pick<SignedIn, "rest">) =>
      rest.post("/system/workspaces/suspend", { workspaceId, reason: REASON }),
    resume: ({ rest }: Pick<SignedIn, "rest">) => rest.post("/system/workspaces/resume", { workspaceId }),
    limit: ({ rest }: Pick<SignedIn, "rest">) =>
      rest.post("/system/workspaces/limit", { workspaceId, most: 0, reason: REASON }),
    find: ({ rest }: Pick<SignedIn, "rest">) => rest.post("/system/reported", { message: "<a@b.test>" }),
  };
  for (const [name, call] of Object.entries(calls)) {
    expect([name, await call(other)]).toMatchObject([name, { status: 403, body: { code: "ROLE_NOT_ALLOWED" } }]);
    expect([name, (await call({ rest: byKey })).status]).toEqual([name, 404]);
  }
  expect((await byKey.get("/workspace")).body).toMatchObject({ suspension: null, sendingCap: null });
});

test("an operator suspends a workspace although too many other calls without a workspace are under way (rules/limits 1.10)", async () => {
  const { workspaceId } = await world.workspace();
  const released = Promise.withResolvers<void>();
  const waits = operation({
    summary: "A test",
    scope: null,
    input: z.strictObject({}),
    output: z.object({}),
    run: () => released.promise.then(() => ({})),
  });
  const ctx = { workspaceId: "", scopes: new Set(), services: {} } as unknown as Context;
  const others = Array.from({ length: 24 }, () => call(ctx, waits, { fields: () => ({}) }));
  expect((await act("resume", { workspaceId })).status).toBe(503);
  expect((await act("suspend", { workspaceId, reason: REASON })).status).toBe(200);
  released.resolve();
  await Promise.all(others);
}, 60_000);

test("a change asks an operator for the password again, and bad input changes nothing", async () => {
  const { rest, workspaceId } = await world.workspace();
  const bad: [string, Record<string, unknown>, number, string][] = [
    ["suspend", { workspaceId, reason: "  " }, 400, "VALIDATION_FAILED"],
    ["suspend", { workspaceId: "wsp_none", reason: REASON }, 404, "WORKSPACE_NOT_FOUND"],
    ["limit", { workspaceId, most: -1, reason: REASON }, 400, "VALIDATION_FAILED"],
    ["limit", { workspaceId, most: 1.5, reason: REASON }, 400, "VALIDATION_FAILED"],
    ["limit", { workspaceId: "wsp_none", most: 1, reason: REASON }, 404, "WORKSPACE_NOT_FOUND"],
    ["resume", { workspaceId: "wsp_none" }, 404, "WORKSPACE_NOT_FOUND"],
  ];
  for (const [deed, input, status, code] of bad)
    expect([deed, input, await act(deed, input)]).toMatchObject([deed, input, { status, body: { code } }]);
  await Session.updateMany(
    { userId: operator.userId },
    { $set: { confirmedAt: new Date(Date.now() - 11 * MINUTE_MS) } },
  );
  // A session is remembered for a second
  const asks = async () => (await act("resume", { workspaceId: "wsp_none" })).body.code === "STEP_UP_REQUIRED";
  await until(asks, { deadlineMs: 20_000, what: "the password to be asked for" });
  for (const deed of ["suspend", "resume", "limit"])
    expect(await act(deed, { workspaceId, reason: REASON, ...(deed === "limit" && { most: 1 }) })).toMatchObject({
      status: 403,
      body: { code: "STEP_UP_REQUIRED" },
    });
  expect((await rest.get("/workspace")).body).toMatchObject({ suspension: null, sendingCap: null });
  await Session.updateMany({ userId: operator.userId }, { $set: { confirmedAt: new Date() } });
});
