import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { planOf } from "../support/plan.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a new field gets its key from its label, has the type TEXT by default, and is last in order", async () => {
  const { rest, workspaceId } = await world.workspace("custom_fields:read", "custom_fields:write");
  const { status, body: first } = await rest.post("/custom-fields", { label: "Head count" });
  expect(status).toBe(201);
  expect(first).toEqual({
    id: expect.stringMatching(/^fld_/),
    workspaceId,
    key: "headCount",
    label: "Head count",
    type: "TEXT",
    options: null,
    order: 1,
    archived: false,
    archivedAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const { body: second } = await rest.post("/custom-fields", {
    label: "Plan",
    key: "thePlan",
    type: "SELECT",
    options: ["Gold", "Free"],
  });
  expect(second).toMatchObject({ key: "thePlan", type: "SELECT", options: ["Gold", "Free"], order: 2 });
  expect((await rest.get("/custom-fields")).body).toEqual([first, second]);
});

test.each([
  ["the same key", { label: "x", key: "headCount" }],
  ["another case", { label: "x", key: "headcount" }],
  ["an underscore", { label: "Head_count" }],
  ["the key of an archived field", { label: "x", key: "old" }],
  ["a built-in variable", { label: "First name" }],
  ["a built-in variable in other letters", { label: "x", key: "first_name" }],
  ["a field of the lead", { label: "Tags" }],
])("a new field is refused because its key is taken by %s", async (_name, body) => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { label: "Head count" });
  const { body: old } = await rest.post("/custom-fields", { label: "Old" });
  await rest.post("/custom-fields/manage", { action: "delete", fieldId: old.id });
  expect(await rest.post("/custom-fields", body)).toMatchObject({ status: 409, body: { code: "FIELD_KEY_TAKEN" } });
  expect((await rest.get("/custom-fields?includeArchived=true")).body).toHaveLength(2);
});

test.each([
  ["label", {}],
  ["label", { label: "" }],
  ["key", { label: "x", key: "9lives" }],
  ["key", { label: "x", key: "a.b" }],
  ["key", { label: "x", key: "$ne" }],
  ["key", { label: "x", key: `a${"b".repeat(64)}` }],
  ["key", { label: "字" }],
  ["type", { label: "x", type: "text" }],
  ["options", { label: "x", type: "SELECT" }],
  ["options", { label: "x", type: "SELECT", options: [] }],
  ["options", { label: "x", type: "SELECT", options: ["a", "a"] }],
  ["options", { label: "x", type: "TEXT", options: ["a"] }],
  ["colour", { label: "x", colour: "red" }],
])("creating a field refuses %s of %j", async (path, body) => {
  const { rest } = await world.workspace();
  const answer = await rest.post("/custom-fields", body);
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } } });
});

test("a field is changed, is archived with its values kept, and is restored", async () => {
  const { rest } = await world.workspace();
  const { body: field } = await rest.post("/custom-fields", { label: "Plan", type: "SELECT", options: ["Gold"] });
  const { body: lead } = await rest.post("/leads", { email: "a@x.example", customFields: { plan: "Gold" } });
  const manage = (body: object) => rest.post("/custom-fields/manage", { fieldId: field.id, ...body });
  const update = (input: object) => manage({ action: "update", input });
  expect((await update({ label: "The plan", options: ["Gold", "Free"] })).body).toMatchObject({
    label: "The plan",
    options: ["Gold", "Free"],
    key: "plan",
  });
  for (const input of [{ key: "other" }, { type: "TEXT" }, { options: [] }])
    expect((await update(input)).status).toBe(400);
  expect((await manage({ action: "delete" })).body).toMatchObject({
    id: field.id,
    archived: true,
    archivedAt: expect.any(String),
  });
  expect((await manage({ action: "delete" })).status).toBe(200);
  expect((await rest.get("/custom-fields")).body).toEqual([]);
  expect((await rest.get("/custom-fields?includeArchived=true")).body).toMatchObject([{ archived: true }]);
  expect((await rest.get("/custom-fields?includeArchived=yes")).status).toBe(400);
  expect((await rest.get(`/leads/${lead.id}`)).body.customFields).toEqual({ plan: "Gold" });
  expect((await update({ archived: false })).body).toMatchObject({ archived: false, archivedAt: null });
});

test("fields are reordered by a list that names every field once", async () => {
  const { rest } = await world.workspace();
  const ids: string[] = [];
  for (const label of ["One", "Two", "Three"]) ids.push((await rest.post("/custom-fields", { label })).body.id);
  const [one, two, three] = ids;
  const reorder = (...wanted: unknown[]) => rest.post("/custom-fields/manage", { action: "reorder", ids: wanted });
  expect(
    (await reorder(three, one, two)).body.map(({ label, order }: { label: string; order: number }) => [label, order]),
  ).toEqual([
    ["Three", 1],
    ["One", 2],
    ["Two", 3],
  ]);
  for (const wrong of [
    [one, two],
    [one, two, two],
    [one, two, newId("fld")],
    [one, two, three, three],
    Array.from({ length: 1_001 }, () => one),
  ]) {
    expect((await reorder(...wrong)).status).toBe(400);
  }
  await rest.post("/custom-fields/manage", { action: "delete", fieldId: two });
  expect((await reorder(one, three)).body).toMatchObject([{ label: "One" }, { label: "Three" }]);
});

test("the catalogue lists the built-in variables first, then the custom fields", async () => {
  const { rest } = await world.workspace("custom_fields:read", "custom_fields:write");
  await rest.post("/custom-fields", { label: "Plan", type: "SELECT", options: ["Gold", "Free"] });
  const { body } = await rest.get("/custom-fields/variables");
  expect(body[0]).toEqual({
    key: "firstName",
    token: "{{firstName}}",
    label: "First name",
    type: "TEXT",
    source: "BUILT_IN",
    sample: "Ada",
  });
  expect(body.map(({ key }: { key: string }) => key)).toEqual(
    expect.arrayContaining(["senderCompany", "unsubscribeLink", "weekday"]),
  );
  expect(body.at(-1)).toEqual({
    key: "plan",
    token: "{{customFields.plan}}",
    label: "Plan",
    type: "SELECT",
    source: "CUSTOM",
    sample: "Gold",
  });
});

test("a field of another workspace is answered like an unknown one, and nothing changes", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body: field } = await other.rest.post("/custom-fields", { label: "Theirs" });
  for (const body of [{ action: "update", input: { label: "Mine" } }, { action: "delete" }]) {
    expect(await rest.post("/custom-fields/manage", { ...body, fieldId: field.id })).toMatchObject({
      status: 404,
      body: { code: "FIELD_NOT_FOUND" },
    });
  }
  expect((await rest.post("/custom-fields/manage", { action: "reorder", ids: [field.id] })).status).toBe(400);
  expect((await other.rest.get("/custom-fields")).body).toEqual([field]);
  expect((await rest.post("/custom-fields", { label: "Theirs" })).status).toBe(201);
});

test("a workspace has at most two hundred fields, and archiving one makes room", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 200 }, (_, n) => ({
    _id: newId("fld"),
    key: `f${n}`,
    name: `f${n}`,
    label: `${n}`,
    order: n,
  }));
  await scoped(workspaceId).CustomField.insertMany(rows);
  expect(await rest.post("/custom-fields", { label: "More" })).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 200 } },
  });
  const fieldId = rows[0]?._id;
  await rest.post("/custom-fields/manage", { action: "delete", fieldId });
  expect((await rest.post("/custom-fields", { label: "More" })).status).toBe(201);
  const restored = await rest.post("/custom-fields/manage", { action: "update", fieldId, input: { archived: false } });
  expect(restored).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED" } });
});

test("a field key that is created ten times at once is created once", async () => {
  const { rest } = await world.workspace();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => rest.post("/custom-fields", { label: n % 2 ? "Head count" : "head_count" })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
});

test("a credential reads or writes fields only as its scopes allow", async () => {
  const { withScopes } = await world.workspace();
  const reader = await withScopes("custom_fields:read");
  expect((await reader.get("/custom-fields")).status).toBe(200);
  expect((await reader.get("/custom-fields/variables")).status).toBe(200);
  expect((await reader.post("/custom-fields", { label: "x" })).status).toBe(403);
  expect((await reader.post("/custom-fields/manage", { action: "reorder", ids: [] })).status).toBe(403);
});

test("custom fields are read from an index in sort order", async () => {
  const { workspaceId } = await world.workspace();
  for (const filter of [{}, { archived: false }]) {
    const stages = await planOf("custom_fields", { workspaceId, ...filter }, { order: 1, _id: 1 });
    expect(stages).toContain("IXSCAN");
    expect(stages).not.toContain("SORT");
  }
});

test("a value of a declared field has the field's type in any spelling of its key, and undeclared keys accept any value", async () => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { label: "Size", type: "NUMBER" });
  await rest.post("/custom-fields", { label: "Plan", type: "SELECT", options: ["Gold"] });
  const refused = await rest.post("/leads", {
    email: "a@x.example",
    customFields: { size: "big", plan: "gold", other: "any" },
  });
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(refused.body.details.issues).toMatchObject([
    { path: "customFields.size", code: "TYPE_MISMATCH" },
    { path: "customFields.plan", code: "TYPE_MISMATCH" },
  ]);
  const { body: lead } = await rest.post("/leads", {
    email: "a@x.example",
    size: 5,
    customFields: { plan: "Gold", other: { a: 1 } },
  });
  expect(lead.customFields).toEqual({ size: 5, plan: "Gold", other: { a: 1 } });
  const patch = (customFields: object) =>
    rest.post("/leads/manage", { action: "update", leadId: lead.id, patch: { customFields } });
  expect((await patch({ size: "6" })).body.details.issues).toMatchObject([{ path: "patch.customFields.size" }]);
  expect((await patch({ size: null })).status).toBe(200);
  const rows = [
    { email: "a@x.example", size: " 7 ", plan: "Gold" },
    { email: "b@x.example", size: "many" },
  ];
  const fieldMapping = { email: "email", size: "customFields.size", plan: "customFields.plan" };
  const imported = await rest.post("/leads/import", { action: "commit", rows, fieldMapping });
  expect(imported.body).toMatchObject({
    updated: 1,
    created: 1,
    invalid: 0,
    warnings: [{ row: 2, column: "size", code: "TYPE_MISMATCH", value: "many", suggestion: null }],
  });
  expect((await rest.get(`/leads/${lead.id}`)).body.customFields).toMatchObject({ size: 7 });
});
