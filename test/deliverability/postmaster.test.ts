import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { DomainCheck } from "../../models/deliverability/domain-check.ts";
import { PostmasterDomain } from "../../models/deliverability/postmaster-domain.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type FakePostmaster, type GoogleDomain, refusal, startPostmaster } from "../fakes/postmaster.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ORDERLY, setZone } from "./zones.ts";

let world: World;
let google: FakePostmaster;
let dns: FakeDns;
const lines: string[] = [];

beforeAll(async () => {
  google = await startPostmaster();
  dns = await startDns();
  setZone(dns, ORDERLY);
  const postmaster = { credentials: google.account, url: google.url };
  world = await startWorld({
    worker: realWorker({ dnsServers: [dns.server], postmaster, onLog: (line) => lines.push(line) }),
    settings: { hasPostmaster: true },
  });
  await dayGoesOn(60_000);
}, 120_000);

afterAll(async () => {
  await world.close();
  await Promise.all([google.close(), dns.close()]);
}, 60_000);

beforeEach(() => {
  google.domains.clear();
  google.asked.length = 0;
});
afterEach(() => {
  Object.assign(google.settings, { fault: () => null, grantFault: () => null, pageSize: 200 });
});

async function workspaceWith(...emails: string[]) {
  const workspace = await world.workspace();
  for (const email of emails) await addMailbox(workspace.workspaceId, email);
  return workspace;
}

function addMailbox(workspaceId: string, email: string) {
  const host = { host: `smtp.${email.split("@")[1]}`, port: 465, security: "SSL_TLS" as const };
  return scoped(workspaceId).Mailbox.insert({ _id: newId("mbx"), email, username: email, smtp: host, imap: host });
}

/** The daily round, on the day after the last one. */
async function round(): Promise<void> {
  const yesterday = new Date(Date.now() - DAY_MS);
  await PostmasterDomain.collection.updateMany({ readAt: { $ne: null } }, { $set: { readAt: yesterday } }); // of all workspaces, whose round it is
  await DomainCheck.collection.updateMany({}, { $set: { checkedAt: yesterday } });
  await sameDay();
}

async function sameDay(): Promise<void> {
  await world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });
}

const dayAgo = (days: number) => utcDay(Date.now() - days * DAY_MS);
const spam = (rate: number) => ({ SPAM_RATE: { doubleValue: rate } });
const withSpam = (rates: Record<number, number>): GoogleDomain => ({
  days: Object.fromEntries(Object.entries(rates).map(([days, rate]) => [dayAgo(Number(days)), spam(rate)])),
});
const figures = async (rest: Rest, query = "") => (await rest.get(`/deliverability/postmaster${query}`)).body.domains;
const queries = () => google.asked.filter(({ path }) => path.endsWith("domainStats:query"));
const spanOf = (body: unknown) => JSON.stringify(body).match(/"start":(\{[^}]*\})/)?.[1];
const dateOf = (day: string) => {
  const [year, month, dayOfMonth] = day.split("-").map(Number);
  return JSON.stringify({ year, month, day: dayOfMonth });
};

async function alertsOf(rest: Rest) {
  const { body } = await rest.get("/deliverability/alerts");
  return body.items.filter(({ type }: { type: string }) => type === "GOOGLE_SPAM_RATE");
}

test("Google's figures are read daily and shown per domain and day; omitted days are absent and omitted values are null, never zero", async () => {
  const { rest, key } = await workspaceWith("ann@sender.test", "bob@mail.sender.test");
  expect(await figures(rest)).toMatchObject([
    { domain: "mail.sender.test", points: [], readAt: null, error: null },
    {},
  ]);
  google.settings.pageSize = 3;
  google.domains.set("mail.sender.test", { days: {} });
  google.domains.set("sender.test", {
    days: {
      [dayAgo(40)]: spam(0.0005),
      [dayAgo(3)]: {
        SPAM_RATE: { intValue: "0" },
        'AUTH_SUCCESS_RATE auth_type = "spf"': { doubleValue: 0.91 },
        'AUTH_SUCCESS_RATE auth_type = "dkim"': { doubleValue: 0.92 },
        'AUTH_SUCCESS_RATE auth_type = "dmarc"': { doubleValue: 0.93 },
        'TLS_ENCRYPTION_RATE traffic_direction = "inbound"': { intValue: "1" },
        DELIVERY_ERROR_RATE: { doubleValue: 0.02 },
        FEEDBACK_LOOP_ID: { stringList: { values: ["news", '" OR "'] } },
        'FEEDBACK_LOOP_SPAM_RATE feedback_loop_id = "news"': { doubleValue: 0.004 },
      },
      [dayAgo(2)]: { DELIVERY_ERROR_RATE: { doubleValue: 0.01 } },
    },
    compliance: {
      complianceData: {
        rowData: [
          { requirement: "SPF_AND_DKIM", status: { status: "COMPLIANT" } },
          { requirement: "USER_REPORTED_SPAM_RATE", status: { status: "NEEDS_WORK" } },
        ],
      },
    },
  });
  await round();
  const empty = { spamRate: null, spfRate: null, dkimRate: null, dmarcRate: null, tlsRate: null };
  const expected = {
    domain: "sender.test",
    compliance: [
      { requirement: "SPF_AND_DKIM", status: "COMPLIANT" },
      { requirement: "USER_REPORTED_SPAM_RATE", status: "NEEDS_WORK" },
    ],
    points: [
      {
        date: dayAgo(3),
        spamRate: 0,
        spfRate: 0.91,
        dkimRate: 0.92,
        dmarcRate: 0.93,
        tlsRate: 1,
        deliveryErrorRate: 0.02,
        feedbackLoops: [{ id: "news", spamRate: 0.004 }],
      },
      { date: dayAgo(2), ...empty, deliveryErrorRate: 0.01, feedbackLoops: [] },
    ],
    readAt: expect.any(String),
    error: null,
  };
  expect(await figures(rest, "?domain=sender.test")).toEqual([expected]);
  expect(await figures(rest, "?domain=SENDER.test&days=120")).toMatchObject([
    { points: [{ date: dayAgo(40) }, {}, {}] },
  ]);
  expect(await figures(rest, "?domain=mail.sender.test")).toMatchObject([
    { points: [], error: null, readAt: expect.any(String) },
  ]);
  expect((await rest.get("/deliverability/postmaster?days=121")).body.code).toBe("VALIDATION_FAILED");
  const agent = await agentOf(world, key);
  expect((await agent.call("deliverability_postmaster", { domain: "sender.test" })).body.domains).toEqual([expected]);
  await agent.close();
}, 60_000);

test("the first reading covers all days that Google keeps, later readings the last ten days, and a second round on the same day reads nothing", async () => {
  const { rest } = await workspaceWith("ann@late.test");
  google.domains.set("late.test", withSpam({ 100: 0.0004, 2: 0.0001 }));
  await round();
  expect(queries().map(({ body }) => spanOf(body))).toEqual([dateOf(dayAgo(120))]);
  google.asked.length = 0;
  await sameDay();
  expect(google.asked.filter(({ path }) => path.includes("late.test"))).toEqual([]);
  google.domains.set("late.test", withSpam({ 100: 0.9, 2: 0.0002, 1: 0.0003 }));
  await round();
  expect(queries().map(({ body }) => spanOf(body))).toContain(dateOf(dayAgo(11)));
  const [{ points }] = await figures(rest, "?days=120");
  expect(points.map(({ date, spamRate }: { date: string; spamRate: number }) => [date, spamRate])).toEqual([
    [dayAgo(100), 0.0004],
    [dayAgo(2), 0.0002],
    [dayAgo(1), 0.0003],
  ]);
}, 60_000);

test("a workspace sees Google's figures only for its own sending domains, not for domains of other workspaces or monitored domains", async () => {
  const one = await workspaceWith("ann@one.test");
  const other = await workspaceWith("ann@other.test");
  google.domains.set("one.test", withSpam({ 1: 0.0001 }));
  google.domains.set("other.test", withSpam({ 1: 0.0002 }));
  google.domains.set("nobodys.test", withSpam({ 1: 0.0003 }));
  const patch = { deliverability: { monitoredDomains: ["one.test", "nobodys.test"] } };
  expect((await other.rest.post("/workspace", { action: "update", patch })).status).toBe(200);
  await round();
  expect((await figures(other.rest)).map(({ domain }: { domain: string }) => domain)).toEqual(["other.test"]);
  expect(await figures(other.rest, "?domain=one.test")).toEqual([]);
  expect(await figures(one.rest)).toMatchObject([{ domain: "one.test", points: [{ spamRate: 0.0001 }] }]);
  expect(google.asked.filter(({ path }) => path.includes("nobodys.test"))).toEqual([]);
  const reader = await one.withScopes("mailboxes:read");
  expect(await reader.get("/deliverability/postmaster")).toMatchObject({ status: 403 });
}, 60_000);

test("a domain that two workspaces send from is queried once, and each workspace has its own record", async () => {
  const [one, other] = [await workspaceWith("ann@shared.test"), await workspaceWith("bob@shared.test")];
  google.domains.set("shared.test", withSpam({ 1: 0.0001 }));
  await round();
  expect(queries().filter(({ path }) => path.includes("shared.test"))).toHaveLength(1);
  for (const { rest } of [one, other]) expect(await figures(rest)).toMatchObject([{ points: [{ spamRate: 0.0001 }] }]);
}, 60_000);

test("an error with one domain is shown for that domain, keeps the domain's earlier figures and does not affect other domains", async () => {
  const { rest } = await workspaceWith(
    "a@broken.test",
    "a@gone.test",
    "a@half.test",
    "a@well.test",
    "a@unlisted.test",
    "a@unproven.test",
  );
  for (const name of ["broken", "gone", "half", "well"]) google.domains.set(`${name}.test`, withSpam({ 2: 0.0001 }));
  google.domains.set("unproven.test", { days: {}, verificationState: "UNVERIFIED" });
  await round();
  google.domains.set("well.test", withSpam({ 2: 0.0001, 1: 0.0002 }));
  google.domains.delete("gone.test");
  google.settings.fault = ({ path }) => {
    if (path.includes("broken.test/domainStats"))
      return { status: 403, body: refusal(403, "PERMISSION_DENIED", "forbidden") };
    return path.includes("half.test/compliance") ? "half" : null;
  };
  await round();
  const found = await figures(rest);
  expect(
    found.map(({ domain, error, points }: { domain: string; error: string; points: [] }) => [
      domain,
      error,
      points.length,
    ]),
  ).toEqual([
    ["broken.test", "FORBIDDEN", 1],
    ["gone.test", "NOT_LISTED", 1],
    ["half.test", "ANSWER_INVALID", 1],
    ["unlisted.test", "NOT_LISTED", 0],
    ["unproven.test", "UNVERIFIED", 0],
    ["well.test", null, 2],
  ]);
  const { items } = (await rest.get("/deliverability/recommendations?scope=DOMAIN&pageSize=100")).body;
  const asked = items.filter(({ title }: { title: string }) => /Postmaster/.test(title));
  expect(
    asked.map(({ subjectId, priority }: { subjectId: string; priority: string }) => [subjectId, priority]),
  ).toEqual([
    ["gone.test", "LOW"],
    ["unlisted.test", "LOW"],
    ["unproven.test", "LOW"],
  ]);
  google.settings.fault = () => null;
  await sameDay();
  expect(await figures(rest, "?domain=broken.test")).toMatchObject([{ error: null }]);
}, 90_000);

test("after an exhausted quota or refused credentials no further domain is queried in that round", async () => {
  const { rest } = await workspaceWith("a@q1.test", "a@q2.test", "a@q3.test");
  for (const name of ["q1.test", "q2.test", "q3.test"]) google.domains.set(name, withSpam({ 2: 0.0001 }));
  google.settings.fault = ({ path }) =>
    path.endsWith("query") ? { status: 429, headers: { "retry-after": "0" } } : null;
  await round();
  expect((await figures(rest)).map(({ error }: { error: string }) => error)).toEqual([
    "RATE_LIMITED",
    "RATE_LIMITED",
    "RATE_LIMITED",
  ]);
  expect(new Set(queries().map(({ path }) => path)).size).toBe(1);
  google.expire();
  google.asked.length = 0;
  google.settings.grantFault = () => ({ status: 401, body: { error: "invalid_client" } });
  await round();
  expect((await figures(rest)).map(({ error }: { error: string }) => error)).toEqual(
    Array.from({ length: 3 }, () => "CREDENTIALS_REFUSED"),
  );
  expect(google.asked.map(({ path }) => path)).toEqual(["/v2/domains"]);
}, 60_000);

test("an alert opens at a Google spam rate of 0.1 percent, is critical at 0.3 and resolves below 0.1; the rule for Google uses that rate", async () => {
  const { rest } = await workspaceWith("ann@sender.test");
  google.domains.set("sender.test", withSpam({ 9: 0.5, 3: 0.0012 }));
  await round();
  const rate = { measure: "GOOGLE_SPAM_RATE", numerator: 0.0012, denominator: 1, threshold: 0.001 };
  const words = `by Google's own count its users reported 0.12 % of the mail as spam on ${dayAgo(3)}`;
  expect(await alertsOf(rest)).toMatchObject([
    {
      severity: "WARNING",
      status: "OPEN",
      subjectId: "sender.test",
      numbers: rate,
      message: `sender.test: ${words} (alert from 0.1 %)`,
    },
  ]);
  const rulesOf = async () => (await rest.get("/deliverability/domains")).body.items[0].senderRules;
  const complaints = (rules: { rule: string }[]) => rules.find(({ rule }) => rule === "COMPLAINTS");
  const [atGoogle, atYahoo] = (await rulesOf()).map(({ rules }: { rules: { rule: string }[] }) => complaints(rules));
  expect(atGoogle).toEqual({ rule: "COMPLAINTS", verdict: "WARN", detail: `B${words.slice(1)}: stay under 0.1 %.` });
  expect(atYahoo).toMatchObject({ verdict: "UNKNOWN" });
  const { items } = (await rest.get("/deliverability/recommendations?scope=DOMAIN")).body;
  expect(items.map(({ title, priority }: { title: string; priority: string }) => [title, priority])).toContainEqual([
    "Reduce spam reports by Google users about sender.test",
    "MEDIUM",
  ]);

  google.domains.set("sender.test", withSpam({ 3: 0.0012, 2: 0.003 }));
  await round();
  expect(await alertsOf(rest)).toMatchObject([{ severity: "CRITICAL", status: "OPEN", numbers: { numerator: 0.003 } }]);
  google.domains.set("sender.test", withSpam({ 3: 0.0012, 2: 0.003, 1: 0.0009 }));
  await round();
  expect(await alertsOf(rest)).toMatchObject([{ status: "RESOLVED", resolution: { numbers: { numerator: 0.0009 } } }]);
}, 90_000);

test("without credentials the API names the missing setting, and no recommendation asks to verify a domain", async () => {
  const { rest } = await workspaceWith("ann@unlisted.test");
  await round();
  const { settings } = world.services;
  settings.hasPostmaster = false;
  try {
    expect(await rest.get("/deliverability/postmaster")).toMatchObject({
      status: 503,
      body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "POSTMASTER_CREDENTIALS" } },
    });
    const { items } = (await rest.get("/deliverability/recommendations?scope=DOMAIN")).body;
    expect(items.filter(({ title }: { title: string }) => /Postmaster/.test(title))).toEqual([]);
  } finally {
    settings.hasPostmaster = true;
  }
}, 60_000);

test("neither the log, the database nor the API response contains the account's private key, assertions or tokens", async () => {
  const { rest } = await workspaceWith("ann@secret.test");
  google.domains.set("secret.test", withSpam({ 1: 0.0001 }));
  google.expire();
  await round();
  google.expire();
  google.settings.grantFault = () => ({
    status: 400,
    body: { error: "invalid_grant", error_description: google.grants.at(-1)?.["assertion"] },
  });
  await round();
  expect(await figures(rest)).toMatchObject([{ error: "CREDENTIALS_REFUSED" }]);
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const stored = await Promise.all(collections.map(async (one) => JSON.stringify(await one.find({}).toArray())));
  const written = [...stored, ...lines, JSON.stringify((await rest.get("/deliverability/postmaster")).body)].join("\n");
  expect(lines.some((line) => line.includes("Postmaster Tools could not be read"))).toBe(true);
  const [, body = ""] = google.account.private_key.split("\n");
  const secrets = [
    body,
    ...google.tokens,
    ...google.grants.flatMap(({ assertion = "" }) => [assertion, assertion.split(".").at(-1) ?? ""]),
  ];
  expect(secrets.filter((secret) => secret.length > 20 && written.includes(secret))).toEqual([]);
  expect(secrets.length).toBeGreaterThan(4);
}, 60_000);
