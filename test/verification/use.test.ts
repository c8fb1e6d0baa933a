import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { requestVerification } from "../../store/verification/job.ts";
import { runDueSchedules } from "../../store/verification/settings.ts";
import { until } from "../fakes/wait.ts";
import {
  endedJob,
  foundBy,
  knows,
  receivedBy,
  startVerificationWorld,
  type VerificationWorld,
} from "./verification-world.ts";

const crowd = Array.from({ length: 5 }, (_, n) => `p${n}`);
let verifying: VerificationWorld;
beforeAll(async () => {
  const zone = { ...receivedBy("firm"), ...receivedBy("liar"), ...receivedBy("gone") };
  for (let n = 0; n < 40; n++) zone[`d${n}.test`] = n % 10 === 0 ? "silence" : { MX: ["0 ."] };
  verifying = await startVerificationWorld({ zone, rules: knows(...crowd) });
}, 90_000);
afterAll(() => verifying.close(), 60_000);

type Workspaced = Awaited<ReturnType<VerificationWorld["world"]["workspace"]>>;
const onlyJob = async ({ rest }: Workspaced) =>
  until(async () => (await rest.get("/verification/jobs")).body.items[0]?.id, {
    deadlineMs: 20_000,
    what: "a verification job",
  });

test("imported leads are verified automatically, in one job and without suppressed people, only if the workspace setting is on", async () => {
  const own = await verifying.world.workspace();
  const { rest, workspaceId } = own;
  await rest.post("/leads/import", { action: "commit", rows: [{ email: "p0@firm.test" }] });
  const changed = await rest.post("/workspace", {
    action: "update",
    patch: { verification: { autoVerifyOnImport: true } },
  });
  expect(changed.status).toBe(200);
  expect((await rest.get("/verification/settings")).body.autoVerifyOnImport).toBe(true);
  await suppressAddress(workspaceId, "p3@firm.test", "MANUAL");
  const emails = ["p0@firm.test", "p1@firm.test", "p2@firm.test", "p3@firm.test", "none@firm.test"];
  await rest.post("/leads/import", { action: "commit", rows: emails.map((email) => ({ email, firstName: "Ada" })) });
  const job = await endedJob(rest, await onlyJob(own));
  // The first one was there before, and is verified with the others because it was not yet
  expect(job).toMatchObject({ source: "IMPORT", counts: { valid: 3, invalid: 1 }, progress: { total: 4 } });
  expect((await rest.get("/verification/jobs")).body.total).toBe(1);
  const leads = await scoped(workspaceId).Lead.find({});
  expect(Object.fromEntries(leads.map(({ email, verificationStatus }) => [email, verificationStatus]))).toMatchObject({
    "p0@firm.test": "VALID",
    "none@firm.test": "INVALID",
    "p3@firm.test": "UNVERIFIED",
  });
}, 60_000);

test("INVALID leads are blocked unless the settings allow them, and CATCH_ALL leads are treated as the settings say", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  const join = async (email: string, verificationStatus: "INVALID" | "CATCH_ALL") => {
    const { body: lead } = await rest.post("/leads", { email });
    await scoped(workspaceId).Lead.updateOne({ _id: lead.id }, { $set: { verificationStatus } });
    const { body: campaign } = await rest.post("/campaigns", { name: email });
    const { body } = await rest.post(`/campaigns/${campaign.id}/recipients`, { action: "addManual", emails: [email] });
    return [body.added, body.skipped[0]?.reason];
  };
  expect(await join("a@x.test", "INVALID")).toEqual([0, "INVALID"]);
  expect(await join("b@x.test", "CATCH_ALL")).toEqual([1, undefined]);
  await rest.patch("/verification/settings", { blockInvalid: false, treatCatchAllAs: "INVALID" });
  expect(await join("c@x.test", "INVALID")).toEqual([1, undefined]);
  expect(await join("d@x.test", "CATCH_ALL")).toEqual([0, "INVALID"]);
});

test("when two VALID addresses of a domain bounce, the domain's other addresses become UNKNOWN until probed again", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  const emails = crowd.map((name) => `${name}@liar.test`);
  const { body: list } = await rest.post("/lead-lists", { name: "Liars" });
  await rest.post("/leads/import", { action: "commit", rows: emails.map((email) => ({ email })), listId: list.id });
  const first = await endedJob(rest, (await rest.post("/verification/jobs", { listId: list.id })).body.id);
  expect(first.counts.valid).toBe(5);
  const { Lead } = scoped(workspaceId);
  const standing = async () =>
    Object.fromEntries((await Lead.find({})).map(({ email, verificationStatus }) => [email, verificationStatus]));
  const bounce = (name: string) => suppressAddress(workspaceId, `${name}@liar.test`, "HARD_BOUNCE");
  await bounce("p0");
  const isReported = async () => (await Lead.findOne({ email: "p0@liar.test" }))?.verification?.reason === "BOUNCED";
  await until(isReported, { deadlineMs: 20_000, what: "the bounce to be heard of" });
  expect(await standing()).toMatchObject({ "p0@liar.test": "INVALID", "p1@liar.test": "VALID" });
  await bounce("p1");
  const isDoubted = async () => (await standing())["p2@liar.test"] === "UNKNOWN";
  await until(isDoubted, { deadlineMs: 20_000, what: "the domain to be doubted" });
  const { body } = await rest.get(`/leads/${(await Lead.findOne({ email: "p2@liar.test" }))?._id}`);
  expect(body.verification.reason).toBe("BOUNCES_OF_DOMAIN");
  // Known only for its bounce: its server would accept it
  await Lead.updateOne({ email: "p0@liar.test" }, { $set: { verifiedAt: null } });
  const before = verifying.smtp.attempts.length;
  const again = await endedJob(rest, (await rest.post("/verification/jobs", { listId: list.id })).body.id);
  expect(again.counts).toMatchObject({ valid: 3, invalid: 2 });
  expect(await foundBy(rest, again.id)).toMatchObject({
    "p0@liar.test": "INVALID BOUNCED",
    "p2@liar.test": "VALID ACCEPTED",
  });
  expect(verifying.smtp.attempts.length - before).toBeGreaterThanOrEqual(3);
}, 90_000);

test("a lead list is verified once per scheduled interval even with concurrent runs, and deleting the list removes the schedule", async () => {
  const own = await verifying.world.workspace();
  const { rest } = own;
  const { body: list } = await rest.post("/lead-lists", { name: "Weekly" });
  await rest.post("/leads/import", { action: "commit", rows: [{ email: "no@d1.test" }], listId: list.id });
  const { body: schedule } = await rest.put("/verification/schedules", { listId: list.id, cadence: "WEEKLY" });
  expect(schedule).toMatchObject({
    listId: list.id,
    cadence: "WEEKLY",
    enabled: true,
    lastRunAt: null,
    nextRunAt: expect.any(String),
  });
  const now = new Date();
  await Promise.all([runDueSchedules(10, now), runDueSchedules(10, now), runDueSchedules(10, now)]);
  const job = await endedJob(rest, await onlyJob(own));
  expect(job).toMatchObject({ source: "SCHEDULE", listId: list.id, counts: { invalid: 1 } });
  await runDueSchedules(10, now);
  expect((await rest.get("/verification/jobs")).body.total).toBe(1);
  const after = (await rest.get("/verification/schedules")).body.items[0];
  expect(Date.parse(after.nextRunAt) - Date.parse(after.lastRunAt)).toBe(7 * DAY_MS);
  const rested = await rest.put("/verification/schedules", { listId: list.id, cadence: "DAILY", enabled: false });
  expect(rested.body).toMatchObject({ id: schedule.id, cadence: "DAILY", nextRunAt: null });
  await rest.put("/verification/schedules", { listId: list.id, cadence: "DAILY" });
  await rest.post("/lead-lists/manage", { action: "delete", listId: list.id });
  await runDueSchedules(10, new Date(Date.now() + 2 * DAY_MS));
  expect((await rest.get("/verification/schedules")).body.total).toBe(0);
  expect((await rest.delete(`/verification/schedules/${schedule.id}`)).status).toBe(404);
}, 60_000);

test("name servers that never answer make their addresses UNKNOWN, and the other addresses still get results", async () => {
  const { rest } = await verifying.world.workspace();
  const emails = Array.from({ length: 400 }, (_, n) => `x${n}@d${n % 40}.test`);
  const job = await endedJob(rest, (await rest.post("/verification/jobs", { emails })).body.id);
  expect(job).toMatchObject({ status: "COMPLETED", counts: { invalid: 360, unknown: 40 } });
}, 60_000);

test("100,000 copies of one address are verified as one address", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  const emails = Array.from({ length: 100_000 }, () => "same@d1.test");
  const job = await requestVerification(workspaceId, { emails }, "MANUAL");
  expect(await endedJob(rest, job._id)).toMatchObject({ progress: { total: 1, processed: 1 }, counts: { invalid: 1 } });
  const many = Array.from({ length: 10_000 }, (_, n) => `x${n % 7}@d${n % 7}.test`);
  const { body } = await rest.post("/verification/jobs", { emails: many });
  expect((await endedJob(rest, body.id)).progress).toMatchObject({ total: 7, processed: 7 });
}, 60_000);

test("a verification job in a deleted workspace is cancelled without any probe", async () => {
  const { workspaceId } = await verifying.world.workspace();
  await Workspace.updateOne({ _id: workspaceId }, { $set: { deletedAt: new Date() } });
  const before = verifying.smtp.attempts.length;
  const { _id } = await requestVerification(workspaceId, { emails: ["p0@gone.test"] }, "MANUAL");
  const isEnded = async () => (await scoped(workspaceId).Job.get(_id))?.status === "CANCELLED";
  await until(isEnded, { deadlineMs: 20_000, what: "the job to end" });
  expect([verifying.smtp.attempts.length, await scoped(workspaceId).VerificationResult.count()]).toEqual([before, 0]);
}, 60_000);
