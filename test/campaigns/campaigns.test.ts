import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const UNKNOWN = "cmp_00000000000000000000000000";

test("a new campaign is a draft with one sendable email step, default settings and empty metrics", async () => {
  const { rest, workspaceId } = await world.workspace();
  const created = await rest.post("/campaigns", { name: "Spring", description: "d", clientId: "42" });
  expect(created).toMatchObject({
    status: 201,
    body: {
      workspaceId,
      name: "Spring",
      description: "d",
      goal: null,
      clientId: "42",
      type: "SEQUENCE",
      status: "DRAFT",
      version: 1,
      recipientCount: 0,
      settings: { timezone: "UTC", perMailboxDailyLimit: 30 },
      sequence: { mode: "DEFAULT", version: 1, steps: [{ order: 1, type: "EMAIL", variants: [{ label: "A" }] }] },
      sendingStatus: { code: "DRAFT", nextSendAt: null, breakdown: {} },
      metrics: { recipients: 0, sent: 0, replyRate: 0, revenue: [] },
    },
  });
  const read = await rest.get(`/campaigns/${created.body.id}`);
  expect(read).toMatchObject({ status: 200, body: created.body });
});

test("a campaign of another workspace can be neither seen nor changed", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body } = await other.rest.post("/campaigns", { name: "Theirs" });
  for (const id of [body.id, UNKNOWN]) {
    for (const answer of [
      await rest.get(`/campaigns/${id}`),
      await rest.patch(`/campaigns/${id}`, { name: "Mine" }),
      await rest.get(`/campaigns/${id}/settings`),
      await rest.patch(`/campaigns/${id}/settings`, { dailyLimit: 1 }),
      await rest.get(`/campaigns/${id}/sequence`),
      await rest.put(`/campaigns/${id}/sequence`, { action: "replaceSteps", steps: [] }),
      await rest.get(`/campaigns/${id}/validate`),
      await rest.post(`/campaigns/${id}/control`, { action: "pause" }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: "CAMPAIGN_NOT_FOUND" } });
    }
  }
  expect((await rest.get("/campaigns")).body).toMatchObject({ items: [], total: 0 });
});

test("campaigns are listed newest first, and found by status and by any part of the name", async () => {
  const { rest } = await world.workspace();
  for (const name of ["Alpha (1)", "Beta", "alphabet"]) await rest.post("/campaigns", { name });
  const names = async (query: string) =>
    (await rest.get(`/campaigns?${query}`)).body.items.map((item: { name: string }) => item.name);
  expect(await names("")).toEqual(["alphabet", "Beta", "Alpha (1)"]);
  expect(await names("search=LPHA")).toEqual(["alphabet", "Alpha (1)"]);
  expect(await names("search=(1)")).toEqual(["Alpha (1)"]);
  expect(await names("status=ACTIVE,PAUSED")).toEqual([]);
  expect(await names("status=DRAFT&pageSize=1&page=2")).toEqual(["Beta"]);
  expect(await rest.get("/campaigns?status=SLEEPING")).toMatchObject({ status: 400 });
});

test("an edit of an outdated version changes nothing, and the refusal names the current version", async () => {
  const { rest } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}`;
  expect(await rest.patch(path, { name: "Summer", expectedVersion: 1 })).toMatchObject({
    status: 200,
    body: { version: 2 },
  });
  expect(await rest.patch(path, { name: "Autumn", expectedVersion: 1 })).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT", details: { currentVersion: 2 } },
  });
  const both = await Promise.all(["Autumn", "Winter"].map((name) => rest.patch(path, { name, expectedVersion: 2 })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await rest.get(path)).body.version).toBe(3);
});

test("settings and new recipients of an outdated version change nothing, and the version is not stored as a setting", async () => {
  const { rest } = await world.workspace();
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Spring" })).body.id}`;
  const { body: list } = await rest.post("/lead-lists", { name: "Fair" });
  const settings = `${path}/settings`;
  const saved = await rest.patch(settings, { dailyLimit: 7, expectedVersion: 1 });
  expect(saved).toMatchObject({ status: 200, body: { dailyLimit: 7 } });
  expect(saved.body).not.toHaveProperty("expectedVersion");
  const conflict = { status: 409, body: { code: "VERSION_CONFLICT", details: { currentVersion: 2 } } };
  expect(await rest.patch(settings, { dailyLimit: 8, expectedVersion: 1 })).toMatchObject(conflict);
  expect(await rest.patch(settings, { expectedVersion: "2" })).toMatchObject({ status: 400 });
  const add = (fields: object) => rest.post(`${path}/recipients`, fields);
  const byHand = { action: "addManual", emails: ["ada@one.test"] };
  const fromList = { action: "addFromList", leadListId: list.id };
  for (const wanted of [byHand, fromList]) expect(await add({ ...wanted, expectedVersion: 1 })).toMatchObject(conflict);
  expect((await rest.get(path)).body).toMatchObject({ version: 2, recipientCount: 0, settings: { dailyLimit: 7 } });
  expect((await rest.get("/leads")).body.total).toBe(0);
  expect(await add({ ...byHand, expectedVersion: 2 })).toMatchObject({ status: 200, body: { added: 1 } });
  expect(await add({ ...fromList, expectedVersion: 2 })).toMatchObject({ status: 200 });
});

test("null clears the client, an edit without a difference makes no new version, and unknown fields are refused", async () => {
  const { rest } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring", clientId: "42" });
  const path = `/campaigns/${body.id}`;
  expect((await rest.patch(path, { clientId: null })).body).toMatchObject({ clientId: null, version: 2 });
  expect((await rest.patch(path, { name: "Spring" })).body.version).toBe(2);
  expect(await rest.patch(path, { status: "ACTIVE" })).toMatchObject({
    status: 400,
    body: { details: { issues: [{ code: "UNKNOWN_FIELD" }] } },
  });
});

interface Plan {
  stage: string;
  inputStage?: Plan;
  inputStages?: Plan[];
}

function stagesOf({ stage, inputStage, inputStages = [] }: Plan): string[] {
  return [stage, ...[...inputStages, ...(inputStage ? [inputStage] : [])].flatMap(stagesOf)];
}

test.each([
  ["nothing", {}],
  ["one status", { status: { $in: ["DRAFT"] } }],
  ["several statuses", { status: { $in: ["DRAFT", "PAUSED"] } }],
  ["a part of the name", { $and: [{ name: { $regex: "pha", $options: "i" } }] }],
  ["both", { status: { $in: ["DRAFT", "PAUSED"] }, $and: [{ name: { $regex: "pha", $options: "i" } }] }],
])(
  "the list filtered by %s is read from an index in sort order, and only the returned campaigns are read",
  async (_name, filter) => {
    const { rest, workspaceId } = await world.workspace();
    for (const name of ["Alpha", "Beta", "Gamma", "alphabet"]) await rest.post("/campaigns", { name });
    const explained: unknown = await Campaign.collection
      .find({ workspaceId, ...filter })
      .sort({ _id: -1 })
      .limit(50)
      .explain("executionStats");
    const { queryPlanner, executionStats } = explained as {
      queryPlanner: { winningPlan: Plan };
      executionStats: Record<string, number>;
    }; // typed as a bare Document
    const stages = stagesOf(queryPlanner.winningPlan);
    expect(stages).toContain("IXSCAN");
    expect(stages.filter((stage) => stage === "COLLSCAN" || stage === "SORT")).toEqual([]);
    expect(executionStats["totalDocsExamined"]).toBe(executionStats["nReturned"]);
  },
);

test("a change without a difference keeps the version of the campaign, also for its settings and its sequence", async () => {
  const { rest } = await world.workspace();
  const { body: made } = await rest.post("/campaigns", { name: "Same", goal: "Meetings" });
  const path = `/campaigns/${made.id}`;
  const version = async () => (await rest.get(path)).body.version;
  await rest.patch(`${path}/settings`, {
    dailyLimit: 40,
    startAt: "2030-01-01T02:00:00+02:00",
    windows: [{ days: [1], from: "09:00", to: "17:00" }],
  });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [{ subject: "Hello", body: "<p>Hi</p>" }] });
  const before = await version();
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  await rest.patch(path, { name: "Same", goal: "Meetings" });
  await rest.patch(`${path}/settings`, {
    dailyLimit: 40,
    startAt: "2030-01-01",
    windows: [{ days: [1], from: "09:00", to: "17:00" }],
  });
  await rest.patch(`${path}/settings`, { endAt: null });
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({
    status: 200,
    body: { version: before },
  });
  await rest.put(`${path}/sequence`, { action: "setMode", mode: "DEFAULT" });
  expect(await version()).toBe(before);
  await rest.patch(`${path}/settings`, { dailyLimit: 41 });
  expect(await version()).toBe(before + 1);
});

test("settings return instants in UTC, read a bare date as the start of the day in the zone, and refuse unknown launch blockers", async () => {
  const { rest } = await world.workspace();
  const { body: made } = await rest.post("/campaigns", { name: "Instants" });
  const settings = `/campaigns/${made.id}/settings`;
  const { body } = await rest.patch(settings, { startAt: "2030-01-02", endAt: "2030-02-01T01:00:00+02:00" });
  expect(body).toMatchObject({ startAt: "2030-01-02T00:00:00.000Z", endAt: "2030-01-31T23:00:00.000Z" });
  expect(await rest.patch(settings, { startAt: "tomorrow" })).toMatchObject({
    status: 400,
    body: { details: { issues: [{ path: "startAt" }] } },
  });
  expect(await rest.patch(settings, { launchBlockers: ["MAILBOX_NOT_WARN"] })).toMatchObject({ status: 400 });
  expect((await rest.patch(settings, { launchBlockers: ["MAILBOX_NOT_WARM"] })).body.launchBlockers).toEqual([
    "MAILBOX_NOT_WARM",
  ]);
});
