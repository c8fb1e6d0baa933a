import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { useSetup, world } from "./import-job-setup.ts";

useSetup();

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ email: `n${n}@x.example`, "First name": `N${n}` }));

test("a large import returns the same summary as its job", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = rowsOf(2_300);
  const done = await rest.post("/leads/import", { action: "commit", rows, fileName: "many.csv" });
  expect(done).toMatchObject({ status: 200, body: { action: "commit", total: 2_300, created: 2_300, errors: [] } });
  const [job] = await scoped(workspaceId).Job.find({});
  const read = await rest.get(`/leads/import/${job?._id}`);
  expect(read).toMatchObject({
    status: 200,
    body: {
      type: "LEAD_IMPORT",
      fileName: "many.csv",
      status: "COMPLETED",
      progress: { total: 2_300, processed: 2_300, succeeded: 2_300, failed: 0 },
      result: done.body,
      error: null,
      pollAfterSeconds: null,
    },
  });
  expect(read.body.items).toHaveLength(1_000);
  expect(read.body.items[0]).toEqual({
    row: 1,
    email: "n0@x.example",
    status: "CREATED",
    code: null,
    message: null,
    mailboxId: null,
  });
  expect(await scoped(workspaceId).JobChunk.count({})).toBe(0);
});

test("errors are listed for the first thousand rows, and counted for all rows", async () => {
  const { rest } = await world.workspace();
  const rows = Array.from({ length: 2_100 }, () => ({ email: "nobody" }));
  const { body } = await rest.post("/leads/import", { action: "commit", rows });
  expect(body).toMatchObject({ total: 2_100, created: 0, invalid: 2_100 });
  expect(body.errors).toHaveLength(1_000);
  expect(body.errors.at(-1).row).toBe(1_000);
});

test("a dry run counts like the commit, finds duplicates in other chunks, and reports the original row numbers", async () => {
  const { rest } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  const rows: Record<string, string>[] = Array.from({ length: 2_200 }, (_, n) => ({
    email: `n${n % 1_500}@x.example`,
    Other: "x",
  }));
  rows[2_100] = { email: "wrong" };
  const call = async (action: string) => (await rest.post("/leads/import", { action, rows, listId: list.id })).body;
  const expected = {
    total: 2_200,
    created: 1_500,
    duplicateInFile: 699,
    invalid: 1,
    membershipsAdded: 1_500,
    errors: [{ row: 2_101 }],
  };
  const { action: _dry, ...dry } = await call("dryRun");
  expect(dry).toMatchObject({
    mapping: { email: "email" },
    suggestedMapping: { email: "email" },
    unmappedColumns: ["Other"],
  });
  expect((await rest.get("/leads?pageSize=1")).body.total).toBe(0);
  const { action: _done, ...done } = await call("commit");
  expect(dry).toEqual(done);
  expect(done).toMatchObject(expected);
  expect(await call("commit")).toMatchObject({ created: 0, updated: 0, skipped: 1_500, membershipsAdded: 0 });
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 1_500 }]);
});

test("a repeated import under one idempotency key runs once and returns the same response", async () => {
  const { rest, workspaceId } = await world.workspace();
  const call = () =>
    rest.post("/leads/import", { action: "commit", rows: rowsOf(1_200) }, { "Idempotency-Key": "once" });
  const first = await call();
  expect(first).toMatchObject({ status: 200, body: { created: 1_200 } });
  expect((await call()).body).toEqual(first.body);
  expect(await scoped(workspaceId).Job.count()).toBe(1);
});

test("a job is found only in its workspace and by its type, and an ended job cannot be cancelled", async () => {
  const { rest, workspaceId } = await world.workspace();
  const other = await world.workspace();
  await rest.post("/leads/import", { action: "dryRun", rows: rowsOf(1_001) });
  const [job] = await scoped(workspaceId).Job.find({});
  const path = `/leads/import/${job?._id}`;
  expect(await other.rest.get(path)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  expect(await other.rest.post(`${path}/cancel`)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  expect(await rest.post(`${path}/cancel`)).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", details: { from: "COMPLETED" } },
  });
  const elsewhere = `/mailboxes/import/${job?._id}`;
  expect(await rest.get(elsewhere)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  expect(await rest.post(`${elsewhere}/cancel`)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  const reader = await world.workspace("leads:read");
  expect((await reader.rest.get(path)).status).toBe(403);
});

test("jobs are listed, read and cancelled by id, and a credential sees only the job types of its scopes", async () => {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const other = await world.workspace();
  await rest.post("/leads/import", { action: "dryRun", rows: rowsOf(1_001) });
  const { body } = await rest.get("/jobs?type=LEAD_IMPORT&status=COMPLETED");
  expect(body).toMatchObject({
    total: 1,
    items: [{ type: "LEAD_IMPORT", status: "COMPLETED", progress: { total: 1_001 } }],
  });
  expect(body.items[0].items).toBeNull();
  const path = `/jobs/${body.items[0].id}`;
  expect((await rest.get(path)).body.items).toHaveLength(1_000);
  expect(await rest.post(`${path}/cancel`)).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
  expect((await rest.get("/jobs?status=FAILED")).body.total).toBe(0);
  const unheld = await withScopes("account:read", "mailboxes:connect");
  expect((await unheld.get("/jobs")).body).toMatchObject({ total: 0, items: [] });
  for (const stranger of [unheld, other.rest]) {
    expect(await stranger.get(path)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
    expect(await stranger.post(`${path}/cancel`)).toMatchObject({ status: 404, body: { code: "JOB_NOT_FOUND" } });
  }
  await scoped(workspaceId).Job.updateOne({ _id: body.items[0].id }, { $set: { status: "QUEUED" } });
  expect(await rest.post(`${path}/cancel`)).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
  expect(await rest.post(`${path}/cancel`)).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
});

test("a cancelled import keeps the imported leads, and imports nothing after the cancel call has returned", async () => {
  const { rest, workspaceId } = await world.workspace();
  const db = scoped(workspaceId);
  const answer = rest.post("/leads/import", { action: "commit", rows: rowsOf(12_000) });
  const job = await until(
    async () => {
      const found = await db.Job.find({ status: "RUNNING" });
      return (found[0]?.nextChunk ?? 0) >= 2 ? found[0] : null;
    },
    { deadlineMs: 20_000, what: "the import to be under way" },
  );
  const cancelled = await rest.post(`/leads/import/${job?._id}/cancel`);
  const imported = await db.Lead.count();
  expect(cancelled).toMatchObject({
    status: 200,
    body: { status: "CANCELLED", progress: { total: 12_000, processed: imported }, result: { created: imported } },
  });
  expect(imported < 12_000).toBe(true);
  expect((await answer).body).toMatchObject({ id: job?._id, status: "CANCELLED" });
  expect(await db.Lead.count()).toBe(imported);
  expect(await rest.post(`/leads/import/${job?._id}/cancel`)).toMatchObject({
    status: 200,
    body: { status: "CANCELLED" },
  });
  expect(await db.JobChunk.count()).toBe(0);
});

test("an import whose list is deleted meanwhile ends and reports the reason", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Gone" });
  const answer = rest.post("/leads/import", { action: "commit", rows: rowsOf(6_000), listId: list.id });
  await until(async () => (await scoped(workspaceId).Job.count({ status: "RUNNING" })) > 0, {
    deadlineMs: 20_000,
    what: "the import to start",
  });
  await rest.post("/lead-lists/manage", { action: "delete", listId: list.id });
  expect(await answer).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
  const [job] = await scoped(workspaceId).Job.find({});
  expect((await rest.get(`/leads/import/${job?._id}`)).body).toMatchObject({
    status: "FAILED",
    error: { code: "LIST_NOT_FOUND" },
  });
});
