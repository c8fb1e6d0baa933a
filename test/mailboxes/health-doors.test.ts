import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { DEFAULT_CONFIG } from "../../domain/warmup/enrolment.ts";
import { scoped } from "../../models/scoped.ts";
import { judgeAlerts } from "../../store/deliverability/alerts.ts";
import { judgeMailbox } from "../../store/mailboxes/health.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { healthIn, tellFacts } from "./health-parts.ts";

let world: World;
let workspaceId: string;
let rest: Rest;
beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId, rest } = await world.workspace());
});
afterAll(() => world.close());

async function quarantined() {
  const mailbox = await storedMailbox(workspaceId);
  await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 6 });
  await judgeMailbox(workspaceId, mailbox._id);
  return mailbox;
}

test("a mailbox shows its health band with numbers, end date and score; a mailbox that was never judged is HEALTHY", async () => {
  const mailbox = await quarantined();
  const { body } = await rest.get(`/mailboxes/${mailbox._id}`);
  expect(body.health).toMatchObject({
    band: "QUARANTINED",
    score: 76,
    step: null,
    measure: "BOUNCE_RATE",
    numerator: 6,
    denominator: 100,
    threshold: 0.05,
    issues: ["QUARANTINED"],
    since: expect.any(String),
  });
  expect(Date.parse(body.health.until) - Date.parse(body.health.since)).toBe(7 * DAY_MS);
  expect(body.health.nextReviewAt).toBe(body.health.until);
  expect(body.health).not.toHaveProperty("phase");
  const fresh = await storedMailbox(workspaceId);
  const nothing = { measure: null, numerator: null, denominator: null, threshold: null };
  expect((await rest.get(`/mailboxes/${fresh._id}`)).body.health).toEqual({
    score: null,
    band: "HEALTHY",
    issues: [],
    since: null,
    until: null,
    step: null,
    nextReviewAt: null,
    ...nothing,
    evidence: null,
    pausedProviders: [],
    overridden: null,
  });
});

test("a mailbox shows its warmup status, and counts the day's warmup emails apart from campaign emails", async () => {
  const mailbox = await storedMailbox(workspaceId, { health: healthIn("WATCH") });
  await scoped(workspaceId).WarmupEnrolment.insert({
    _id: mailbox._id,
    email: mailbox.email,
    config: DEFAULT_CONFIG,
    pools: [],
  });
  const day = utcDay(Date.now());
  const sentBy = { cmp_1: 4, cmp_2: 1, warmup: 7, none: 2 };
  await scoped(workspaceId).MailboxDay.insert({
    _id: `${mailbox._id}:${day}`,
    mailboxId: mailbox._id,
    day,
    sent: 14,
    sentBy,
  });
  const { body } = await rest.get(`/mailboxes/${mailbox._id}`);
  expect(body).toMatchObject({
    warmup: { status: "ACTIVE", healthBand: "WATCH" },
    sentToday: { total: 14, warmup: 7, campaign: 5 },
  });
});

test("a user resets one or many mailboxes to HEALTHY: the change is audited under the user's credential, and HEALTHY mailboxes stay unchanged", async () => {
  const [one, other, healthy] = [await quarantined(), await quarantined(), await storedMailbox(workspaceId)];
  const { status, body } = await rest.post("/mailboxes/manage", { action: "setHealthy", mailboxId: one._id });
  expect([status, body.health.band, body.health.measure]).toEqual([200, "HEALTHY", null]);
  expect(Date.parse(body.health.until) - Date.parse(body.health.since)).toBe(DAY_MS);
  const mailboxIds = [other._id, healthy._id, "mbx_nobody"];
  const many = await rest.post("/mailboxes/manage", { action: "setHealthy", mailboxIds });
  expect(many.body).toMatchObject({ matched: 2, changed: 1, notFound: ["mbx_nobody"] });
  const { credentialId } = (await rest.get("/whoami")).body;
  const rows = await scoped(workspaceId).MailboxHealthChange.find({ mailboxId: one._id, by: "PERSON" });
  expect(rows).toMatchObject([{ from: "QUARANTINED", to: "HEALTHY", actor: credentialId }]);
  const audited = await scoped(workspaceId).AuditEntry.find({ action: "mailboxes.setHealthy" });
  expect(audited).toHaveLength(2);
  // The same six bounces never count again, also after the day
  const tomorrow = new Date(Date.now() + 25 * HOUR_MS);
  expect(await judgeMailbox(workspaceId, one._id, tomorrow)).toMatchObject({
    changes: [],
    health: { band: "HEALTHY", phase: "FREE" },
  });
});

test("the health history of a mailbox lists the changes of the requested days, newest first; another workspace does not find the mailbox", async () => {
  const mailbox = await storedMailbox(workspaceId);
  const long = new Date(Date.now() - 40 * DAY_MS);
  await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 6 }, long);
  await judgeMailbox(workspaceId, mailbox._id, long);
  await judgeMailbox(workspaceId, mailbox._id);
  const { body } = await rest.get(`/mailboxes/${mailbox._id}/health`);
  // Seven days of term and two of each of four steps end 15 days later, which is 25 days ago
  expect(body.map(({ to, step }: { to: string; step: number }) => [to, step])).toEqual([
    ["HEALTHY", null],
    ["THROTTLED", 100],
    ["THROTTLED", 75],
  ]);
  const all = (await rest.get(`/mailboxes/${mailbox._id}/health?days=60`)).body;
  expect(all.map(({ fromStep, step }: { fromStep: number; step: number }) => [fromStep, step])).toEqual([
    [100, null],
    [75, 100],
    [50, 75],
    [25, 50],
    [null, 25],
    [null, null],
  ]);
  expect(await rest.get(`/mailboxes/${mailbox._id}/health?days=181`)).toMatchObject({ status: 400 });
  expect(await rest.get("/mailboxes/mbx_nobody/health")).toMatchObject({
    status: 404,
    body: { code: "MAILBOX_NOT_FOUND" },
  });
  const stranger = (await world.workspace()).rest;
  expect(await stranger.get(`/mailboxes/${mailbox._id}/health`)).toMatchObject({ status: 404 });
});

test("a replay shows which bands other thresholds would have produced, and changes no mailbox", async () => {
  const mailbox = await storedMailbox(workspaceId);
  await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 4 });
  await judgeMailbox(workspaceId, mailbox._id);
  const asked = { mailboxIds: [mailbox._id], thresholds: { BOUNCE_RATE: { BLOCKED: 0.04 } } };
  const { body } = await rest.post("/mailboxes/health/replay", asked);
  expect(body).toMatchObject({
    total: 1,
    items: [{ mailboxId: mailbox._id, band: "BLOCKED", changes: [{ to: "BLOCKED", threshold: 0.04 }] }],
  });
  expect((await rest.get(`/mailboxes/${mailbox._id}`)).body.health.band).toBe("THROTTLED");
  const wrong = await rest.post("/mailboxes/health/replay", { thresholds: { BOUNCE_RATE: { BLOCKED: 4 } } });
  expect(wrong).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("a launch warns about each cold mailbox with the reason, and is refused while the bands of all mailboxes forbid sending", async () => {
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId);
  const { Campaign, Mailbox, WarmupEnrolment } = scoped(workspaceId);
  const checked = async () => (await rest.get(`${path}/validate`)).body;
  const warningOf = ({ warnings }: { warnings: { code: string; details: object }[] }) =>
    warnings.find(({ code }) => code === "MAILBOX_NOT_WARM")?.details;
  const why = ["NOT_ENROLLED", "WITHOUT_SCORE"];
  expect(warningOf(await checked())).toMatchObject({
    count: 1,
    mailboxes: [{ mailboxId: mailbox._id, why, score: null, band: "HEALTHY" }],
  });
  await WarmupEnrolment.insert({
    _id: mailbox._id,
    email: mailbox.email,
    config: DEFAULT_CONFIG,
    pools: [],
    warmSince: new Date(),
  });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("HEALTHY") } });
  expect(warningOf(await checked())).toBeUndefined();
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("QUARANTINED") } });
  const shut = await checked();
  expect(shut.errors).toMatchObject([
    { code: "ALL_MAILBOXES_UNHEALTHY", details: { mailboxes: [{ mailboxId: mailbox._id, status: "QUARANTINED" }] } },
  ]);
  expect(warningOf(shut)).toMatchObject({ mailboxes: [{ why: ["BAND"] }] });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("HEALTHY") } });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({
    status: 200,
    body: { launched: true },
  });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("BLOCKED") } });
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({ code: "MAILBOXES_UNHEALTHY" });
  expect(await Campaign.get(campaignId)).toMatchObject({ status: "ACTIVE" });
});

test("a BLOCKED mailbox refuses a test email, and a QUARANTINED mailbox does not", async () => {
  const { path, mailbox } = await readyCampaign(rest, workspaceId);
  const { Mailbox } = scoped(workspaceId);
  const asked = { toEmail: "me@example.test" };
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("BLOCKED") } });
  expect(await rest.post(`${path}/test-send`, asked)).toMatchObject({
    status: 422,
    body: { code: "NO_SENDING_MAILBOX", details: { reason: "BLOCKED" } },
  });
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn("QUARANTINED") } });
  // There is no Temporal here
  expect(await rest.post(`${path}/test-send`, asked)).toMatchObject({ status: 503 });
});

test("an alert opens with a health band, shows its numbers and resolves when the band ends; a recommendation names the tool that helps", async () => {
  const { rest: own, workspaceId: where } = await world.workspace();
  const mailbox = await storedMailbox(where);
  await tellFacts(where, mailbox._id, { sent: 100, bounced: 6 });
  await judgeMailbox(where, mailbox._id);
  await judgeAlerts(where);
  const alerts = async () =>
    (await own.get("/deliverability/alerts")).body.items.filter(
      ({ type }: { type: string }) => type === "MAILBOX_BAND",
    );
  expect(await alerts()).toMatchObject([
    {
      status: "OPEN",
      severity: "CRITICAL",
      subjectId: mailbox._id,
      numbers: { measure: "BOUNCE_RATE", numerator: 6, denominator: 100, threshold: 0.05 },
    },
  ]);
  const { items } = (await own.get("/deliverability/recommendations?scope=MAILBOX")).body;
  const told = items.find(({ id }: { id: string }) => id.startsWith("rec_BAND_QUARANTINED"));
  expect(told).toMatchObject({ priority: "HIGH", subjectId: mailbox._id, relatedTool: "recipients_manage" });
  expect(told.detail).toMatch(/QUARANTINED because of BOUNCE_RATE: 6 of 100 emails.*since 20/);
  await own.post("/mailboxes/manage", { action: "setHealthy", mailboxId: mailbox._id });
  expect(await judgeMailbox(where, mailbox._id)).toMatchObject({ isNews: true });
  await judgeAlerts(where);
  expect(await alerts()).toMatchObject([{ status: "RESOLVED" }]);
});
