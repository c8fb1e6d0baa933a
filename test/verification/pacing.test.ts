import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import type { Rules } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import {
  endedJob,
  knows,
  QUICK,
  receivedBy,
  startVerificationWorld,
  type VerificationWorld,
} from "./verification-world.ts";

const MOST = 6;
const people = (domain: string, count: number, prefix = "p") =>
  Array.from({ length: count }, (_, n) => `${prefix}${n}@${domain}`);

/** How long one server takes for each answer, so that two questions at once would be seen. */
const SLOW_MS = 400;
const known = knows();
const rules: Rules = (rcpt, attempt) => ({
  ...known(rcpt, attempt),
  ...(/@(?:mixed|other)\.test$/.test(rcpt) && { delayMs: SLOW_MS }),
});

let verifying: VerificationWorld;
let second: KilledWorker;
beforeAll(async () => {
  const zone = { ...receivedBy("busy"), ...receivedBy("full"), ...receivedBy("late"), ...receivedBy("mixed") };
  // Customers of one provider: each has a server name of its own
  zone["other.test"] = { MX: ["10 other.mixed-mx.test"] };
  zone["other.mixed-mx.test"] = { A: ["127.0.0.1"] };
  verifying = await startVerificationWorld({ zone, rules, etiquette: { mostAnHour: MOST, hourMs: HOUR_MS } });
  second = await killedWorkerOf(verifying.world, (await makeCertificate()).cert, undefined, {
    verification: verifying.asking,
  });
  second.start();
}, 120_000);
afterAll(async () => {
  await second.kill();
  await verifying.close();
}, 60_000);

const askedOf = (...domains: string[]) =>
  verifying.smtp.attempts.filter(({ to }) => domains.some((domain) => to[0]?.endsWith(`@${domain}`)));

test("a mail host is probed over one connection at a time with pauses, across all workers and workspaces", async () => {
  const [one, other] = [await verifying.world.workspace(), await verifying.world.workspace()];
  const jobs = await Promise.all([
    one.rest.post("/verification/jobs", { emails: people("mixed.test", 3) }),
    other.rest.post("/verification/jobs", { emails: people("other.test", 3) }),
  ]);
  await endedJob(one.rest, jobs[0]?.body.id);
  await endedJob(other.rest, jobs[1]?.body.id);
  const asked = askedOf("mixed.test", "other.test");
  expect(asked).toHaveLength(6);
  expect(new Set(asked.map(({ session }) => session)).size).toBe(6);
  const gaps = asked.slice(1).map(({ at }, n) => at - (asked[n]?.at ?? 0));
  expect(gaps.filter((gap) => gap < SLOW_MS + QUICK.apartMs - 10)).toEqual([]);
}, 60_000);

test("a mail host is probed up to an hourly limit; the job then waits, shows the progress and can be cancelled", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  const rows = people("busy.test", MOST + 4).map((email) => ({ email }));
  const { body: list } = await rest.post("/lead-lists", { name: "Busy" });
  await rest.post("/leads/import", { action: "commit", rows, listId: list.id });
  const { Lead } = scoped(workspaceId);
  await Lead.updateOne({ email: `p${MOST + 3}@busy.test` }, { $set: { verificationStatus: "UNKNOWN" } });
  const { body: job } = await rest.post("/verification/jobs", { listId: list.id });
  const path = `/verification/jobs/${job.id}`;
  const isAt = async () => (await rest.get(path)).body.progress.processed === MOST;
  await until(isAt, { deadlineMs: 30_000, what: "as many as an hour may have" });
  expect((await rest.get(path)).body).toMatchObject({
    status: "RUNNING",
    counts: { invalid: MOST },
    progress: { total: MOST + 4 },
  });
  expect(await Lead.count({ verificationStatus: "PENDING" })).toBe(4);
  expect(askedOf("busy.test")).toHaveLength(MOST);
  const cancelled = await rest.post(`/jobs/${job.id}/cancel`, {});
  expect(cancelled).toMatchObject({ status: 200, body: { status: "CANCELLED" } });
  await until(async () => (await Lead.count({ verificationStatus: "PENDING" })) === 0, {
    deadlineMs: 20_000,
    what: "the leads to be let go",
  });
  const now = (await Lead.find({})).filter(({ verificationStatus }) => verificationStatus !== "INVALID");
  expect(now.map(({ verificationStatus }) => verificationStatus).sort()).toEqual([
    "UNKNOWN",
    "UNVERIFIED",
    "UNVERIFIED",
    "UNVERIFIED",
  ]);
  const areGone = async () => (await scoped(workspaceId).VerificationBatch.count()) === 0;
  await until(areGone, { deadlineMs: 20_000, what: "the batches to go" });
  expect((await rest.get(path)).body).toMatchObject({ counts: { invalid: MOST }, pollAfterSeconds: null });
}, 90_000);

test("addresses added to a job that waits for its mail host are verified while the job waits", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  await rest.patch("/verification/settings", { autoVerifyOnImport: true });
  const { requestVerification } = await import("../../store/verification/job.ts");
  const job = await requestVerification(workspaceId, { emails: people("late.test", MOST + 1) }, "IMPORT", { key: "k" });
  const processed = async () => (await rest.get(`/verification/jobs/${job._id}`)).body.progress.processed;
  await until(async () => (await processed()) === MOST, { deadlineMs: 30_000, what: "the job to wait" });
  const same = await requestVerification(workspaceId, { emails: ["no@absent.test"] }, "IMPORT", {
    key: "k",
    requestId: "vrq_more",
  });
  const twice = await requestVerification(workspaceId, { emails: ["no@absent.test"] }, "IMPORT", {
    key: "k",
    requestId: "vrq_more",
  });
  expect([same._id, twice._id, twice.total]).toEqual([job._id, job._id, MOST + 2]);
  await until(async () => (await processed()) === MOST + 1, { deadlineMs: 30_000, what: "the further address" });
  await rest.post(`/jobs/${job._id}/cancel`, {});
}, 90_000);
