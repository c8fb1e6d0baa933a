import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function leadsOf(rest: Rest, count: number): Promise<string[]> {
  await rest.post("/leads/import", {
    action: "commit",
    rows: Array.from({ length: count }, (_, n) => ({ email: `n${n}@x.example` })),
  });
  return (await rest.get("/leads?pageSize=200")).body.items.map(({ id }: { id: string }) => id);
}

test("a new list is STATIC and empty, and lists are returned newest first", async () => {
  const { rest, workspaceId } = await world.workspace("lead_lists:read", "lead_lists:write");
  const first = await rest.post("/lead-lists", { name: "=First\r\n" });
  for (const name of [" ", "\r\n", ""]) expect(await rest.post("/lead-lists", { name })).toMatchObject({ status: 400 });
  const second = await rest.post("/lead-lists", { name: "Second", description: "of two", type: "STATIC" });
  expect(first).toMatchObject({
    status: 201,
    body: { workspaceId, name: "=First", description: null, type: "STATIC", filterRules: null, memberCount: 0 },
  });
  expect((await rest.get("/lead-lists")).body).toEqual([second.body, first.body]);
});

test.each([
  ["filterRules", { name: "x", type: "DYNAMIC" }],
  ["filterRules", { name: "x", type: "STATIC", filterRules: { tags: ["a"] } }],
  ["filterRules", { name: "x", filterRules: "all" }],
  ["type", { name: "x", type: "SMART" }],
  ["name", { name: "" }],
  ["name", {}],
  ["name", { name: "x".repeat(201) }],
  ["colour", { name: "x", colour: "red" }],
])("creating a list refuses %s of %j", async (path, body) => {
  const { rest } = await world.workspace();
  const answer = await rest.post("/lead-lists", body);
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } } });
});

test("each lead joins and leaves a list once, and unknown ids and ids of other workspaces are reported", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const foreign = (await other.rest.post("/leads", { email: "a@x.example" })).body.id;
  const [one, two, three] = await leadsOf(rest, 3);
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  const call = async (action: string, ...leadIds: unknown[]) =>
    (await rest.post("/lead-lists/manage", { action, listId: list.id, leadIds })).body;
  expect(await call("addMembers", one, two, two, foreign)).toMatchObject({
    changed: 2,
    notFound: [foreign],
    list: { id: list.id, memberCount: 2 },
  });
  expect(await call("addMembers", two, three)).toMatchObject({ changed: 1, notFound: [], list: { memberCount: 3 } });
  expect(await call("addMembers", two, three)).toMatchObject({ changed: 0, notFound: [], list: { memberCount: 3 } });
  expect(await call("removeMembers", one, foreign)).toMatchObject({
    changed: 1,
    notFound: [foreign],
    list: { memberCount: 2 },
  });
  expect(await call("removeMembers", one)).toMatchObject({ changed: 0, notFound: [], list: { memberCount: 2 } });
  expect((await rest.get(`/leads?listId=${list.id}`)).body.items.map(({ id }: { id: string }) => id)).toEqual([
    two,
    three,
  ]);
  expect((await rest.get(`/leads/${two}`)).body.lists).toEqual([{ id: list.id, name: "Spring" }]);
});

test("parallel additions count each member once", async () => {
  const { rest } = await world.workspace();
  const leadIds = await leadsOf(rest, 60);
  const { body: list } = await rest.post("/lead-lists", { name: "Race" });
  const parts = [leadIds, leadIds.slice(0, 40), leadIds.slice(20), leadIds];
  const answers = await Promise.all(
    parts.map((part) => rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: part })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.reduce((sum, { body }) => sum + body.changed, 0)).toBe(60);
  expect((await rest.get("/lead-lists")).body[0].memberCount).toBe(60);
});

test("a list can be renamed, described and deleted, and its leads are kept", async () => {
  const { rest, workspaceId } = await world.workspace();
  const [lead] = await leadsOf(rest, 1);
  const { body: list } = await rest.post("/lead-lists", { name: "Old", description: "kept" });
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: [lead] });
  const manage = (body: object) => rest.post("/lead-lists/manage", { listId: list.id, ...body });
  expect((await manage({ action: "update", input: { name: "New" } })).body).toMatchObject({
    name: "New",
    description: "kept",
    memberCount: 1,
  });
  expect((await manage({ action: "update", input: { description: null } })).body).toMatchObject({
    name: "New",
    description: null,
  });
  expect((await manage({ action: "update", input: { type: "DYNAMIC" } })).status).toBe(400);
  expect((await manage({ action: "delete" })).body).toEqual({ id: list.id, deleted: true });
  expect(await manage({ action: "delete" })).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  expect((await rest.get(`/leads/${lead}`)).body.lists).toEqual([]);
  expect(await scoped(workspaceId).Lead.count({ listIds: list.id })).toBe(0);
});

test("a list with rules is DYNAMIC, and is counted when it is created and when its rules change", async () => {
  const { rest } = await world.workspace();
  await leadsOf(rest, 3);
  await rest.post("/leads", { email: "ada@x.example", company: "Acme", plan: "gold" });
  const filterRules = { "customFields.plan": "GOLD" };
  const { status, body: list } = await rest.post("/lead-lists", { name: "Gold", filterRules });
  expect(status).toBe(201);
  expect(list).toMatchObject({ type: "DYNAMIC", filterRules, memberCount: 1, countedAt: expect.any(String) });
  const update = (input: object) => rest.post("/lead-lists/manage", { action: "update", listId: list.id, input });
  expect((await update({ name: "All", filterRules: {} })).body).toMatchObject({
    name: "All",
    filterRules: {},
    memberCount: 4,
  });
  expect((await update({ description: "kept" })).body).toMatchObject({
    description: "kept",
    filterRules: {},
    memberCount: 4,
  });
  const refused = await update({ filterRules: { colour: "red" } });
  expect(refused).toMatchObject({ status: 400, body: { code: "FILTER_INVALID" } });
  expect(refused.body.details.issues).toMatchObject([{ path: "input.filterRules.colour", code: "UNKNOWN_FIELD" }]);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "All", filterRules: {} }]);
});

test("a STATIC list cannot be given rules later", async () => {
  const { rest } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Plain" });
  const answer = await rest.post("/lead-lists/manage", {
    action: "update",
    listId: list.id,
    input: { name: "New", filterRules: {} },
  });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "input.filterRules" }] } },
  });
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ name: "Plain", type: "STATIC", filterRules: null }]);
});

test("a workspace has at most a thousand lists", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 999 }, (_, n) => ({ _id: newId("lst"), name: `${n}` }));
  await scoped(workspaceId).LeadList.insertMany(rows);
  expect((await rest.post("/lead-lists", { name: "the last" })).status).toBe(201);
  const over = await rest.post("/lead-lists", { name: "too many" });
  expect(over).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED", details: { limit: 1_000 } } });
  expect((await rest.get("/lead-lists")).body).toHaveLength(1_000);
});

test("a deleted list is detached from its campaigns", async () => {
  const { rest } = await world.workspace();
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const { body: list } = await rest.post("/lead-lists", { name: "Gone" });
  await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addFromList", leadListId: list.id });
  expect((await rest.get(`/campaigns/${campaign.id}`)).body.audienceListIds).toEqual([list.id]);
  await rest.post("/lead-lists/manage", { action: "delete", listId: list.id });
  expect((await rest.get(`/campaigns/${campaign.id}`)).body.audienceListIds).toEqual([]);
  const refreshed = await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "refreshAudience" });
  expect(refreshed).toMatchObject({ status: 200, body: { added: 0, total: 0 } });
});

test("the members of a dynamic list cannot be edited", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { _id } = await scoped(workspaceId).LeadList.insert({
    _id: newId("lst"),
    name: "Segment",
    type: "DYNAMIC",
    filterRules: {},
  });
  for (const action of ["addMembers", "removeMembers"]) {
    const answer = await rest.post("/lead-lists/manage", { action, listId: _id, leadIds: [newId("led")] });
    expect(answer).toMatchObject({ status: 422, body: { code: "LIST_IS_DYNAMIC" } });
  }
  const imported = await rest.post("/leads/import", {
    action: "commit",
    rows: [{ email: "a@x.example" }],
    listId: _id,
  });
  expect(imported).toMatchObject({ status: 422, body: { code: "LIST_IS_DYNAMIC" } });
});

test("a list of another workspace is answered like an unknown one, for every action", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body: list } = await other.rest.post("/lead-lists", { name: "Theirs" });
  const [leadId] = await leadsOf(rest, 1);
  for (const body of [
    { action: "update", input: { name: "Mine" } },
    { action: "delete" },
    { action: "addMembers", leadIds: [leadId] },
    { action: "removeMembers", leadIds: [leadId] },
  ]) {
    expect(await rest.post("/lead-lists/manage", { ...body, listId: list.id })).toMatchObject({
      status: 404,
      body: { code: "LIST_NOT_FOUND" },
    });
  }
  expect((await other.rest.get("/lead-lists")).body).toMatchObject([{ name: "Theirs", memberCount: 0 }]);
});

test("a change of list members requires at most a thousand ids, a known action and a credential with the write scope", async () => {
  const { rest, withScopes } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  const leadIds = Array.from({ length: 1_001 }, () => newId("led"));
  const manage = (rest: Rest, action: string, ids: string[]) =>
    rest.post("/lead-lists/manage", { action, listId: list.id, leadIds: ids });
  expect((await manage(rest, "addMembers", leadIds)).status).toBe(400);
  expect((await manage(rest, "addMembers", leadIds.slice(1))).body).toMatchObject({
    changed: 0,
    notFound: leadIds.slice(1),
  });
  expect((await manage(rest, "shuffle", leadIds.slice(1))).status).toBe(400);
  const reader = await withScopes("lead_lists:read");
  expect((await manage(reader, "addMembers", leadIds.slice(1))).status).toBe(403);
  expect((await reader.get("/lead-lists")).status).toBe(200);
});
