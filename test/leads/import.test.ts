import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { commitPage } from "../../store/leads/import-page.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const UNNAMED = { kind: "IMPORT", actor: null, name: null, id: null } as const;

const ZERO = {
  created: 0,
  updated: 0,
  skipped: 0,
  invalid: 0,
  duplicateInFile: 0,
  alreadyExists: 0,
  blocked: 0,
  suppressed: 0,
  membershipsAdded: 0,
};

test("every row has exactly one outcome, counts such as blocked come in addition, and the dry run counts like the commit", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/leads", { email: "known@x.example", firstName: "Known", tags: ["old"] });
  await rest.post("/leads", { email: "same@x.example", firstName: "Same" });
  await rest.post("/block-list", { value: "blocked.example" });
  await rest.post("/block-list", { value: "bob@y.example" });
  await suppressAddress(workspaceId, "gone@x.example", "UNSUBSCRIBED");
  const rows = [
    { Email: "new@x.example", "First Name": "New", tags: "a; b" },
    { Email: "KNOWN@x.example", "First Name": "", tags: "new,old" },
    { Email: "same@x.example", "First Name": "Same", tags: "" },
    { Email: "new@X.example", "First Name": "Later row" },
    { Email: "", "First Name": "Nobody" },
    { Email: "not an address", "First Name": "Nobody" },
    { Email: "a@sub.blocked.example" },
    { Email: "bob@y.example" },
    { Email: "gone@x.example" },
    { Email: "long@x.example", "First Name": "x".repeat(201) },
  ];
  const expected = {
    ...ZERO,
    total: 10,
    created: 3,
    updated: 1,
    skipped: 3,
    invalid: 2,
    duplicateInFile: 1,
    alreadyExists: 2,
    blocked: 2,
    suppressed: 1,
    errors: [
      { row: 5, email: null, code: "REQUIRED", message: "email is empty" },
      { row: 6, email: "not an address", code: "INVALID_FORMAT", message: "email is not a valid address" },
    ],
    warnings: [{ row: 10, column: "First Name", code: "TOO_BIG", value: `${"x".repeat(99)}…`, suggestion: null }],
    warningCount: 1,
    mapping: { Email: "email", "First Name": "firstName", tags: "tags" },
    suggestedMapping: { Email: "email", "First Name": "firstName", tags: "tags" },
    unmappedColumns: [],
  };
  const dry = await rest.post("/leads/import", { action: "dryRun", rows });
  expect(dry).toMatchObject({ status: 200, body: { action: "dryRun", ...expected } });
  expect((await rest.get("/leads")).body.total).toBe(2);
  const done = await rest.post("/leads/import", { action: "commit", rows, source: "MANUAL", fileName: "list.csv" });
  expect(done.body).toEqual({ action: "commit", ...expected });
  const { items } = (await rest.get("/leads")).body;
  const byEmail = Object.fromEntries(items.map((lead: { email: string }) => [lead.email, lead]));
  expect(byEmail["new@x.example"]).toMatchObject({ firstName: "New", tags: ["a", "b"], source: "MANUAL" });
  expect(byEmail["known@x.example"]).toMatchObject({ firstName: "Known", tags: ["old", "new"], source: "API" });
  expect(byEmail["gone@x.example"]).toMatchObject({ suppressed: true, suppressionReason: "UNSUBSCRIBED" });
  expect(byEmail["long@x.example"]).toMatchObject({ firstName: null });
  expect(items).toHaveLength(5);
  const again = await rest.post("/leads/import", { action: "commit", rows });
  expect(again.body).toMatchObject({
    created: 0,
    updated: 0,
    skipped: 7,
    invalid: 2,
    duplicateInFile: 1,
    alreadyExists: 5,
  });
});

test("the history of each imported lead records its import once, and a repeated commit adds nothing", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads", { email: "known@x.example" });
  const rows = [{ email: "new@x.example" }, { email: "known@x.example", company: "Acme" }];
  const call = () => rest.post("/leads/import", { action: "commit", rows, fileName: "a.csv" });
  await call();
  await call();
  const { credentialId: actor } = (await rest.get("/whoami")).body;
  const { items } = (await rest.get("/leads")).body;
  for (const { id, email } of items) {
    const { body } = await rest.get(`/leads/${id}/activity`);
    const isNew = email === "new@x.example";
    const imported = { type: "IMPORTED", actor, data: { source: "CSV", fileName: "a.csv", created: isNew } };
    expect(body.items).toMatchObject(isNew ? [imported] : [imported, { type: "LEAD_CREATED" }]);
    expect(body.items).toHaveLength(isNew ? 1 : 2);
  }
});

test("imported leads are found by search and have creation and update times", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads/import", {
    action: "commit",
    rows: [{ email: "ada@x.example", "first name": "Ada", COMPANY: "Analytical Engines" }],
  });
  const { body } = await rest.get("/leads?search=engi%20ada");
  expect(body.items).toMatchObject([
    { fullName: "Ada", createdAt: expect.any(String), updatedAt: expect.any(String), customFields: {} },
  ]);
});

test("a dry run and a commit report how each column was read, suggest a field, and name the columns without a field", async () => {
  const { rest } = await world.workspace();
  const rows = [
    { "E Mail": "x", EMAIL: "a@x.example", job_title: "CTO" },
    { "Last Name": "L", lastname: "M", "customFields.headcount": 3, dob: "1970" },
  ];
  const suggestedMapping = {
    "E Mail": "email",
    job_title: "jobTitle",
    "Last Name": "lastName",
    "customFields.headcount": "customFields.headcount",
  };
  for (const action of ["dryRun", "commit"]) {
    const call = async (more: object) => (await rest.post("/leads/import", { action, rows, ...more })).body;
    expect(await call({})).toMatchObject({
      mapping: suggestedMapping,
      suggestedMapping,
      unmappedColumns: ["EMAIL", "lastname", "dob"],
    });
    const named = await call({ fieldMapping: { EMAIL: "email", dob: null } });
    expect(named).toMatchObject({ mapping: { EMAIL: "email" }, suggestedMapping });
    expect(named.unmappedColumns).toEqual([
      "E Mail",
      "job_title",
      "Last Name",
      "lastname",
      "customFields.headcount",
      "dob",
    ]);
  }
});

test("unmapped columns become custom fields on request, and a column with the label of a declared field fills that field", async () => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { label: "Number of employees", key: "headcount", type: "NUMBER" });
  const rows = [
    { Email: "ada@x.example", "Number of Employees": "1,200", "Last contact": "in May", Score: 7, Notes: "N/A" },
  ];
  const { body } = await rest.post("/leads/import", { action: "commit", rows, keepUnmapped: true });
  expect(body).toMatchObject({
    created: 1,
    mapping: {
      Email: "email",
      "Number of Employees": "customFields.headcount",
      "Last contact": "customFields.lastContact",
      Score: "customFields.score",
      Notes: "customFields.notes",
    },
    unmappedColumns: [],
    warningCount: 0,
  });
  expect((await rest.get("/leads")).body.items).toMatchObject([
    { customFields: { headcount: 1_200, lastContact: "in May", score: 7 } },
  ]);
});

test("a mapping from the caller alone decides which column fills which field", async () => {
  const { rest } = await world.workspace();
  const rows = [
    { mail: "ada@x.example", first: "Ada", email: "other@x.example", size: 40, vip: true, labels: "a", team: "b" },
  ];
  const fieldMapping = {
    mail: "email",
    first: "firstName",
    email: null,
    size: "customFields.headcount",
    vip: "customFields.isVip",
    labels: "tags",
    team: "tags",
  };
  expect((await rest.post("/leads/import", { action: "commit", rows, fieldMapping })).body).toMatchObject({
    created: 1,
  });
  expect((await rest.get("/leads")).body.items).toMatchObject([
    { email: "ada@x.example", firstName: "Ada", tags: ["a", "b"], customFields: { headcount: 40, isVip: true } },
  ]);
});

test.each([
  ["fieldMapping.a", { a: "nowhere" }, "INVALID_VALUE"],
  ["fieldMapping.a", { a: "suppressed" }, "INVALID_VALUE"],
  ["fieldMapping.a", { a: "customFields.$where" }, "INVALID_VALUE"],
  ["fieldMapping.a", { a: "customFields.__proto__" }, "INVALID_VALUE"],
  ["fieldMapping.a", { a: "customFields.b.c" }, "INVALID_VALUE"],
  ["fieldMapping.b", { a: "email", b: "email" }, "DUPLICATE_TARGET"],
  ["fieldMapping", { a: "firstName" }, "REQUIRED"],
])("an invalid mapping is refused at %s: %j", async (path, fieldMapping, code) => {
  const { rest } = await world.workspace();
  const answer = await rest.post("/leads/import", { action: "commit", rows: [{ a: "a@x.example" }], fieldMapping });
  expect(answer).toMatchObject({ status: 400, body: { details: { issues: [{ path, code }] } } });
});

test("values are stored as in the file, except that the quote which an export adds before a formula is removed", async () => {
  const { rest } = await world.workspace();
  const values = {
    firstName: "a\r\nBcc: b",
    lastName: "'=1+1",
    company: "=> 1",
    city: "__proto__",
    jobTitle: "'quoted",
    phone: "+442079460000",
  };
  await rest.post("/leads/import", { action: "commit", rows: [{ email: "a@x.example", ...values }] });
  expect((await rest.get("/leads")).body.items).toMatchObject([
    { ...values, lastName: "=1+1", phoneStatus: "revealed" },
  ]);
});

test("an import adds its leads to a static list, each once, including leads that existed before", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads", { email: "known@x.example" });
  await rest.post("/block-list", { value: "blocked.example" });
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  const rows = [{ email: "known@x.example" }, { email: "new@x.example" }, { email: "a@blocked.example" }];
  const call = async (action: string) => (await rest.post("/leads/import", { action, rows, listId: list.id })).body;
  expect(await call("dryRun")).toMatchObject({ membershipsAdded: 2, created: 1, skipped: 2 });
  expect(await call("commit")).toMatchObject({ membershipsAdded: 2, created: 1, skipped: 2 });
  expect(await call("commit")).toMatchObject({ membershipsAdded: 0, created: 0, skipped: 3 });
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ id: list.id, memberCount: 2 }]);
  expect((await rest.get(`/leads?listId=${list.id}`)).body.total).toBe(2);
});

test("an import into a list of another workspace is refused, and nothing is imported", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body: list } = await other.rest.post("/lead-lists", { name: "Theirs" });
  for (const action of ["dryRun", "commit"]) {
    const answer = await rest.post("/leads/import", { action, rows: [{ email: "a@x.example" }], listId: list.id });
    expect(answer).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  }
  expect((await rest.get("/leads")).body.total).toBe(0);
});

test("the same file imported several times at once creates each lead and each membership once", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Race" });
  const rows = Array.from({ length: 300 }, (_, n) => ({ email: `n${n}@x.example`, firstName: `N${n}` }));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => rest.post("/leads/import", { action: "commit", rows, listId: list.id })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers.map(({ body }) => body.created).toSorted((one, other) => one - other)).toEqual([0, 0, 0, 300]);
  expect((await rest.get("/leads?pageSize=1")).body.total).toBe(300);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 300 }]);
  const leads = await scoped(workspaceId).Lead.find({});
  expect(leads.map(({ imports }) => imports.length)).toEqual(Array(300).fill(1));
});

test("an address in two simultaneous imports becomes one lead", async () => {
  const { rest, workspaceId } = await world.workspace();
  const [email, domain] = ["twice@x.example", "x.example"];
  await inTransaction(async () => {
    await scoped(workspaceId).Lead.count(); // from here on this transaction sees nothing that others commit
    await outsideTransaction(() => rest.post("/leads/import", { action: "commit", rows: [{ email }] }));
    const rows = [{ row: 1, email, domain, change: { firstName: "Ada" } }];
    await commitPage(
      { workspaceId, rows, listId: null, importId: "vrq_1", createdFrom: UNNAMED },
      { source: "CSV", fileName: null, actor: "key" },
    );
  });
  expect((await rest.get("/leads")).body.items).toMatchObject([{ email, firstName: "Ada" }]);
});

test("an address that is suppressed during an import of its lead never becomes sendable, whichever commits last", async () => {
  const { rest, workspaceId } = await world.workspace();
  const suppress = (email: string) => suppressAddress(workspaceId, email, "UNSUBSCRIBED");
  const [early, late] = ["early@x.example", "late@x.example"];
  const rows = [{ row: 1, email: early, domain: "x.example", change: {} }];
  await inTransaction(async () => {
    await commitPage(
      { workspaceId, rows, listId: null, importId: "vrq_1", createdFrom: UNNAMED },
      { source: "CSV", fileName: null, actor: "key" },
    );
    await outsideTransaction(() => suppress(early));
  });
  await inTransaction(async () => {
    await suppress(late);
    await outsideTransaction(() => rest.post("/leads/import", { action: "commit", rows: [{ email: late }] }));
  });
  const { items } = (await rest.get("/leads")).body;
  expect(items).toMatchObject([
    { email: late, suppressed: true, suppressionReason: "UNSUBSCRIBED" },
    { email: early, suppressed: true, suppressionReason: "UNSUBSCRIBED" },
  ]);
});

test("a cell that does not fit the type of its field is left out with a warning, and the lead is imported", async () => {
  const { rest } = await world.workspace();
  await rest.post("/custom-fields", { label: "Head count", type: "NUMBER" });
  const rows = [
    { email: "a@x.example", "customFields.headCount": "12" },
    { email: "b@x.example", "customFields.headCount": "many", "customFields.free": "x" },
    { email: "b@x.example", "customFields.headCount": 7 },
  ];
  for (const action of ["dryRun", "commit"]) {
    const { body } = await rest.post("/leads/import", { action, rows });
    expect(body).toMatchObject({
      created: 2,
      invalid: 0,
      duplicateInFile: 1,
      warnings: [{ row: 2, column: "customFields.headCount", code: "TYPE_MISMATCH", value: "many", suggestion: null }],
    });
  }
  const { items } = (await rest.get("/leads")).body;
  expect(items.map(({ customFields }: { customFields: object }) => customFields)).toEqual([
    { free: "x" },
    { headCount: 12 },
  ]);
});

test("while Temporal is unreachable small imports work, and large imports are refused without effect", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = Array.from({ length: 1_001 }, (_, n) => ({ email: `n${n}@x.example` }));
  for (const action of ["dryRun", "commit"]) {
    const refused = await rest.post("/leads/import", { action, rows });
    expect(refused).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  }
  expect(await scoped(workspaceId).Job.count()).toBe(0);
  expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
  expect((await rest.post("/leads/import", { action: "commit", rows: rows.slice(0, 1_000) })).body.created).toBe(1_000);
});

test.each([
  ["an unknown action", { action: "now", rows: [] }],
  ["no rows", { action: "commit" }],
  ["rows that are no objects", { action: "commit", rows: ["a@x.example"] }],
  ["an unknown source", { action: "commit", rows: [], source: "FTP" }],
  ["too many rows", { action: "commit", rows: Array.from({ length: 50_001 }, () => ({})) }],
])("%s is refused", async (_name, body) => {
  const { rest } = await world.workspace();
  expect(await rest.post("/leads/import", body)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});
