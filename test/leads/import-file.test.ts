import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { jobActivities } from "../../activities/jobs.ts";
import { examples } from "../../api/examples.ts";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { seal } from "../../domain/access/seal.ts";
import type { JobIds } from "../../domain/job.ts";
import { MAX_INLINE } from "../../domain/leads/import.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { JobChunk as Chunks } from "../../models/job-chunk.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { limit } from "../../operations/abuse/limit.ts";
import type { Context } from "../../operations/context.ts";
import { receiveCsv } from "../../operations/csv-upload.ts";
import type { JobKind } from "../../store/jobs.ts";
import { sweepStagedRows } from "../../store/jobs.ts";
import { leadImport } from "../../store/leads/import-job.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

const FILE = "/leads/import/file";

function form(
  file: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = { action: "commit" },
  name = "leads.csv",
): FormData {
  const body = new FormData();
  body.append("file", new File([file], name, { type: "text/csv" }));
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  return body;
}

function ended(rest: Rest, jobId: string) {
  const read = async () => {
    const { body } = await rest.get(`/leads/import/${jobId}`);
    return ["QUEUED", "RUNNING"].includes(body.status) ? null : body;
  };
  return until(read, { deadlineMs: 90_000, what: "the import to end" });
}

/** The job of a file when it has ended. */
async function imported(rest: Rest, body: FormData) {
  const answer = await rest.post(FILE, body);
  expect([answer.status, answer.status === 202 ? null : answer.body]).toEqual([202, null]);
  return ended(rest, answer.body.id);
}

const refused = (code: string, message: string | RegExp, path = "file") => ({
  status: 400,
  body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code, message: expect.stringMatching(message) }] } },
});

test("a file with more rows than the workspace may import on a day starts no job (rules/access 8.5)", async () => {
  const { rest, workspaceId } = await world.workspace();
  await limit(workspaceId, 2, "A trial", { what: "IMPORTED_ROWS" });
  const file = "email\na@x.example\nb@x.example\nc@x.example\n";
  expect(await rest.post(FILE, form(file, { action: "commit" }))).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 2, path: "file" } },
  });
  expect(await scoped(workspaceId).Job.count()).toBe(0);
});

test("an imported file becomes a job that all lists of jobs show, and nothing of the file is kept", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Fair" });
  const text =
    'E-Mail;First name;Notiz\r\nzoe@x.example;Zoë;"one\r\ntwo; three"\r\nann@x.example;Ann\r\n\r\nANN@x.example;Anna;\r\nnobody;N;\r\n';
  const fields = {
    action: "commit",
    listId: list.id,
    fieldMapping: JSON.stringify({ "E-Mail": "email", Notiz: "customFields.note", "First name": "firstName" }),
  };
  const started = await rest.post(FILE, form(new Uint8Array(Buffer.from(text, "latin1")), fields, "Ünïcode.csv"));
  expect(started).toMatchObject({
    status: 202,
    body: { type: "LEAD_IMPORT", fileName: "Ünïcode.csv", progress: { total: 4 } },
  });
  const job = await ended(rest, started.body.id);
  expect(job).toMatchObject({
    status: "COMPLETED_WITH_ERRORS",
    progress: { total: 4, processed: 4, failed: 1 },
    result: { action: "commit", total: 4, created: 2, invalid: 1, duplicateInFile: 1, membershipsAdded: 2 },
  });
  expect(job.result.errors.map(({ row, code }: { row: number; code: string }) => [row, code])).toEqual([
    [4, "INVALID_FORMAT"],
  ]);
  const { body: jobs } = await rest.get("/jobs?type=LEAD_IMPORT");
  expect(jobs.items).toMatchObject([{ id: job.id, status: job.status }]);
  const { body: leads } = await rest.get("/leads");
  expect(leads.items).toMatchObject([
    { email: "ann@x.example", firstName: "Ann", source: "CSV" },
    { email: "zoe@x.example", firstName: "Zoë", customFields: { note: "one\r\ntwo; three" } },
  ]);
  expect(await scoped(workspaceId).JobChunk.count({})).toBe(0);
});

test("the example in the reference can be imported", async () => {
  const { rest } = await world.workspace();
  const example = examples.find(({ at }) => at === "post /leads/import/file");
  const { file, action, fieldMapping } = example?.body ?? {};
  const body = form(String(file), { action: String(action), fieldMapping: JSON.stringify(fieldMapping) });
  expect(await imported(rest, body)).toMatchObject({ status: "COMPLETED", result: { created: 1 } });
  expect((await rest.get("/leads")).body.items).toMatchObject([
    { firstName: "Ada", customFields: { headcount: "12" } },
  ]);
});

test("a dry run counts the same rows as the commit, and changes nothing", async () => {
  const { rest } = await world.workspace();
  const text = "email,First name,Other\nann@x.example,Ann,1\nbob@x.example,Bob,2\nbob@x.example,Bob,3\n";
  const { result: dry } = await imported(rest, form(text, { action: "dryRun" }));
  expect(dry).toMatchObject({ action: "dryRun", total: 3, created: 2, duplicateInFile: 1 });
  expect(dry).toMatchObject({
    suggestedMapping: { email: "email", "First name": "firstName" },
    unmappedColumns: ["Other"],
  });
  expect((await rest.get("/leads")).body.total).toBe(0);
  const { result: done } = await imported(rest, form(text));
  expect(done).toMatchObject({ total: 3, created: 2, duplicateInFile: 1 });
  expect(await imported(rest, form(text))).toMatchObject({ result: { created: 0, updated: 0, skipped: 2 } });
});

test("cells of a file are read like the rows of an import: by declared type, and dates in the day and month order of their column", async () => {
  const { rest } = await world.workspace();
  for (const [label, type] of [
    ["Seats", "NUMBER"],
    ["Since", "DATE"],
  ])
    expect((await rest.post("/custom-fields", { label, type })).status).toBe(201);
  const text =
    "email;Seats;Since;Other thing\nAnn Lee <a@x.example>;1,200;05/06/2024;x\nb@x.example;many;25/06/2024;\n";
  const { result } = await imported(rest, form(text, { action: "commit", keepUnmapped: "true" }));
  expect(result).toMatchObject({
    created: 2,
    warnings: [{ row: 2, column: "Seats", code: "TYPE_MISMATCH", value: "many", suggestion: null }],
    mapping: {
      email: "email",
      Seats: "customFields.seats",
      Since: "customFields.since",
      "Other thing": "customFields.otherThing",
    },
    unmappedColumns: [],
  });
  const { body } = await rest.get("/leads");
  const byEmail = new Map(body.items.map((lead: { email: string }) => [lead.email, lead]));
  expect(byEmail.get("a@x.example")).toMatchObject({
    customFields: { seats: 1_200, since: "2024-06-05", otherThing: "x" },
  });
  expect(byEmail.get("b@x.example")).toMatchObject({ customFields: { since: "2024-06-25" } });
});

test("a row with missing cells is imported, and a row with too many cells is invalid and reported with its line", async () => {
  const { rest } = await world.workspace();
  const text =
    'email,First name,City\na@x.example\nb@x.example,"B\nb",Berlin,,\nc@x.example,C,Berlin, Germany\nd@x.example,D,Bonn\n';
  const { result } = await imported(rest, form(text));
  expect(result).toMatchObject({ total: 4, created: 3, invalid: 1 });
  expect(result.errors).toEqual([
    {
      row: 3,
      email: null,
      code: "TOO_MANY_CELLS",
      message: expect.stringContaining("line 5 has 4 cells, but the file has 3 columns"),
    },
  ]);
});

test("a file that cannot be imported is refused with a code and a line, and nothing is kept", async () => {
  const { rest, workspaceId } = await world.workspace();
  const many = Array.from({ length: 1_001 }, (_, at) => `c${at}`).join(",");
  const row = (at: number) => `n${at}@x.example,N\n`;
  const long = `email,name\n${Array.from({ length: 1_200 }, (_, at) => row(at)).join("")}`;
  const cases: [string | Uint8Array<ArrayBuffer>, string, RegExp][] = [
    ["", "EMPTY_FILE", /^is empty/],
    ["\r\n \r\n", "EMPTY_FILE", /^is empty/],
    ["email,name\r\n", "EMPTY_FILE", /no row/],
    [`${many}\n1\n`, "TOO_MANY_COLUMNS", /^line 1 has 1001 columns/],
    [`${long}"open,1\n${row(9)}`, "QUOTE_NOT_CLOSED", /^line 1202 /],
    [`${long}a@x.example,${"x".repeat(65_537)}\n`, "CELL_TOO_LONG", /^line 1202 /],
    [`${long}a@x.example,\0\n`, "NOT_TEXT", /^line 1202 .*save the table as CSV/],
    [
      new Uint8Array(Buffer.from("PK\x03\x04\x14\x00\x06\x00")),
      "WORKBOOK_DAMAGED",
      /^is a workbook .*as \.xlsx or CSV/,
    ],
  ];
  for (const [file, code, message] of cases)
    expect(await rest.post(FILE, form(file))).toMatchObject(refused(code, message));
  const good = "email,name\na@x.example,A\n";
  expect(await rest.post(FILE, form(good, {}))).toMatchObject(refused("REQUIRED", "", "action"));
  expect(await rest.post(FILE, form(good, { action: "googleSheet" }))).toMatchObject(
    refused("INVALID_VALUE", "", "action"),
  );
  expect(await rest.post(FILE, form(good, { action: "commit", rows: "[]" }))).toMatchObject(
    refused("UNKNOWN_FIELD", "", "rows"),
  );
  const mapped = (fieldMapping: unknown) =>
    rest.post(FILE, form(good, { action: "commit", fieldMapping: JSON.stringify(fieldMapping) }));
  expect(await rest.post(FILE, form(good, { action: "commit", fieldMapping: "{" }))).toMatchObject(
    refused("MALFORMED_JSON", "", "fieldMapping"),
  );
  expect(await mapped({ Email: "email" })).toMatchObject(
    refused("UNKNOWN_COLUMN", "not a column of the file: is email meant", "fieldMapping.Email"),
  );
  expect(await mapped({ name: "firstName" })).toMatchObject(refused("REQUIRED", "", "fieldMapping"));
  expect(await rest.post(FILE, form("a,b\n1,2\n"))).toMatchObject(
    refused("REQUIRED", "no column of the file", "fieldMapping"),
  );
  const elsewhere = { action: "commit", listId: "lst_none" };
  expect(await rest.post(FILE, form(good, elsewhere))).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  const { Job, JobChunk, Lead } = scoped(workspaceId);
  expect([await Job.count({}), await JobChunk.count({}), await Lead.count({})]).toEqual([0, 0, 0]);
});

test("a file with too many rows is refused at the first row above the limit", async () => {
  const { workspaceId } = await world.workspace();
  const ctx: Context = {
    workspaceId,
    kind: "API_KEY",
    userId: "",
    name: "",
    policy: KEY_POLICY,
    credentialId: "",
    scopes: new Set(),
    services: world.services,
    ip: null,
    traceId: "",
  };
  const bytes = async function* () {
    yield Buffer.from("email\n1\n2\n\n3\n");
    yield Buffer.from("4\n5\n");
  };
  const received = (maxRows: number) => receiveCsv(ctx, { name: "", mediaType: "", bytes: bytes() }, maxRows);
  await expect(received(4)).rejects.toMatchObject({
    details: { line: 7, issues: [{ path: "file", code: "TOO_BIG" }] },
  });
  expect(await scoped(workspaceId).JobChunk.count({})).toBe(0);
  const { content, discard } = await received(5);
  expect(content.rows).toMatchObject({ total: 5, chunkCount: 1 });
  await discard?.();
});

test("a repeated idempotency key starts one job, and a different file under the same key is refused", async () => {
  const { rest, workspaceId } = await world.workspace();
  const named = { "Idempotency-Key": "one-file" };
  const body = () => form("email\na@x.example\n");
  const first = await rest.post(FILE, body(), named);
  await ended(rest, first.body.id);
  const again = await rest.post(FILE, body(), named);
  expect([again.status, again.body.id, again.headers.get("idempotency-replayed")]).toEqual([
    202,
    first.body.id,
    "true",
  ]);
  expect(await rest.post(FILE, form("email\nb@x.example\n"), named)).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_KEY_REUSED" },
  });
  const { Job, JobChunk } = scoped(workspaceId);
  expect([await Job.count({}), await JobChunk.count({})]).toEqual([1, 0]);
});

test("an interrupted upload leaves no job and no rows, even if some rows had been stored", async () => {
  const { key, workspaceId } = await world.workspace();
  const { Job, JobChunk } = scoped(workspaceId);
  const abort = new AbortController();
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\n';
  const rows = Array.from({ length: 9_000 }, (_, at) => `n${at}@x.example\n`).join("");
  const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from(head + rows)) });
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "multipart/form-data; boundary=x" };
  const init = { method: "POST", headers, body, duplex: "half", signal: abort.signal } as const;
  const answer = fetch(`${world.baseUrl}/api/v1${FILE}`, init).catch(() => null);
  await until(async () => (await JobChunk.count({})) > 2, { deadlineMs: 30_000, what: "rows to be stored" });
  abort.abort();
  expect(await answer).toBeNull();
  await until(async () => (await JobChunk.count({})) === 0, { deadlineMs: 30_000, what: "the rows to be taken back" });
  expect(await Job.count({})).toBe(0);
});

test("a slice of a job reuses the previous slice's state unless another worker has run since, and finds duplicates in both cases", async () => {
  const { workspaceId } = await world.workspace();
  const { Job, JobChunk } = scoped(workspaceId);
  const { keyRing } = world.services;
  const jobId = newId("job");
  const ids: JobIds = { v: 1, workspaceId, jobId };
  for (const number of [0, 1, 2, 3]) {
    const documentId = `${jobId}:${number}`;
    const cells = JSON.stringify([[`n${number}@x.example`], ["same@x.example"]]);
    const rows = seal(keyRing, { workspaceId, collection: "job_chunks", documentId, field: "rows" }, cells);
    await JobChunk.insert({ _id: documentId, jobId, number, count: 2, firstRow: number * 2 + 1, rows });
  }
  const asked = {
    action: "dryRun",
    columns: ["email"],
    mapping: [["email", "email"]],
    listId: null,
    source: "CSV",
    actor: "",
    suggestions: null,
  };
  await Job.insert({
    _id: jobId,
    type: "LEAD_IMPORT",
    fileName: null,
    parameters: asked,
    state: {},
    total: 8,
    chunkCount: 4,
  });
  const read: number[][] = [];
  const worker = () => {
    const open: JobKind["open"] = (job, done) => {
      const again: number[] = [];
      read.push(again);
      const watched = async function* () {
        for await (const chunk of done) {
          again.push(chunk.firstRow);
          yield chunk;
        }
      };
      return leadImport.open(job, watched());
    };
    const kind: JobKind = { ...leadImport, open };
    const others = {
      LEAD_CHANGE: kind,
      LEAD_SUPPRESSION: kind,
      LIST_MEMBERS: kind,
      SYSTEM_MAIL: kind,
      MAILBOX_IMPORT: kind,
      VERIFICATION: kind,
      CRM_IMPORT: kind,
      WORKSPACE_EXPORT: kind,
      PERSON_ERASURE: kind,
    };
    const ofSearch = { REVEAL: kind, LIST_FILL: kind, PROSPECT_LEADS: kind };
    const { workOnJob } = jobActivities({ keyRing, sliceMs: 0, kinds: { LEAD_IMPORT: kind, ...others, ...ofSearch } });
    return () => new MockActivityEnvironment().run(workOnJob, ids);
  };
  const [one, other] = [worker(), worker()];
  await one();
  await one();
  expect(read).toEqual([[]]);
  await other();
  expect(read).toEqual([[], [1, 3]]);
  await one();
  expect(read).toEqual([[], [1, 3], [1, 3, 5]]);
  expect(await one()).toMatchObject({ status: "COMPLETED" });
  expect(read).toHaveLength(3);
  expect((await Job.get(jobId))?.result).toMatchObject({ total: 8, created: 5, duplicateInFile: 3 });
});

test("rows of a killed upload are deleted after an hour, and rows of jobs and running uploads are kept", async () => {
  const { workspaceId } = await world.workspace();
  const { Job, JobChunk } = scoped(workspaceId);
  const rows = seal(
    world.services.keyRing,
    { workspaceId, collection: "job_chunks", documentId: "any", field: "rows" },
    "[]",
  );
  const [left, ofJob, underWay] = [newId("job"), newId("job"), newId("job")];
  for (const jobId of [left, ofJob, underWay]) {
    for (const number of [0, 1])
      await JobChunk.insert({ _id: `${jobId}:${number}`, jobId, number, count: 1, firstRow: number + 1, rows });
  }
  await Job.insert({
    _id: ofJob,
    type: "LEAD_IMPORT",
    fileName: null,
    parameters: {},
    state: {},
    status: "CANCELLED",
    total: 2,
    chunkCount: 2,
  });
  const aged = (ms: number, ...ids: string[]) =>
    Chunks.collection.updateMany(
      { workspaceId, jobId: { $in: ids } },
      { $set: { createdAt: new Date(Date.now() - ms) } },
    );
  await aged(HOUR_MS + 60_000, left, ofJob);
  await aged(HOUR_MS - 60_000, underWay);
  expect(await sweepStagedRows(100)).toBe(1);
  const counts = await Promise.all([left, ofJob, underWay].map((jobId) => JobChunk.count({ jobId })));
  expect(counts).toEqual([0, 2, 2]);
});

test("a caller without leads:write cannot upload a file", async () => {
  const { rest } = await world.workspace("leads:read");
  expect(await rest.post(FILE, form("email\na@x.example\n"))).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
});

test("when a campaign adds the members of its lists, every imported row counts against the daily send budget, and a plan shows that", async () => {
  const { rest, workspaceId, withPolicy } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId, ["ada@people.test"]);
  const { body: list } = await rest.post("/lead-lists", { name: "Fair" });
  expect((await rest.post(`${path}/recipients`, { action: "addFromList", leadListId: list.id })).status).toBe(200);
  expect((await rest.patch(`${path}/settings`, { autoRefreshAudience: true })).status).toBe(200);
  expect((await rest.post(`${path}/control`, { action: "launch" })).status).toBe(200);
  const by = await withPolicy({ dailySendBudget: 2 });
  const rows = Array.from({ length: MAX_INLINE + 1 }, (_, n) => ({ email: `row${n}@people.test` }));
  const refusal = (asked: number) => ({
    status: 422,
    body: { code: "SEND_BUDGET_EXCEEDED", details: { left: 2, asked } },
  });
  expect(await by.post("/leads/import", { action: "commit", rows, listId: list.id })).toMatchObject(
    refusal(rows.length),
  );
  const fields = { action: "commit", listId: list.id };
  const [two, three] = [
    "email\na1@people.test\na2@people.test\n",
    "email\na1@people.test\na2@people.test\na3@people.test\n",
  ];
  expect(await by.post(FILE, form(three, fields))).toMatchObject(refusal(3));
  const plan = await by.post(FILE, form(two, { ...fields, planOnly: "true" }));
  expect(plan.body.plan?.effect).toMatchObject({
    people: 2,
    cost: 2,
    mails: 2,
    changes: expect.arrayContaining([
      expect.objectContaining({ what: "rows", created: 2, examples: ["a1@people.test", "a2@people.test"] }),
    ]),
  });
  const { Job, JobChunk, SendBudget } = scoped(workspaceId);
  expect([await Job.find(), await JobChunk.find(), (await SendBudget.find()).map(({ spent }) => spent)]).toEqual([
    [],
    [],
    [0],
  ]);
  expect(await imported(by, form(two, fields))).toMatchObject({ status: "COMPLETED", result: { created: 2 } });
  expect((await SendBudget.find()).map(({ spent }) => spent)).toEqual([2]);
}, 120_000);
