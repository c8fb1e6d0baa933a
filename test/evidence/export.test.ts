import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { describeCollections, scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { linesOfExport } from "../../operations/evidence/exported-workspace.ts";
import { exportFileOf, workspaceExport } from "../../store/evidence/export-job.ts";
import { type JobAtWork, loadJob, UNKNOWN_COUNT } from "../../store/jobs.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

interface Line {
  collection: string;
  document: Record<string, unknown> & { _id?: string; counts?: Record<string, number>; documents?: number };
}

async function exported(rest: Rest) {
  const begun = await rest.post("/workspace/export", {});
  expect(begun).toMatchObject({ status: 202, body: { type: "WORKSPACE_EXPORT", downloadUrl: null } });
  const path = `/workspace/export/${begun.body.id}`;
  const wait = { deadlineMs: 60_000, what: "the export to end" };
  return until(async () => {
    const { body } = await rest.get(path);
    return body.finishedAt === null ? null : body;
  }, wait);
}

async function download(url: string): Promise<Response> {
  return fetch(world.baseUrl + new URL(url).pathname);
}

function linesIn(text: string): Line[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("an export contains every document and file of the workspace, nothing of other workspaces and no secrets", async () => {
  const { rest, workspaceId, key } = await world.workspace();
  const another = await world.workspace();
  await another.rest.post("/leads", { email: "not.yours@people.test" });
  const lead = (await rest.post("/leads", { email: "ada@people.test", customFields: { wrapNonce: "mine" } })).body;
  await rest.post("/leads/manage", { action: "createNote", leadId: lead.id, body: "Met at the fair" });
  const { signingSecret } = (await rest.post("/webhooks", { url: "https://hooks.example.test/in" })).body;
  const { keyRing } = world.services;
  const mailbox = await storedMailbox(workspaceId);
  const place = { workspaceId, collection: "mailboxes", documentId: mailbox._id, field: "sealedPassword" };
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailbox._id },
    { $set: { sealedPassword: seal(keyRing, place, "hunter2") } },
  );
  // A sealed value in a field that no one marked as a secret
  await scoped(workspaceId).Note.insert({ _id: newId("note"), leadId: lead.id, authorUserId: "usr_x", body: "x" });
  await scoped(workspaceId).ActivityEvent.store({
    _id: newId("evt"),
    type: "ODD",
    at: new Date(),
    data: { was: seal(keyRing, place, "hunter2") },
  });
  const form = new FormData();
  form.append("file", new Blob(["the content of a file"], { type: "text/plain" }), "offer.txt");
  await rest.post("/files", form);
  const job = await exported(rest);
  expect(job).toMatchObject({ status: "COMPLETED", error: null });
  const answer = await download(job.downloadUrl);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  const text = await answer.text();
  const lines = linesIn(text);
  expect(lines[0]).toMatchObject({ collection: "_export", document: { workspaceId } });
  const end = lines.at(-1);
  expect(end?.collection).toBe("_end");
  expect(end?.document.documents).toBe(lines.length - 2);
  expect([job.size, job.progress.total]).toEqual([Buffer.byteLength(text), lines.length - 2]);
  const has = (collection: string) =>
    lines.filter((line) => line.collection === collection).map(({ document }) => document);
  for (const collection of ["workspaces", "memberships", "users", "api_keys"])
    expect([collection, has(collection).length]).toEqual([collection, 1]);
  const written = new Set(lines.map(({ collection }) => collection));
  for (const { model, collection } of describeCollections().filter((one) => written.has(one.collection))) {
    if (["jobs", "audit_entries", "attachments.files", "attachments.chunks"].includes(collection)) continue; // the export itself has written there
    expect([collection, has(collection).length]).toEqual([collection, await scoped(workspaceId)[model].count({})]);
  }
  expect(has("leads")[0]).toMatchObject({ email: "ada@people.test", customFields: { wrapNonce: "mine" } });
  expect(has("notes").map(({ body }) => body)).toContain("Met at the fair");
  expect(Buffer.from(String(has("attachments.chunks")[0]?.["data"]), "base64").toString()).toBe(
    "the content of a file",
  );
  expect(has("events").find(({ type }) => type === "ODD")).toMatchObject({ data: { was: null } });
  for (const secret of [signingSecret, key, "hunter2", '"wrapped"', "secretHash", "sealed"])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(text).not.toContain("not.yours@people.test");
  expect(text).not.toContain(another.workspaceId);
  const deeds = await scoped(workspaceId).AuditEntry.find({ action: "workspace.export" });
  expect(deeds.map(({ outcome }) => outcome)).toEqual(["DONE"]);
}, 120_000);

test("every collection is described for the export, and no exported field has the name of a secret", () => {
  const open = describeCollections().flatMap(({ collection, fields }) =>
    fields.map((field) => `${collection}.${field}`),
  );
  expect(open.length).toBeGreaterThan(300);
  expect(open.filter((name) => /\.(sealed\w*|secret\w*|password\w*|\w*token)$/i.test(name))).toEqual([]);
});

test("an export requires all scopes, and the export of another workspace is not found", async () => {
  const { rest, withScopes } = await world.workspace();
  const writer = await withScopes("workspace:write");
  expect(await writer.post("/workspace/export", {})).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
  const almost = await withScopes(...ALL_SCOPES.filter((scope) => scope !== "inbox:read"));
  expect(await almost.post("/workspace/export", {})).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "inbox:read" } },
  });
  const job = await exported(rest);
  expect((await almost.get(`/workspace/export/${job.id}`)).status).toBe(403);
  const another = await world.workspace();
  expect(await another.rest.get(`/workspace/export/${job.id}`)).toMatchObject({
    status: 404,
    body: { code: "JOB_NOT_FOUND" },
  });
}, 120_000);

test("the download link of an export fails when altered and after the workspace is deleted", async () => {
  const { rest } = await world.workspace();
  const { downloadUrl } = await exported(rest);
  expect((await download(downloadUrl)).status).toBe(200);
  expect((await download(`${downloadUrl.slice(0, -3)}AAA`)).status).toBe(404);
  expect((await rest.post("/workspace", { action: "delete", confirmName: "Acme" })).status).toBe(200);
  expect((await download(downloadUrl)).status).toBe(404);
}, 120_000);

test("a page that two workers export at the same time is in the file once, and an export contains no earlier export file", async () => {
  const { workspaceId } = await world.workspace();
  const { Job, Note } = scoped(workspaceId);
  const body = "x".repeat(60_000);
  await Note.insertMany(
    Array.from({ length: 200 }, () => ({ _id: newId("note"), leadId: "led_1", authorUserId: "usr_1", body })),
  );
  const sizes: number[] = [];
  for (let round = 0; round < 2; round++) {
    const jobId = newId("job");
    const startedAt = new Date();
    // RUNNING, so that no worker takes it up
    await Job.insert({
      _id: jobId,
      type: "WORKSPACE_EXPORT",
      status: "RUNNING",
      chunkCount: UNKNOWN_COUNT,
      parameters: {},
      state: {},
      startedAt,
    });
    const work = await ("openPages" in workspaceExport
      ? workspaceExport.openPages(await jobOf(workspaceId, jobId))
      : Promise.reject());
    const never = new AbortController().signal;
    let pages = 0;
    for (
      let job = await jobOf(workspaceId, jobId);
      job.nextChunk !== job.chunkCount;
      job = await jobOf(workspaceId, jobId)
    ) {
      const seen = job;
      const outcomes = await Promise.allSettled([work(seen, never), work(seen, never)]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      pages++;
    }
    expect(pages).toBeGreaterThan(2);
    let text = "";
    for await (const part of (await linesOfExport(workspaceId, exportFileOf(jobId))) ?? []) text += String(part);
    const ids = linesIn(text).flatMap(({ collection, document }) => (collection === "notes" ? [document._id] : []));
    expect([ids.length, new Set(ids).size]).toEqual([200, 200]);
    sizes.push(linesIn(text).filter(({ collection }) => collection.startsWith("attachments")).length);
  }
  expect(sizes).toEqual([0, 0]);
}, 120_000);

async function jobOf(workspaceId: string, jobId: string): Promise<JobAtWork> {
  const job = await loadJob(workspaceId, jobId);
  if (job === null) throw new Error("The job is gone");
  return job;
}
