import { expect, test } from "@jest/globals";
import { selectorsOf } from "../../activities/mailboxes/dkim-probe.ts";
import { findTracking } from "../../activities/mailboxes/tracking-checks.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { trackingAfter, trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import { newId } from "../../mongo/ids.ts";
import { recordPointing, settleCheck } from "../../store/mailboxes/tracking-names.ts";
import { createEngine } from "../../temporal/engine.ts";
import type { Zone } from "../fakes/dns.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import type { Rest } from "../support/rest.ts";
import { dailyRound, dns, EMAIL, GOOD, mailbox, sandbox, setZone, useSetup, world } from "./dns-setup.ts";

useSetup();

const DEADLINE_MS = 45_000;

async function checked(rest: Rest, id: string) {
  expect((await rest.post(`/mailboxes/${id}/verify-dns`, { action: "resend" })).body).toMatchObject({
    id,
    verification: { status: "PENDING" },
  });
  const isDone = async () => {
    const { body } = await rest.post(`/mailboxes/${id}/verify-dns`, {});
    return body.checkedAt === null ? null : body;
  };
  return until(isDone, { deadlineMs: DEADLINE_MS, what: "the DNS check" });
}

test("a domain whose DNS records are in order is VERIFIED, and so is its mailbox", async () => {
  const { rest, id } = await mailbox();
  const before = await rest.post(`/mailboxes/${id}/verify-dns`);
  expect(before.body).toEqual({
    mailboxId: id,
    status: "PENDING",
    checks: { mx: null, spf: null, dkim: null, dmarc: null },
    checkedAt: null,
  });
  const status = await checked(rest, id);
  const checks = { mx: "PASS", spf: "PASS", dkim: "PASS", dmarc: "PASS" };
  expect(status).toEqual({ mailboxId: id, status: "VERIFIED", checks, checkedAt: expect.any(String) });
  expect((await rest.get(`/mailboxes/${id}`)).body.verification).toMatchObject({ status: "VERIFIED", checks });
});

test.each<[string, Zone, object, string]>([
  ["no domain at all", {}, { mx: "FAIL", spf: "FAIL", dkim: "UNKNOWN", dmarc: "FAIL" }, "FAILED"],
  ["a null MX", { ...GOOD, "sender.test": { MX: ["0 ."], TXT: ["v=spf1 -all"] } }, { mx: "FAIL" }, "FAILED"],
  [
    "an address in place of MX",
    { ...GOOD, "sender.test": { A: ["192.0.2.9"], TXT: ["v=spf1 -all"] } },
    { mx: "WARN" },
    "VERIFIED",
  ],
  [
    "SPF that lets everybody pass",
    { ...GOOD, "sender.test": { MX: ["10 m.x"], TXT: ["v=spf1 +all"] } },
    { spf: "WARN" },
    "VERIFIED",
  ],
  [
    "SPF that includes itself",
    { ...GOOD, "sender.test": { MX: ["10 m.x"], TXT: ["v=spf1 include:sender.test -all"] } },
    { spf: "FAIL" },
    "FAILED",
  ],
  [
    "two SPF records",
    { ...GOOD, "sender.test": { MX: ["10 m.x"], TXT: ["v=spf1 -all", "v=spf1 ~all"] } },
    { spf: "FAIL" },
    "FAILED",
  ],
  [
    "a DMARC policy of none",
    { ...GOOD, "_dmarc.sender.test": { TXT: ["v=DMARC1; p=none"] } },
    { dmarc: "WARN" },
    "VERIFIED",
  ],
  [
    "a revoked DKIM key",
    { ...GOOD, "selector1._domainkey.sender.test": { TXT: ["v=DKIM1; p="] } },
    { dkim: "FAIL" },
    "FAILED",
  ],
  ["no known DKIM selector", { ...GOOD, "selector1._domainkey.sender.test": {} }, { dkim: "UNKNOWN" }, "VERIFIED"],
  [
    "hostile records",
    { ...GOOD, "_dmarc.sender.test": { TXT: [`v=DMARC1; p=${"x".repeat(200)}\u0000${"{$ne:1}"}`] } },
    { dmarc: "FAIL" },
    "FAILED",
  ],
])("the DNS checks set the results and the status for this case: %s", async (_what, zone, checks, status) => {
  setZone(zone);
  const { rest, id } = await mailbox();
  expect(await checked(rest, id)).toMatchObject({ status, checks });
});

test.each<[string, "servfail" | "silence"]>([
  ["fails", "servfail"],
  ["never answers", "silence"],
])("a name server that %s leaves the DNS checks UNKNOWN, and a VERIFIED mailbox stays VERIFIED", async (_what, how) => {
  const { rest, id, Mailbox } = await mailbox();
  await checked(rest, id);
  setZone(Object.fromEntries(Object.keys(GOOD).map((name) => [name, how])));
  await Mailbox.updateOne({ _id: id }, { $set: { verification: { status: "VERIFIED", checks: {}, checkedAt: null } } });
  const client = world.temporal?.client;
  await client?.workflow.execute("dailyDnsChecks", { taskQueue: "engine", workflowId: newId("tst"), args: [] });
  const { body } = await rest.post(`/mailboxes/${id}/verify-dns`, { action: "status" });
  expect(body).toMatchObject({
    status: "VERIFIED",
    checks: { mx: "UNKNOWN", spf: "UNKNOWN", dkim: "UNKNOWN", dmarc: "UNKNOWN" },
  });
});

test("the daily DNS round skips a mailbox whose checks are switched off", async () => {
  const { rest, id } = await mailbox();
  const skipped = await rest.post(`/mailboxes/${id}/verify-dns`, { action: "skip" });
  expect(skipped.body).toMatchObject({ id, verification: { status: "SKIPPED" } });
  await world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });
  expect((await rest.post(`/mailboxes/${id}/verify-dns`, {})).body).toMatchObject({
    status: "SKIPPED",
    checkedAt: null,
  });
});

test("the action resend sends one probe from the mailbox to itself, also when repeated within a minute", async () => {
  const { rest, id } = await mailbox(EMAIL);
  await checked(rest, id);
  await rest.post(`/mailboxes/${id}/verify-dns`, { action: "resend" });
  const mails = () => sandbox.ledger.filter(({ to }) => to.includes(EMAIL));
  await until(() => mails().length > 0, { deadlineMs: DEADLINE_MS, what: "the probe" });
  const status = async () => (await rest.post(`/mailboxes/${id}/verify-dns`)).body.status;
  await until(async () => (await status()) === "VERIFIED", { deadlineMs: DEADLINE_MS, what: "the second check" });
  expect(mails()).toHaveLength(1);
});

test("DKIM selectors are learned from signatures of the mailbox's own domain, and from no other signature", () => {
  const header = [
    "DKIM-Signature: v=1; a=rsa-sha256; d=sender.test; s=S2026;",
    "\th=from; bh=x; b=y",
    "DKIM-Signature: v=1; d=relay.example; s=relay; b=z",
    "DKIM-Signature: v=1; d=sender.test; s=../../etc; b=z",
  ].join("\r\n");
  expect(selectorsOf(header, "mail.sender.test")).toEqual(["s2026"]);
});

test("a tracking domain moves from NONE through PENDING to VERIFIED, and back to NONE when detached", async () => {
  const { rest, id } = await mailbox();
  const act = (action: string, more: object = {}) =>
    rest.post("/mailboxes/tracking-domain", { action, mailboxId: id, ...more });
  expect(await act("verify")).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION", details: { from: "NONE" } },
  });
  const set = await act("set", { domain: "Track.Sender.test" });
  const pending = {
    domain: "track.sender.test",
    status: "PENDING",
    expectedCname: "localhost",
    checkedAt: null,
    error: null,
  };
  expect(set).toMatchObject({ status: 200, body: { id, trackingDomain: pending } });
  expect((await act("verify")).body.trackingDomain).toEqual({
    ...pending,
    status: "FAILED",
    checkedAt: expect.any(String),
    error: expect.stringMatching(/no CNAME/),
  });
  dns.zone["track.sender.test"] = { CNAME: ["elsewhere.test"] };
  expect((await act("verify")).body.trackingDomain).toMatchObject({
    status: "FAILED",
    error: expect.stringMatching(/elsewhere/),
  });
  dns.zone["track.sender.test"] = { CNAME: ["alias.test"] };
  dns.zone["alias.test"] = { CNAME: ["LOCALHOST"] };
  const verified = { ...pending, status: "VERIFIED", checkedAt: expect.any(String) };
  expect((await act("verify")).body.trackingDomain).toEqual(verified);
  expect((await act("set", { domain: "track.sender.test" })).body.trackingDomain).toEqual(verified);
  const none = { domain: null, status: "NONE", expectedCname: null, checkedAt: null, error: null };
  expect((await act("detach")).body.trackingDomain).toEqual(none);
  expect((await act("detach")).body.trackingDomain).toEqual(none);
});

test("a tracking domain without a valid certificate is not verified", async () => {
  const { rest, id } = await mailbox();
  dns.zone["other.sender.test"] = { CNAME: ["localhost"] };
  await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain: "other.sender.test" });
  const { body } = await rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId: id });
  expect(body.trackingDomain).toMatchObject({ status: "FAILED", error: expect.stringMatching(/certificate/) });
});

test.each([
  ["servfail", "servfail" as const],
  ["silence", "silence" as const],
])(
  "a name server's %s during the verification of a tracking domain is reported, and the status stays PENDING",
  async (_what, how) => {
    const { rest, id } = await mailbox();
    dns.zone["track.sender.test"] = how;
    await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain: "track.sender.test" });
    const { status, body } = await rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId: id });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { trackingDomain: { status: "PENDING", error: expect.stringMatching(/did not answer/) } },
    });
  },
);

test("a CNAME loop makes a tracking domain FAILED", async () => {
  const { rest, id } = await mailbox();
  dns.zone["track.sender.test"] = { CNAME: ["ring.test"] };
  dns.zone["ring.test"] = { CNAME: ["track.sender.test"] };
  await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain: "track.sender.test" });
  const { body } = await rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId: id });
  expect(body.trackingDomain).toMatchObject({ status: "FAILED" });
});

test("a tracking domain that one workspace has verified cannot be verified by another workspace until the first one detaches the domain", async () => {
  dns.zone["track.sender.test"] = { CNAME: ["localhost"] };
  const [first, second] = [await mailbox(), await mailbox()];
  const verified = async ({ rest, id }: typeof first) => {
    await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain: "track.sender.test" });
    return (await rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId: id })).body.trackingDomain;
  };
  expect(await verified(first)).toMatchObject({ status: "VERIFIED" });
  expect(await verified(second)).toMatchObject({ status: "FAILED", error: "The domain is in use" });
  await first.rest.post("/mailboxes/tracking-domain", { action: "detach", mailboxId: first.id });
  expect(await verified(second)).toMatchObject({ status: "VERIFIED" });
  await second.rest.post("/mailboxes/tracking-domain", { action: "detach", mailboxId: second.id });
});

/** Whether the proxy may get a certificate for a name. */
async function certifies(domain: string): Promise<boolean> {
  const { status } = await fetch(`${world.baseUrl}/internal/tls?domain=${encodeURIComponent(domain)}`);
  expect([200, 404]).toContain(status);
  return status === 200;
}

test("the proxy gets a certificate for our names and customers' domains, for a former domain while its DNS points here, and for no other name", async () => {
  const { rest, workspaceId, id } = await mailbox();
  const act = (action: string, more: object = {}) =>
    rest.post("/mailboxes/tracking-domain", { action, mailboxId: id, ...more });
  const name = "own.sender.test";
  expect(await certifies("localhost")).toBe(true);
  for (const strange of [
    "",
    "stranger.test",
    "a..test",
    "127.0.0.1",
    "[::1]",
    "a".repeat(4_000),
    "\u0000",
    "$ne",
    `x.${name}`,
  ])
    expect([strange, await certifies(strange)]).toEqual([strange, false]);
  await act("set", { domain: name });
  expect([await certifies(name), await certifies("OWN.Sender.test.")]).toEqual([true, true]);
  dns.zone[name] = { CNAME: ["localhost"] };
  expect((await act("verify")).body.trackingDomain.status).toBe("VERIFIED");
  expect(await certifies(name)).toBe(true);
  await act("detach");
  expect(await certifies(name)).toBe(true);
  dns.zone[name] = "servfail";
  await dailyRound(workspaceId);
  expect(await certifies(name)).toBe(true);
  delete dns.zone[name];
  await dailyRound(workspaceId);
  expect(await certifies(name)).toBe(false);
  dns.zone[name] = { CNAME: ["localhost"] };
  await dailyRound(workspaceId);
  expect(await certifies(name)).toBe(true);
});

test("only the proxy's network may ask which names get a certificate, and requests that the proxy forwards are refused", async () => {
  const { settings } = world.services;
  const ask = async (headers: Record<string, string> = {}) =>
    (await fetch(`${world.baseUrl}/internal/tls?domain=localhost`, { headers })).status;
  const networks = settings.proxyNetworks;
  for (const foreign of [["10.0.0.0/8"], ["127.0.0.2"], ["::1"], []]) {
    settings.proxyNetworks = foreign;
    expect([foreign, await ask(), await ask({ "X-Forwarded-For": "10.0.0.1" })]).toEqual([foreign, 404, 404]);
  }
  settings.proxyNetworks = ["127.0.0.1"];
  expect(await ask()).toBe(200);
  settings.proxyNetworks = networks;
  expect(await ask()).toBe(200);
  for (const name of ["X-Forwarded-For", "Forwarded", "Via"])
    expect([name, await ask({ [name]: "127.0.0.1" })]).toEqual([name, 404]);
});

test("a failed tracking domain that points elsewhere gets no certificate, and neither does a detached one that never pointed here", async () => {
  const { rest, id } = await mailbox();
  const act = (action: string, more: object = {}) =>
    rest.post("/mailboxes/tracking-domain", { action, mailboxId: id, ...more });
  dns.zone["never.sender.test"] = { CNAME: ["elsewhere.test"] };
  await act("set", { domain: "never.sender.test" });
  expect(await certifies("never.sender.test")).toBe(true);
  expect((await act("verify")).body.trackingDomain.status).toBe("FAILED");
  expect(await certifies("never.sender.test")).toBe(false);
  await act("set", { domain: "other.sender.test" });
  await act("detach");
  expect(await certifies("other.sender.test")).toBe(false);
  // Without a certificate yet, but it leads here: the proxy may have one made
  dns.zone["late.sender.test"] = { CNAME: ["localhost"] };
  await act("set", { domain: "late.sender.test" });
  expect((await act("verify")).body.trackingDomain).toMatchObject({
    status: "FAILED",
    error: expect.stringMatching(/certificate/),
  });
  expect(await certifies("late.sender.test")).toBe(true);
});

test("a domain that belongs to a workspace cannot be verified by a mailbox of another workspace, and the reverse", async () => {
  const [owner, rival] = [await world.workspace(), await mailbox()];
  const agent = await agentOf(world, owner.key);
  dns.zone["track.sender.test"] = { CNAME: ["localhost"] };
  await agent.call("workspace_tracking_domain", { action: "set", domain: "track.sender.test" });
  expect((await agent.call("workspace_tracking_domain", { action: "verify" })).body.status).toBe("VERIFIED");
  await rival.rest.post("/mailboxes/tracking-domain", {
    action: "set",
    mailboxId: rival.id,
    domain: "track.sender.test",
  });
  const verify = () => rival.rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId: rival.id });
  expect((await verify()).body.trackingDomain).toMatchObject({ status: "FAILED", error: "The domain is in use" });
  await agent.call("workspace_tracking_domain", { action: "remove" });
  expect((await verify()).body.trackingDomain.status).toBe("VERIFIED");
  await agent.call("workspace_tracking_domain", { action: "set", domain: "track.sender.test" });
  expect((await agent.call("workspace_tracking_domain", { action: "verify" })).body).toMatchObject({
    error: "The domain is in use",
  });
  await rival.rest.post("/mailboxes/tracking-domain", { action: "detach", mailboxId: rival.id });
  await agent.call("workspace_tracking_domain", { action: "remove" });
  await agent.close();
});

test("when six workspaces verify one domain at the same time, exactly one of them gets the domain", async () => {
  const rivals = await Promise.all(Array.from({ length: 6 }, () => mailbox()));
  const domain = {
    domain: "raced.sender.test",
    expectedCname: "localhost",
    checkedAt: null,
    error: null,
    failedChecks: 0,
  };
  const set = ({ Mailbox, id }: (typeof rivals)[number], status: "PENDING" | "VERIFIED" | "FAILED") =>
    Mailbox.updateOne({ _id: id }, { $set: { trackingDomain: { ...domain, status } } });
  await recordPointing(domain, true, new Date());
  for (let round = 0; round < 5; round++) {
    await Promise.all(rivals.map((rival) => set(rival, "PENDING")));
    await Promise.all(
      rivals.map((rival) =>
        settleCheck(rival.workspaceId, domain.domain, (isHeld) => set(rival, isHeld ? "FAILED" : "VERIFIED")),
      ),
    );
    const states = await Promise.all(
      rivals.map(async ({ Mailbox, id }) => (await Mailbox.get(id))?.trackingDomain?.status),
    );
    expect(states.filter((status) => status === "VERIFIED")).toHaveLength(1);
  }
});

test.each([
  [
    "http://localhost:3000",
    { status: "VERIFIED", error: expect.stringMatching(/plain http, which is for development only/) },
  ],
  ["http://go.example.com", { status: "FAILED", error: expect.stringMatching(/needs a proxy in front of it/) }],
])("without TLS, a check at %s sets a tracking domain to %j", async (plain, expected) => {
  const egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [dns.server] });
  dns.zone["track.sender.test"] = { CNAME: [new URL(plain).hostname] };
  const finding = await findTracking(egress, plain, "track.sender.test", new URL(plain).hostname);
  expect(trackingAfter({ status: "PENDING", failedChecks: 0 }, finding, "hand")).toMatchObject(expected);
  await egress.close();
});

test.each([
  ["VERIFIED", "https://track.a.test:8443"],
  ["PENDING", "https://go.service.test:8443"],
  ["FAILED", "https://go.service.test:8443"],
])("with a tracking domain that is %s the links of an email start with %s", (status, start) => {
  expect(trackUrlOf("https://go.service.test:8443", { domain: "track.a.test", status })).toBe(start);
});

test.each(["co.uk", "公司.cn", "github.io", "track.internal", "track.corp.internal", "track.local"])(
  "%s is refused as a tracking domain, since the name is shared by strangers or unknown to public DNS",
  async (domain) => {
    const { rest, id } = await mailbox();
    const answer = await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain });
    expect(answer).toMatchObject({ status: 422, body: { code: "HOST_NOT_ALLOWED" } });
    expect((await rest.get(`/mailboxes/${id}`)).body.trackingDomain.status).toBe("NONE");
  },
);

test.each([
  "not a domain",
  "localhost",
  "10.0.0.1",
  "https://track.a.test/",
  "a..test",
  "-a.test",
  "track.a.test:443",
  `${"a".repeat(64)}.test`,
])("%s is refused as a tracking domain, since it is not a valid host name", async (domain) => {
  const { rest, id } = await mailbox();
  const answer = await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId: id, domain });
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "domain" }] } },
  });
});

test("while Temporal is unreachable, verifying a tracking domain gets 503, and other changes of mailbox DNS settings succeed", async () => {
  const { rest, id } = await mailbox();
  const { engine } = world.services;
  world.services.engine = createEngine(() => null);
  const act = (action: string, more: object = {}) =>
    rest.post("/mailboxes/tracking-domain", { action, mailboxId: id, ...more });
  const answers = [
    await act("set", { domain: "track.sender.test" }),
    await act("verify"),
    await act("detach"),
    await rest.post(`/mailboxes/${id}/verify-dns`, { action: "resend" }),
    await rest.post(`/mailboxes/${id}/verify-dns`, {}),
    await rest.post(`/mailboxes/${id}/verify-dns`, { action: "skip" }),
  ];
  world.services.engine = engine;
  expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 200, 200, 200]);
});

test("Temporal has a schedule for the daily DNS checks", async () => {
  const description = await world.temporal?.client.schedule.getHandle("daily-dns").describe();
  expect(description?.action).toMatchObject({ workflowType: "dailyDnsChecks" });
});

test("reading DNS checks requires mailboxes:read, changing them mailboxes:write, and another workspace's mailbox is not found", async () => {
  const { id } = await mailbox();
  const stranger = await world.workspace("mailboxes:read");
  expect((await stranger.rest.post(`/mailboxes/${id}/verify-dns`, {})).body.code).toBe("MAILBOX_NOT_FOUND");
  for (const action of ["resend", "skip"]) {
    const answer = await stranger.rest.post(`/mailboxes/${id}/verify-dns`, { action });
    expect(answer).toMatchObject({ status: 403, body: { details: { requiredScope: "mailboxes:write" } } });
  }
  const writer = await world.workspace("mailboxes:write");
  for (const [action, domain] of [["set", "a.example"], ["verify"], ["detach"]] as const) {
    const answer = await writer.rest.post("/mailboxes/tracking-domain", {
      action,
      mailboxId: id,
      ...(domain && { domain }),
    });
    expect(answer).toMatchObject({ status: 404, body: { code: "MAILBOX_NOT_FOUND" } });
  }
  expect((await writer.rest.post(`/mailboxes/${id}/verify-dns`, { action: "resend" })).status).toBe(404);
});

test("agents set, verify and remove the workspace's domains with tools, and a domain belongs to the workspace that verified it first", async () => {
  const [{ key, workspaceId }, other] = [await world.workspace(), await world.workspace()];
  const agent = await agentOf(world, key);
  const call = async (tool: string, args: Record<string, unknown> = {}) => (await agent.call(tool, args)).body;
  for (const [tool, domain, cname] of [
    ["workspace_tracking_domain", "track.sender.test", "localhost"],
    ["workspace_portal_domain", "portal.sender.test", "localhost"],
  ] as const) {
    expect(await call(tool)).toEqual({
      domain: null,
      status: "NONE",
      expectedCname: null,
      checkedAt: null,
      error: null,
    });
    expect((await call(tool, { action: "verify" })).code).toBe("INVALID_STATE_TRANSITION");
    expect((await call(tool, { action: "set", domain: "not a name" })).code).toBe("VALIDATION_FAILED");
    expect(await call(tool, { action: "set", domain })).toMatchObject({
      domain,
      status: "PENDING",
      expectedCname: cname,
    });
    setZone(GOOD);
    expect(await call(tool, { action: "verify" })).toMatchObject({
      status: "FAILED",
      error: "The domain has no CNAME record yet",
    });
    setZone({ ...GOOD, [domain]: { CNAME: [cname] } });
    expect(await call(tool, { action: "verify" })).toMatchObject({
      status: "VERIFIED",
      error: null,
      checkedAt: expect.any(String),
    });
    const rival = await agentOf(world, other.key);
    await rival.call(tool, { action: "set", domain });
    expect((await rival.call(tool, { action: "verify" })).body).toMatchObject({
      status: "FAILED",
      error: "The domain is in use",
    });
    await rival.close();
    expect(await call(tool, { action: "remove" })).toMatchObject({ status: "NONE" });
  }
  expect(workspaceId).not.toBe(other.workspaceId);
  await agent.close();
});

test("a portal domain without a valid certificate is not verified", async () => {
  const { key } = await world.workspace();
  const agent = await agentOf(world, key);
  const act = async (args: Record<string, unknown>) => (await agent.call("workspace_portal_domain", args)).body;
  const bare = "bare.sender.test";
  dns.zone[bare] = { CNAME: ["localhost"] };
  await act({ action: "set", domain: bare });
  const failed = { status: "FAILED", error: "No valid certificate is served for the domain yet" };
  expect(await act({ action: "verify" })).toMatchObject(failed);
  await agent.close();
});
