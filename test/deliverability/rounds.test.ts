import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { systemSmtpOf } from "../../domain/mailboxes/system-smtp.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { Membership } from "../../models/access/membership.ts";
import { DomainCheck } from "../../models/deliverability/domain-check.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { ensureUser } from "../../operations/access/workspaces.ts";
import { applyChange } from "../../store/deliverability/alerts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ORDERLY, setZone, withSpf } from "./zones.ts";

const FIT: Zone = { "2.0.0.127.bl.test": { A: ["127.0.0.2"] }, "test.dbl.test": { A: ["127.0.1.2"] } };
const LISTS = [
  { zone: "bl.test", of: "ADDRESS" as const },
  { zone: "dbl.test", of: "DOMAIN" as const },
];

let world: World;
let dns: FakeDns;
let smtp: FakeSmtp;

beforeAll(async () => {
  const certificate = await makeCertificate();
  dns = await startDns();
  smtp = await startSmtp({ certificate, accounts: { "noreply@out.test": "secret" }, secure: true });
  const systemSmtp = systemSmtpOf(`smtps://noreply%40out.test:secret@127.0.0.1:${smtp.port}`, null);
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server], systemSmtp, blockLists: LISTS }),
    settings: { hasSystemMail: true },
  });
}, 90_000);

afterAll(async () => {
  await world.close();
  await Promise.all([dns.close(), smtp.close()]);
}, 60_000);

beforeEach(() => setZone(dns, { ...ORDERLY, ...FIT }));

const server = (host: string) => ({ host, port: 465, security: "SSL_TLS" as const });

async function workspaceWith(...emails: string[]) {
  const workspace = await world.workspace();
  const { Mailbox } = scoped(workspace.workspaceId);
  const ids = [];
  for (const email of emails) {
    const host = server(`smtp.${email.split("@")[1]}`);
    const of = { _id: newId("mbx"), email, username: email, smtp: host, imap: host, dkimSelectors: ["s2026"] };
    ids.push((await Mailbox.insert(of))._id);
  }
  return { ...workspace, ids, Mailbox };
}

/** The daily round, as the schedule starts it, on the day after the last one. */
async function round(): Promise<void> {
  const yesterday = { $set: { checkedAt: new Date(Date.now() - DAY_MS) } };
  await DomainCheck.collection.updateMany({}, yesterday); // of all workspaces, whose round it is
  await dailyChecks();
}

async function dailyChecks(): Promise<void> {
  await world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });
}

type Outcome = Partial<{
  to: string;
  state: "SENT" | "BOUNCED" | "FAILED";
  reason: string;
  daysAgo: number;
  opened: boolean;
}>;

/** Emails of a campaign that were due at noon. */
async function mails(
  workspaceId: string,
  mailboxId: string,
  count: number,
  { to = "ada@people.test", ...more }: Outcome = {},
) {
  const { state = "SENT", reason, daysAgo = 1, opened } = more;
  const noon = new Date(`${utcDay(Date.now() - daysAgo * DAY_MS)}T12:00:00Z`);
  const failure = reason === undefined ? null : { reason, code: null, text: null };
  const tracking = opened === undefined ? null : { opens: true, clicks: false, domain: "t.sender.test", links: [] };
  const fields = {
    mailboxId,
    to,
    state,
    failure,
    tracking,
    slotAt: noon,
    sentAt: noon,
    openedAt: opened ? noon : null,
  };
  const rows = Array.from({ length: count }, () => ({
    _id: newId("snd"),
    kind: "CAMPAIGN" as const,
    campaignId: "cmp_1",
    ...fields,
  }));
  await scoped(workspaceId).Send.insertMany(rows as never[]); // what tracking holds beside is of no matter here
}

async function alerts(rest: Rest, query = "") {
  const { body } = await rest.get(`/deliverability/alerts${query}`);
  return body.items.map(({ type, status, severity }: Record<string, string>) => `${type} ${severity} ${status}`);
}

const mailed = (to: string) =>
  smtp.ledger
    .filter((mail) => mail.to.includes(to))
    .map(({ raw }) => raw.toString("utf8").replaceAll("=\r\n", "").replaceAll("\r\n ", " "));

test("a sending domain is checked daily, and the API reports checks, block lists, sender rules and records to publish", async () => {
  const { rest, ids, workspaceId } = await workspaceWith("ann@sender.test", "bob@sender.test");
  const before = await rest.get("/deliverability/domains");
  expect(before.body.items).toMatchObject([
    { domain: "sender.test", mailboxes: 2, spf: null, checkedAt: null, checks: [], score: null },
  ]);
  setZone(dns, { ...withSpf("v=spf1 mx +all"), ...FIT, "7.113.0.203.bl.test": { A: ["127.0.0.4"] } });
  await round();
  const { body } = await rest.get("/deliverability/domains?domain=sender.test");
  expect(body).toMatchObject({
    total: 1,
    items: [{ mx: "PASS", spf: "WARN", dkim: "PASS", dmarc: "PASS", checkedAt: expect.any(String) }],
  });
  const [{ checks, blockLists, senderRules }] = body.items;
  expect(checks.find(({ check }: { check: string }) => check === "SPF")).toMatchObject({
    reason: "SPF_OPEN",
    found: ["v=spf1 mx +all"],
    publish: [{ type: "TXT", name: "sender.test", value: "v=spf1 mx ~all" }],
  });
  expect(blockLists).toEqual([
    { zone: "bl.test", subject: "203.0.113.7", status: "LISTED" },
    { zone: "dbl.test", subject: "sender.test", status: "CLEAR" },
  ]);
  expect(senderRules.map(({ host, isBulk }: { host: string; isBulk: boolean }) => [host, isBulk])).toEqual([
    ["GOOGLE", false],
    ["YAHOO", false],
    ["MICROSOFT", false],
  ]);
  const stored = await scoped(workspaceId).DomainCheck.find({});
  expect(stored.map(({ domain, day }) => [domain, day])).toEqual([["sender.test", utcDay(Date.now())]]);
  expect(ids).toHaveLength(2);
}, 60_000);

test("an alert opens, is acknowledged, reopens when worse and resolves; opening, reopening and resolving are emailed to the owner, not to a viewer", async () => {
  const { rest, withScopes, workspaceId, ids, ownerId } = await workspaceWith("ann@sender.test");
  const [mailboxId = ""] = ids;
  const viewer = {
    _id: newId("mbr"),
    userId: await ensureUser("viewer@acme.test"),
    role: "VIEWER" as const,
    joinedAt: new Date(),
  };
  await Membership.insertMany([{ workspaceId, ...viewer }]);
  const email = (await User.findOne({ _id: ownerId }).lean<User>())?.email ?? "";

  setZone(dns, { ...ORDERLY, ...FIT, "7.113.0.203.bl.test": { A: ["127.0.0.4"] } });
  await mails(workspaceId, mailboxId, 96);
  await mails(workspaceId, mailboxId, 4, { state: "BOUNCED", reason: "USER_UNKNOWN" });
  await round();
  const open = ["BLOCK_LISTED CRITICAL OPEN", "BOUNCE_RATE WARNING OPEN", "BOUNCE_RATE WARNING OPEN"];
  expect((await alerts(rest)).sort()).toEqual(open);
  const [told = ""] = mailed(email);
  expect(told).toMatch(/CRITICAL: sender\.test is on a block list: bl\.test \(203\.0\.113\.7\)/);
  expect(told).toMatch(/ann@sender\.test: 4 of 100 emails in the last seven days bounced \(4 %; alert from 3 %\)/);
  expect(mailed("viewer@acme.test")).toEqual([]);

  const found = (await rest.get("/deliverability/alerts?severity=CRITICAL")).body.items[0];
  expect(found).toMatchObject({
    type: "BLOCK_LISTED",
    subjectType: "DOMAIN",
    subjectId: "sender.test",
    resolvedAt: null,
    resolution: null,
  });
  const path = `/deliverability/alerts/${found.id}/acknowledge`;
  const reader = await withScopes("deliverability:read");
  expect(await reader.post(path)).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "mailboxes:write" } },
  });
  expect((await (await world.workspace()).rest.post(path)).body.code).toBe("ALERT_NOT_FOUND");
  expect((await rest.post(path)).body).toMatchObject({ status: "ACKNOWLEDGED", acknowledgedAt: expect.any(String) });
  expect((await rest.post(path)).body.status).toBe("ACKNOWLEDGED");

  const bounced = (await rest.get("/deliverability/alerts?severity=WARNING")).body.items;
  for (const { id } of bounced) await rest.post(`/deliverability/alerts/${id}/acknowledge`);
  await round();
  expect(await alerts(rest, "?status=ACKNOWLEDGED")).toHaveLength(3);
  expect(mailed(email)).toHaveLength(1);

  await mails(workspaceId, mailboxId, 5, { state: "FAILED", reason: "HARD_BOUNCE" });
  dns.zone["7.113.0.203.bl.test"] = { A: ["127.255.255.254"] };
  await round();
  expect((await alerts(rest)).sort()).toEqual([
    "BLOCK_LISTED CRITICAL ACKNOWLEDGED",
    "BOUNCE_RATE CRITICAL OPEN",
    "BOUNCE_RATE CRITICAL OPEN",
  ]);

  delete dns.zone["7.113.0.203.bl.test"];
  await mails(workspaceId, mailboxId, 400);
  await round();
  expect(await alerts(rest, "?status=OPEN")).toEqual([]);
  const { items } = (await rest.get("/deliverability/alerts?status=RESOLVED")).body;
  expect(
    items
      .map(({ type, resolution }: { type: string; resolution: { message: string } }) => [type, resolution.message])
      .sort(),
  ).toEqual([
    ["BLOCK_LISTED", "sender.test is on none of 2 block lists"],
    ["BOUNCE_RATE", "ann@sender.test: 9 of 505 emails in the last seven days bounced (1.78 %; alert from 3 %)"],
    ["BOUNCE_RATE", "sender.test: 9 of 505 emails in the last seven days bounced (1.78 %; alert from 3 %)"],
  ]);
  expect(items.find(({ type }: { type: string }) => type === "BOUNCE_RATE")).toMatchObject({
    numbers: { numerator: 9, denominator: 105, threshold: 0.03 },
    resolution: { numbers: { numerator: 9, denominator: 505, threshold: 0.03 } },
  });
  expect(mailed(email)).toHaveLength(3);
  expect(mailed(email).at(-1)).toMatch(/Resolved:/);
  expect((await rest.post(path)).body).toMatchObject({
    code: "INVALID_STATE_TRANSITION",
    details: { from: "RESOLVED" },
  });
}, 120_000);

test("checking a mailbox's records by hand also checks the domain, and a corrected record resolves the alert immediately", async () => {
  const { rest, ids } = await workspaceWith("ann@sender.test");
  setZone(dns, { ...withSpf(), ...FIT });
  await round();
  expect(await alerts(rest)).toEqual(["SPF_FAILED CRITICAL OPEN"]);
  const advice = (await rest.get("/deliverability/recommendations")).body.items[0];
  expect(advice).toMatchObject({
    priority: "HIGH",
    title: "Publish TXT at sender.test",
    relatedTool: "mailboxes_verify_dns",
    relatedEndpoint: "POST /mailboxes/{mailboxId}/verify-dns",
    publish: [{ type: "TXT", name: "sender.test", value: "v=spf1 a:smtp.sender.test ~all" }],
  });
  const [record] = advice.publish;
  setZone(dns, { ...withSpf(record.value), ...FIT });
  await rest.post(`/mailboxes/${ids[0]}/verify-dns`, { action: "resend" });
  await until(async () => (await alerts(rest)).includes("SPF_FAILED CRITICAL RESOLVED"), {
    deadlineMs: 30_000,
    what: "the check",
  });
  expect((await rest.get("/deliverability/recommendations?scope=DOMAIN")).body.items).toEqual([]);
}, 60_000);

test("a second daily round on the same day makes no further DNS queries about a domain", async () => {
  const { workspaceId } = await workspaceWith("ann@sender.test");
  await round();
  const { checkedAt } = (await scoped(workspaceId).DomainCheck.findOne({ domain: "sender.test" })) ?? {};
  dns.questions.length = 0;
  await dailyChecks();
  expect(dns.questions.filter((question) => question.includes("sender.test"))).toEqual([]);
  expect(await scoped(workspaceId).DomainCheck.find({})).toMatchObject([{ checkedAt }]);
}, 60_000);

test("when several rounds find the same problem at the same moment, only one alert opens", async () => {
  const { rest, workspaceId } = await workspaceWith("ann@sender.test");
  const about = {
    type: "SPF_FAILED",
    subjectType: "DOMAIN",
    subjectId: "sender.test",
    message: "It has none.",
    numbers: null,
  } as const;
  const condition = { ...about, state: "HOLDS", severity: "CRITICAL" } as const;
  await Promise.all(Array.from({ length: 6 }, () => applyChange(workspaceId, { kind: "open", condition })));
  expect(await alerts(rest)).toEqual(["SPF_FAILED CRITICAL OPEN"]);
}, 60_000);

test("a mailbox that can no longer log in has an alert until the mailbox is connected again", async () => {
  const { rest, Mailbox, ids } = await workspaceWith("ann@sender.test");
  const set = (status: string, statusReason: string | null) =>
    Mailbox.updateOne({ _id: ids[0] }, { $set: { status, statusReason } });
  await set("RECONNECT_REQUIRED", "TOKEN_REVOKED");
  await round();
  const { items } = (await rest.get("/deliverability/alerts")).body;
  expect(items).toMatchObject([
    {
      type: "MAILBOX_LOST",
      subjectId: ids[0],
      message: expect.stringMatching(
        /^ann@sender\.test can no longer log in \(TOKEN_REVOKED\): .*Connect the mailbox again$/,
      ),
    },
  ]);
  const advice = (await rest.get("/deliverability/recommendations?scope=MAILBOX")).body.items;
  expect(advice).toMatchObject([{ title: "Connect ann@sender.test again", relatedTool: "mailboxes_connect" }]);
  await set("CONNECTED", null);
  await round();
  expect(await alerts(rest)).toEqual(["MAILBOX_LOST CRITICAL RESOLVED"]);
  await set("SENDING_ERROR", "CLIENT_REFUSED");
  await round();
  const [open] = (await rest.get("/deliverability/alerts?status=OPEN")).body.items;
  expect(open).toMatchObject({ type: "MAILBOX_LOST", message: expect.stringContaining("Only your operator can") });
  expect((await rest.get("/deliverability/recommendations?scope=MAILBOX")).body.items).toEqual([]);
}, 60_000);

test("a failing name server leaves an alert open, and removing the domain's last mailbox resolves the alert", async () => {
  const { rest, Mailbox, ids } = await workspaceWith("ann@sender.test");
  setZone(dns, { ...withSpf(), ...FIT });
  await round();
  setZone(dns, Object.fromEntries(Object.keys(ORDERLY).map((name) => [name, "servfail" as const])));
  await round();
  expect(await alerts(rest)).toEqual(["SPF_FAILED CRITICAL OPEN"]);
  await Mailbox.updateOne({ _id: ids[0] }, { $set: { status: "DISCONNECTED" } });
  await round();
  expect((await rest.get("/deliverability/alerts")).body.items).toMatchObject([
    { type: "SPF_FAILED", status: "RESOLVED", resolution: null },
  ]);
}, 60_000);

test("emails are counted per mailbox, domain, workspace, outcome and recipient host, and a second count replaces the figures", async () => {
  const { rest, workspaceId, ids } = await workspaceWith("ann@sender.test", "bob@sender.test", "cy@mail.sender.test");
  const [ann = "", bob = "", cy = ""] = ids;
  await mails(workspaceId, ann, 150, { to: "eve@gmail.com" });
  await mails(workspaceId, ann, 30, { to: "eve@hotmail.com", opened: true });
  await mails(workspaceId, ann, 20, { to: "eve@yahoo.de", opened: false });
  await mails(workspaceId, bob, 10, { state: "BOUNCED", reason: "MAILBOX_FULL" });
  await mails(workspaceId, bob, 90, { daysAgo: 6 });
  await mails(workspaceId, bob, 1_000, { daysAgo: 20 });
  await mails(workspaceId, cy, 4_990, { to: "eve@googlemail.com" });
  const report = { direction: "INBOUND", kind: "COMPLAINT", recipientId: "rcp_1" } as const;
  await scoped(workspaceId).Message.insert({ _id: newId("msg"), mailboxId: ann, contentKey: "c1", ...report });
  await scoped(workspaceId).Message.insert({
    _id: newId("msg"),
    mailboxId: ann,
    contentKey: "c2",
    ...report,
    recipientId: null,
  });
  const person = { _id: newId("rcp"), campaignId: "cmp_1", shard: 0, cid: "x7Gk2mQ9rT4vW1" };
  await scoped(workspaceId).Recipient.insert({ ...person, leadId: "led_9", email: "eve@gmail.com", mailboxId: ann });
  await scoped(workspaceId).ActivityEvent.insert({
    _id: newId("evt"),
    type: "REPLIED",
    at: new Date(),
    recipientId: person._id,
    data: {},
  });
  for (let again = 0; again < 2; again++) await round();

  const { items } = (await rest.get("/deliverability/mailboxes?days=7")).body;
  const of = Object.fromEntries(items.map(({ email, ...figures }: { email: string }) => [email, figures]));
  expect(of).toMatchObject({
    "ann@sender.test": { sent: 200, bounceRate: 0, complaintRate: 0.005, replyRate: 0.005, score: 70 },
    "bob@sender.test": { sent: 100, bounceRate: 0, replyRate: 0, score: 100 },
    "cy@mail.sender.test": { sent: 4_990, score: 100 },
  });
  expect((await rest.get(`/deliverability/mailboxes?days=30&mailboxId=${bob}`)).body.items).toMatchObject([
    { sent: 1_100, score: 100 },
  ]);
  const overview = (await rest.get("/deliverability/overview?days=7")).body;
  expect(overview).toMatchObject({ sent: 5_290, delivered: 5_290, openRate: 0.6, spamPlacementRate: null });
  expect(overview.trend).toHaveLength(7);
  expect(overview.trend.at(-1)).toEqual({ date: utcDay(Date.now()), score: overview.score });
  expect(overview.byProvider.map(({ sent }: { sent: number }) => sent)).toEqual([0, 0, 5_290]);

  const { body } = await rest.get("/deliverability/domains");
  const hosts = Object.fromEntries(
    body.items.map(
      ({ domain, senderRules }: { domain: string; senderRules: { mailsADay: number; isBulk: boolean }[] }) => [
        domain,
        senderRules.map(({ mailsADay, isBulk }) => [mailsADay, isBulk]),
      ],
    ),
  );
  const whole = [
    [5_140, true],
    [20, false],
    [30, false],
  ];
  expect(hosts).toEqual({ "mail.sender.test": whole, "sender.test": whole });
}, 120_000);

test("a workspace can monitor further domains and set alert thresholds, and an invalid domain or threshold is refused", async () => {
  const { rest, key, workspaceId, ids } = await workspaceWith("ann@sender.test");
  const patch = (deliverability: object) => rest.post("/workspace", { action: "update", patch: { deliverability } });
  expect((await rest.get("/deliverability/settings")).body).toEqual({
    autoPause: { enabled: true, bounceRate: 0.03, complaintRate: 0.001 },
    alertThresholds: { bounceRate: 0.03, complaintRate: 0.001, spamRate: 0.1 },
    monitoredDomains: [],
    placementSchedule: null,
    testMailboxIds: [],
  });
  for (const wrong of ["localhost", "co.uk", "https://acme.test", "a b.test", ""])
    expect(await patch({ monitoredDomains: [wrong] })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_FAILED" },
    });
  expect((await patch({ alertThresholds: { bounceRate: 0 } })).status).toBe(400);
  expect((await patch({ monitoredDomains: ["Acme.test"] })).status).toBe(200);
  expect((await patch({ alertThresholds: { bounceRate: 0.5 } })).status).toBe(200);
  expect((await rest.get("/deliverability/settings")).body).toMatchObject({
    alertThresholds: { bounceRate: 0.5, complaintRate: 0.001, spamRate: 0.1 },
    monitoredDomains: ["acme.test"],
  });
  await mails(workspaceId, ids[0] ?? "", 100, { state: "BOUNCED", reason: "USER_UNKNOWN", daysAgo: 2 });
  await patch({ alertThresholds: { bounceRate: 1 } });
  await round();
  const { items } = (await rest.get("/deliverability/domains")).body;
  expect(items).toMatchObject([
    { domain: "acme.test", mailboxes: 0, mx: "FAIL" },
    { domain: "sender.test", mailboxes: 1, mx: "PASS" },
  ]);
  expect((await alerts(rest)).filter((alert: string) => alert.startsWith("BOUNCE_RATE"))).toHaveLength(2);

  const agent = await agentOf(world, key);
  const tool = async (name: string, args = {}) => (await agent.call(name, args)).body;
  expect((await tool("deliverability_domains", { domain: "acme.test" })).items).toMatchObject([
    { domain: "acme.test" },
  ]);
  expect((await tool("deliverability_recommendations")).total).toBeGreaterThan(3);
  expect((await tool("deliverability_overview")).score).toBe(60);
  expect(await tool("deliverability_settings")).toMatchObject({ monitoredDomains: ["acme.test"] });
  expect((await tool("deliverability_mailboxes")).items).toMatchObject([{ bounceRate: 1 }]);
  expect((await tool("deliverability_alerts", { status: "OPEN" })).total).toBeGreaterThan(2);
  await agent.close();
}, 60_000);
