import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { newId } from "../../mongo/ids.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { ORDERLY, setZone } from "./zones.ts";

let world: World;
let dns: FakeDns;
beforeAll(async () => {
  dns = await startDns();
  world = await startWorld({ worker: realWorker({ dnsServers: [dns.server] }) });
}, 90_000);
afterAll(async () => {
  await world.close();
  await dns.close();
}, 60_000);
beforeEach(() => setZone(dns, ORDERLY));

const PATH = "/deliverability/placement-tests";
const server = { host: "smtp.sender.test", port: 465, security: "SSL_TLS" as const };

async function workspaceWith(...emails: string[]) {
  const workspace = await world.workspace();
  const { Mailbox } = scoped(workspace.workspaceId);
  const of = (email: string) => ({ email, username: email, smtp: server, imap: server, dkimSelectors: ["s2026"] });
  const mailboxes = await Mailbox.insertMany(emails.map((email) => ({ _id: newId("mbx"), ...of(email) })));
  const schedule = (placement: object) =>
    workspace.rest.post("/workspace", { action: "update", patch: { deliverability: { placement } } });
  return { ...workspace, ids: mailboxes.map(({ _id }) => _id), Mailbox, schedule };
}

/** The daily round, as Temporal's schedule starts it. */
const round = () =>
  world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });

type Provider = "PROVIDERA" | "PROVIDERB" | "OTHER";
type Folder = "INBOX" | "SPAM" | "OTHER" | "MISSING";

function places(
  workspaceId: string,
  mailboxId: string,
  count: number,
  folder: Folder,
  provider: Provider = "OTHER",
  daysAgo = 0,
) {
  const judgedAt = new Date(Date.now() - daysAgo * DAY_MS);
  const of = {
    testId: "plt_1",
    mailboxId,
    testMailboxId: "mbx_seed",
    address: "seed@seed.test",
    provider,
    folder,
    judgedAt,
  };
  return scoped(workspaceId).PlacementMail.insertMany(
    Array.from({ length: count }, () => ({ _id: newId("snd"), ...of })),
  );
}

async function warmed(
  workspaceId: string,
  mailboxId: string,
  count: number,
  folder: Folder,
  provider: "PROVIDERA" | "SMTP",
) {
  const from = { fromWorkspaceId: workspaceId, fromMailboxId: mailboxId, fromAddress: "ann@sender.test" };
  const to = { toWorkspaceId: "wsp_partner", toMailboxId: "mbx_partner", toAddress: "eve@partner.test" };
  const landed = { folder, provider, at: new Date() };
  const rows = Array.from({ length: count }, () => ({
    _id: newId("tst"),
    opening: "tst_1",
    sendId: "snd_1",
    day: "2026-11-24",
    dueAt: new Date(),
    landed,
  }));
  await WarmupMail.insertMany(rows.map((row) => ({ ...row, ...from, ...to, state: "SENT" as const })));
}

test("spam placement of tests and warmup enters mailbox, domain and workspace figures, provider rates, scores and alerts with their numbers", async () => {
  const { rest, ids, workspaceId, withScopes } = await workspaceWith("ann@sender.test", "bob@sender.test");
  const [ann = "", bob = ""] = ids;
  await places(workspaceId, ann, 10, "INBOX", "PROVIDERA");
  await places(workspaceId, ann, 3, "SPAM", "PROVIDERA");
  await places(workspaceId, ann, 2, "MISSING", "PROVIDERB");
  await places(workspaceId, ann, 4, "OTHER");
  await warmed(workspaceId, ann, 3, "INBOX", "SMTP");
  await warmed(workspaceId, ann, 1, "SPAM", "PROVIDERA");
  await places(workspaceId, bob, 19, "SPAM");
  await places(workspaceId, bob, 50, "SPAM", "OTHER", 20);
  await warmed("wsp_partner", "mbx_partner", 5, "SPAM", "SMTP");
  await round();
  const { items } = (await rest.get("/deliverability/mailboxes?days=8&sort=email")).body;
  expect(items).toMatchObject([
    { email: "ann@sender.test", spamPlacementRate: 0.1905, score: 81 },
    // Under 20 measured emails a share says nothing yet
    { email: "bob@sender.test", spamPlacementRate: 1, score: null },
  ]);
  const overview = (await rest.get("/deliverability/overview?days=8")).body;
  expect(overview).toMatchObject({ sent: 0, score: 60, spamPlacementRate: 0.575 });
  expect(overview.byProvider).toMatchObject([
    { provider: "PROVIDERA", inboxRate: 0.7143 },
    { provider: "PROVIDERB", inboxRate: 0 },
    { provider: "OTHER", inboxRate: 0.1154 },
  ]);
  expect((await rest.get("/deliverability/domains")).body.items).toMatchObject([
    { spamPlacementRate: 0.575, score: 60 },
  ]);
  const alerts = (await rest.get("/deliverability/alerts")).body.items.filter(
    ({ type }: { type: string }) => type === "SPAM_PLACEMENT",
  );
  expect(
    alerts
      .map(({ subjectType, severity, numbers }: Record<string, unknown>) => [subjectType, severity, numbers])
      .sort(),
  ).toEqual([
    ["DOMAIN", "CRITICAL", { measure: "SPAM_PLACEMENT", numerator: 23, denominator: 40, threshold: 0.1 }],
    ["MAILBOX", "WARNING", { measure: "SPAM_PLACEMENT", numerator: 4, denominator: 21, threshold: 0.1 }],
  ]);
  const [advice] = (await rest.get("/deliverability/recommendations?scope=MAILBOX")).body.items;
  expect(advice).toMatchObject({
    title: "Keep emails of ann@sender.test out of Junk",
    relatedTool: "mailboxes_manage",
  });
  expect(advice.detail).toContain(
    "4 of 21 measured emails in the last seven days landed in Junk (19.05 %; alert from 10 %)",
  );

  const patch = { deliverability: { alertThresholds: { spamRate: 0.6 } } };
  expect((await rest.post("/workspace", { action: "update", patch })).status).toBe(200);
  const reader = await withScopes("deliverability:read");
  expect((await reader.get("/deliverability/settings")).body.alertThresholds).toMatchObject({
    spamRate: 0.6,
    bounceRate: 0.03,
  });
  await round();
  const after = (await rest.get("/deliverability/alerts?status=OPEN")).body.items;
  expect(after.filter(({ type }: { type: string }) => type === "SPAM_PLACEMENT")).toEqual([]);
}, 120_000);

test("the daily round creates a scheduled placement test once per day or week, from every connected mailbox that is not a test mailbox", async () => {
  const { rest, ids, schedule, workspaceId, Mailbox } = await workspaceWith(
    "ann@sender.test",
    "bob@sender.test",
    "out@sender.test",
    "seed@seed.test",
  );
  const [ann = "", bob = "", out = "", seed = ""] = ids;
  await Mailbox.updateOne({ _id: out }, { $set: { status: "PAUSED" } });
  expect((await rest.get("/deliverability/settings")).body).toMatchObject({
    placementSchedule: null,
    testMailboxIds: [],
  });
  expect((await schedule({ testMailboxIds: [seed], schedule: "WEEKLY" })).status).toBe(200);
  expect((await rest.get("/deliverability/settings")).body).toMatchObject({
    placementSchedule: "WEEKLY",
    testMailboxIds: [seed],
  });
  await rest.post("/workspace", { action: "pauseSending" });
  await round();
  expect((await rest.get(PATH)).body.total).toBe(0);
  await rest.post("/workspace", { action: "resumeSending" });
  await round();
  await Promise.all([round(), round()]);
  const { items } = (await rest.get(PATH)).body;
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ isScheduled: true, mails: 2, testMailboxIds: [seed] });
  expect([...items[0].mailboxIds].sort()).toEqual([ann, bob].sort());
  expect((await schedule({ schedule: "DAILY" })).status).toBe(200);
  await round();
  await round();
  expect((await rest.get(PATH)).body.total).toBe(2);
  await schedule({ schedule: null });
  expect((await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.deliverability.placement).toMatchObject({
    testMailboxIds: [seed],
    schedule: null,
  });
}, 120_000);

test("a schedule accepts only test mailboxes of the workspace, and a credential that needs plans cannot set a schedule without a plan", async () => {
  const { rest, ids, schedule, withPolicy } = await workspaceWith("seed@seed.test");
  const other = await workspaceWith("seed@seed.test");
  expect((await schedule({ testMailboxIds: [...ids, ...other.ids] })).body).toMatchObject({
    code: "MAILBOX_NOT_FOUND",
    details: { mailboxIds: other.ids },
  });
  const agent = await withPolicy({ sends: "PLAN" });
  const patch = { deliverability: { placement: { schedule: "DAILY" } } };
  expect((await agent.post("/workspace", { action: "update", patch })).body).toMatchObject({
    code: "PLAN_REQUIRED",
  });
  expect((await rest.get("/deliverability/settings")).body).toMatchObject({
    placementSchedule: null,
    testMailboxIds: [],
  });
}, 60_000);

test("a scheduled placement test has at most 200 emails, and the next scheduled test includes senders left out of the first", async () => {
  const senders = Array.from({ length: 110 }, (_, number) => `s${number}@sender.test`);
  const { rest, ids, schedule, workspaceId } = await workspaceWith("a@seed.test", "b@seed.test", ...senders);
  await schedule({ testMailboxIds: ids.slice(0, 2), schedule: "DAILY" });
  await round();
  const [first] = (await rest.get(PATH)).body.items;
  expect([first.mails, first.mailboxIds.length]).toEqual([200, 100]);
  await scoped(workspaceId).PlacementTest.updateOne({ _id: first.id }, { $set: { period: "DAILY:2026-01-01" } });
  await schedule({ schedule: "WEEKLY" });
  await round();
  const [second] = (await rest.get(PATH)).body.items;
  expect(second.id).not.toBe(first.id);
  expect(second.mailboxIds.some((id: string) => !first.mailboxIds.includes(id))).toBe(true);
}, 120_000);
