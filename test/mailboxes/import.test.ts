import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type FakeTcp, startTcp } from "../fakes/tcp.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const MAILBOXES = ["ann@a.test", "bob@a.test", "cid@a.test"] as const;
const [ANN, BOB, CID] = MAILBOXES;

let world: World;
let sandbox: Sandbox;
let silent: FakeTcp;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [...MAILBOXES], certificate });
  silent = await startTcp(() => {});
  const server = (port: number) => ({ host: "localhost", port, security: "SSL_TLS" as const });
  const servers = { smtp: server(sandbox.smtpPort), imap: server(sandbox.imapPortOf(CID)) };
  const providers: MailProviders = { ...NO_PROVIDERS, A: { ...NO_PROVIDERS.A, servers } };
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { providers, egressAllow: "localhost:*" },
  });
}, 90_000);

afterAll(async () => {
  await world.close();
  await Promise.all([sandbox.close(), silent.close()]);
}, 30_000);

function rowOf(email: string, more: Record<string, string> = {}): Record<string, string> {
  const ports = { smtp_port: String(sandbox.smtpPort), imap_port: String(sandbox.imapPortOf(email)) };
  return {
    email,
    password: sandbox.password,
    smtp_host: "localhost",
    imap_host: "localhost",
    security: "SSL_TLS",
    ...ports,
    ...more,
  };
}

async function imported(rest: Rest, rows: Record<string, string>[]) {
  const accepted = await rest.post("/mailboxes/import/csv", { fileName: "mailboxes.csv", rows });
  expect(accepted).toMatchObject({
    status: 202,
    body: {
      id: expect.stringMatching(/^job_/),
      type: "MAILBOX_IMPORT",
      fileName: "mailboxes.csv",
      progress: { total: rows.length },
    },
  });
  return ended(rest, accepted.body.id);
}

async function ended(rest: Rest, id: string) {
  const look = async () => {
    const { body } = await rest.get(`/mailboxes/import/${id}`);
    return ["QUEUED", "RUNNING"].includes(body.status) ? null : body;
  };
  return until(look, { deadlineMs: 30_000, what: "the end of the import" });
}

async function removeAll(rest: Rest) {
  for (const { id } of (await rest.get("/mailboxes")).body)
    await rest.post(`/mailboxes/${id}/disconnect`, { action: "delete" });
}

test("a CSV import connects mailboxes and reports on each row, and a second import of the file keeps the mailbox ids", async () => {
  const { rest, workspaceId } = await world.workspace();
  const camel = {
    smtpHost: "localhost",
    imapHost: "localhost",
    smtpPort: String(sandbox.smtpPort),
    imapPort: String(sandbox.imapPortOf(BOB)),
  };
  const rows = [
    rowOf(ANN, { name: "Ann", daily_send_limit: "30", tags: "sales; eu" }),
    { "E-Mail": "ignored", Email: BOB.toUpperCase(), Password: sandbox.password, ...camel, Extra: "kept out" },
    { email: CID, app_password: sandbox.password },
    rowOf(ANN, { name: "Second" }),
    rowOf(BOB, { email: "nobody" }),
    rowOf(ANN, { email: "dee@a.test", password: "wrong" }),
    { email: "eve@a.test", password: "x" },
    { email: "fay@a.test", password: "x", provider: "providerB" },
    rowOf(ANN, { email: "gus@a.test", smtp_host: "10.0.0.1", smtp_port: "465" }),
  ];
  const job = await imported(rest, rows);
  expect(job).toMatchObject({
    status: "COMPLETED_WITH_ERRORS",
    progress: { total: 9, processed: 9, succeeded: 4, failed: 5 },
    result: { created: 3, updated: 0, skipped: 1, failed: 5 },
    pollAfterSeconds: null,
  });
  const told = job.items.map(({ row, email, status, code }: Record<string, unknown>) => [row, email, status, code]);
  expect(told).toEqual([
    [1, ANN, "CREATED", null],
    [2, BOB, "CREATED", null],
    [3, CID, "CREATED", null],
    [4, ANN, "SKIPPED_DUPLICATE", null],
    [5, "nobody", "FAILED", "VALIDATION_FAILED"],
    [6, "dee@a.test", "FAILED", "AUTH_FAILED"],
    [7, "eve@a.test", "FAILED", "VALIDATION_FAILED"],
    [8, "fay@a.test", "FAILED", "PROVIDER_NOT_CONFIGURED"],
    [9, "gus@a.test", "FAILED", "HOST_NOT_ALLOWED"],
  ]);
  const before = (await rest.get("/mailboxes")).body;
  const ann = before.find(({ email }: { email: string }) => email === ANN);
  expect(ann).toMatchObject({
    name: "Ann",
    dailySendLimit: 30,
    tags: ["sales", "eu"],
    provider: "SMTP",
    status: "CONNECTED",
  });
  expect(before.find(({ email }: { email: string }) => email === CID)).toMatchObject({ provider: "PROVIDERA" });
  expect(job.items[0].mailboxId).toBe(ann.id);

  const again = await imported(rest, rows.slice(0, 3));
  expect(again).toMatchObject({ status: "COMPLETED", result: { created: 0, updated: 3, skipped: 0, failed: 0 } });
  expect((await rest.get("/mailboxes")).body.map(({ id }: { id: string }) => id)).toEqual(
    before.map(({ id }: { id: string }) => id),
  );
  expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
  await removeAll(rest);
});

test("passwords are stored sealed while an import runs, and are erased when the import is cancelled", async () => {
  const { rest, workspaceId } = await world.workspace();
  const slow = { smtp_port: String(silent.port), imap_port: String(silent.port), password: "marked-secret" };
  const rows = Array.from({ length: 25 }, (_, index) => rowOf(ANN, { ...slow, email: `slow-${index}@a.test` }));
  const { body } = await rest.post("/mailboxes/import/csv", { fileName: "slow.csv", rows });
  const { Job, JobChunk } = scoped(workspaceId);
  const kept = await JobChunk.find();
  expect(kept).toHaveLength(3);
  expect(JSON.stringify([kept, await Job.find()])).not.toContain("marked-secret");
  const cancelled = await rest.post(`/mailboxes/import/${body.id}/cancel`, {});
  expect(cancelled).toMatchObject({ status: 200, body: { id: body.id, status: "CANCELLED" } });
  expect(await rest.post(`/mailboxes/import/${body.id}/cancel`, {})).toMatchObject({
    status: 200,
    body: { status: "CANCELLED" },
  });
  expect(await JobChunk.count()).toBe(0);
  expect((await rest.get("/mailboxes")).body).toEqual([]);
});

test("an import ends in the same moment as its rows are deleted", async () => {
  const { rest, workspaceId } = await world.workspace();
  const slow = { smtp_port: String(silent.port), imap_port: String(silent.port) };
  const { body } = await rest.post("/mailboxes/import/csv", { fileName: "slow.csv", rows: [rowOf(ANN, slow)] });
  const { Job, JobChunk } = scoped(workspaceId);
  const statuses = new Set<string | undefined>();
  let cancelling: ReturnType<Rest["post"]> | undefined;
  // Holds the row, so that its deletion has to wait
  await inTransaction(async () => {
    await JobChunk.updateOne({ jobId: body.id }, { $inc: { count: 1 } });
    cancelling = rest.post(`/mailboxes/import/${body.id}/cancel`, {});
    for (let look = 0; look < 20; look++) {
      await sleep(25);
      statuses.add((await outsideTransaction(() => Job.get(body.id)))?.status);
    }
  });
  expect(statuses).not.toContain("CANCELLED");
  expect((await cancelling)?.body.status).toBe("CANCELLED");
  expect(await JobChunk.count()).toBe(0);
});

test("importing an address that another workspace has connected adds a second mailbox and leaves the other workspace's mailbox unchanged", async () => {
  const [first, second] = [await world.workspace(), await world.workspace()];
  await imported(first.rest, [rowOf(ANN)]);
  const job = await imported(second.rest, [rowOf(ANN), rowOf(BOB)]);
  expect(job.items).toMatchObject([{ status: "CREATED" }, { status: "CREATED" }]);
  const [{ body: theirs }, { body: ours }] = [await first.rest.get("/mailboxes"), await second.rest.get("/mailboxes")];
  expect(theirs.map(({ email }: { email: string }) => email)).toEqual([ANN]);
  expect(ours.map(({ id }: { id: string }) => id)).not.toContain(theirs[0].id);
  expect((await second.rest.get(`/mailboxes/import/${job.id}`)).status).toBe(200);
  expect((await first.rest.get(`/mailboxes/import/${job.id}`)).body.code).toBe("JOB_NOT_FOUND");
  expect((await first.rest.post(`/mailboxes/import/${job.id}/cancel`, {})).body.code).toBe("JOB_NOT_FOUND");
  await removeAll(first.rest);
  await removeAll(second.rest);
});

test("a bulk connection test reports on each row and stores no mailbox or password", async () => {
  const { rest, workspaceId } = await world.workspace();
  const rows = [rowOf(ANN), rowOf(BOB, { password: "wrong" }), { email: "x" }, rowOf(ANN)];
  const { status, body } = await rest.post("/mailboxes/import/test-bulk", { rows });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      items: [
        { row: 1, email: ANN, ok: true, error: null },
        { row: 2, email: BOB, ok: false, error: { code: "AUTH_FAILED", message: expect.stringMatching(/^SMTP: /) } },
        { row: 3, email: "x", ok: false, error: { code: "VALIDATION_FAILED", message: expect.any(String) } },
        { row: 4, email: ANN, ok: false, error: { code: "DUPLICATE", message: expect.any(String) } },
      ],
    },
  });
  expect(await scoped(workspaceId).Mailbox.count()).toBe(0);
  expect(await scoped(workspaceId).ConnectionBatch.find()).toMatchObject([{ sealedRows: null }]);
  for (let test = 1; test < 10; test++) await rest.post("/mailboxes/import/test-bulk", { rows: [rowOf(ANN)] });
  expect(await rest.post("/mailboxes/import/test-bulk", { rows: [rowOf(ANN)] })).toMatchObject({ status: 429 });
});

test.each([
  ["test-bulk", 51, 400],
  ["test-bulk", 0, 400],
  ["csv", 2_001, 400],
])("the import endpoint %s refuses %i rows", async (path, count, status) => {
  const { rest } = await world.workspace();
  const rows = Array.from({ length: count }, () => ({ email: "x" }));
  expect(
    (await rest.post(`/mailboxes/import/${path}`, { rows, ...(path === "csv" && { fileName: "f.csv" }) })).status,
  ).toBe(status);
});

test("an import requires text cells, a file name and the scope mailboxes:connect", async () => {
  const { rest, withScopes } = await world.workspace();
  expect((await rest.post("/mailboxes/import/csv", { fileName: "f", rows: [{ email: 1 }] })).status).toBe(400);
  expect((await rest.post("/mailboxes/import/csv", { rows: [rowOf(ANN)] })).status).toBe(400);
  const issues = async (body: object) => (await rest.post("/mailboxes/import/csv", body)).body.details.issues;
  expect(await issues({ fileName: "f" })).toMatchObject([{ path: "rows", code: "REQUIRED" }]);
  expect(await issues({ fileName: "f", rows: [{ email: ANN }, { email: 1 }] })).toMatchObject([
    { path: "rows.1.email" },
  ]);
  expect(await issues({ fileName: "f", rows: {} })).toMatchObject([{ path: "rows" }]);
  const writer = await withScopes("mailboxes:write");
  for (const path of ["test-bulk", "csv"]) {
    const answer = await writer.post(`/mailboxes/import/${path}`, {});
    expect(answer).toMatchObject({ status: 403, body: { details: { requiredScope: "mailboxes:connect" } } });
  }
  expect((await writer.get("/mailboxes/import/job_x")).status).toBe(403);
  expect((await rest.get("/mailboxes/import/job_x")).body.code).toBe("JOB_NOT_FOUND");
});

test("while Temporal is unreachable an import gets 503, and no job or row is stored", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { engine } = world.services;
  world.services.engine = { ...engine, isReachable: async () => false };
  const answer = await rest.post("/mailboxes/import/csv", { fileName: "f.csv", rows: [rowOf(ANN)] });
  world.services.engine = engine;
  expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  const { Job, JobChunk } = scoped(workspaceId);
  expect([await Job.count(), await JobChunk.count()]).toEqual([0, 0]);
});
