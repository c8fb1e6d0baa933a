import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { generate } from "selfsigned";
import { type ConnectionActivities, connectionActivities } from "../../activities/mailboxes/connection.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { type Allow, parseAllow } from "../../domain/access/allowed-hosts.ts";
import type { ConnectionResult, ConnectionTestIds } from "../../domain/mailboxes/connection-test.ts";
import { DEFAULT_DELAY, NO_WINNER } from "../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import type { Route } from "../../operations/declaration.ts";
import { connect } from "../../operations/mailboxes/connect.ts";
import { disconnect } from "../../operations/mailboxes/disconnect.ts";
import { get } from "../../operations/mailboxes/get.ts";
import { list } from "../../operations/mailboxes/list.ts";
import { manage } from "../../operations/mailboxes/manage.ts";
import { connectMailbox } from "../../store/mailboxes/connect.ts";
import { resumeDisconnected } from "../../store/mailboxes/reconnect.ts";
import type { Engine } from "../../temporal/engine.ts";
import type { Run } from "../../temporal/run.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { type FakeTcp, startTcp } from "../fakes/tcp.ts";
import { outboxOf } from "../support/outbox.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";
const PASSWORD = "correct horse battery staple";
const allow: Allow[] = parseAllow("localhost:*");
const routes: Route[] = [
  ["get", "/mailboxes", list],
  ["post", "/mailboxes/connect", connect],
  ["post", "/mailboxes/manage", manage],
  ["get", "/mailboxes/:mailboxId", get],
  ["post", "/mailboxes/:mailboxId/disconnect", disconnect],
];

let world: World;
let certificate: Certificate;
let smtp: FakeSmtp;
let imap: FakeImap;
let egress: Egress;
const further: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  world = await startWorld({ apart: true, routes, settings: { egressAllow: "localhost:*" } });
  certificate = await makeCertificate();
  smtp = await startSmtp({ certificate, secure: true, accounts: { [EMAIL]: PASSWORD, "bob@a.test": PASSWORD } });
  imap = await startImap({ certificate, user: EMAIL, password: PASSWORD, secure: true });
  egress = createEgress({ allow, ownAddresses: [], extraCa: certificate.cert });
  world.services.engine = engineOver(
    connectionActivities({
      egress,
      keyRing: world.services.keyRing,
      log: pino({ level: "silent" }),
      limits: { floorMs: 1, deadlineMs: 1_500 },
    }),
  );
});
afterEach(async () => {
  for (const server of further.splice(0)) await server.close();
});
afterAll(async () => {
  await Promise.all([smtp.close(), imap.close(), egress.close()]);
  await world.close();
});

/** The workflow is a single activity, which runs here in the caller's process. */
function engineOver({ tryServers }: ConnectionActivities): Engine {
  return {
    execute: async <T>({ options }: Run) =>
      (await tryServers(options.args[0] as ConnectionTestIds)) as ConnectionResult as T, // the one workflow that these verbs start
    start: async () => {},
    hasEnded: async () => true,
    signal: async () => {},
    isReachable: async () => true,
    findMissing: async () => [],
    loadState: async () => null,
  };
}

function credentials(more: object = {}) {
  return {
    email: EMAIL,
    password: PASSWORD,
    smtpHost: "localhost",
    smtpPort: smtp.port,
    imapHost: "localhost",
    imapPort: imap.port,
    ...more,
  };
}

async function connected(rest: Rest, more: object = {}) {
  const answer = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials: credentials(more) });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

async function remove(rest: Rest, id: string) {
  expect(await rest.post(`/mailboxes/${id}/disconnect`, { action: "delete" })).toMatchObject({
    status: 200,
    body: { id, deleted: true },
  });
}

test("a connected mailbox shows every declared field and no secret, and the stored password is sealed", async () => {
  const { rest, workspaceId } = await world.workspace();
  const mailbox = await connected(rest, { name: "Ann" });
  expect(mailbox).toMatchObject({
    workspaceId,
    email: EMAIL,
    name: "Ann",
    provider: "SMTP",
    status: "CONNECTED",
    dailySendLimit: 50,
    warmupDailyLimit: 20,
    sentToday: { total: 0, warmup: 0, campaign: 0 },
    health: { score: null, band: "HEALTHY", issues: [] },
    trackingDomain: { domain: null, status: "NONE", expectedCname: null, checkedAt: null, error: null },
    verification: { status: "PENDING" },
    smtp: { host: "localhost", port: smtp.port, security: "SSL_TLS" },
    workday: null,
    lastError: null,
  });
  expect(JSON.stringify(mailbox)).not.toMatch(/horse|sealed|password/i);
  const stored = await scoped(workspaceId).Mailbox.get(mailbox.id);
  expect(stored?.sealedPassword).toMatchObject({ v: 1 });
  expect(JSON.stringify(stored)).not.toContain(PASSWORD);
  const trials = await scoped(workspaceId).ConnectionTest.find();
  expect(trials).toMatchObject([{ sealedPassword: null }]);
  expect(await scoped(workspaceId).OutboxRow.findOne({ kind: "MAILBOX" })).toMatchObject({
    payload: { mailboxId: mailbox.id, signal: "start" },
  });
  expect((await rest.get(`/mailboxes/${mailbox.id}`)).body).toEqual(mailbox);
  expect((await rest.get("/mailboxes")).body).toEqual([mailbox]);
  await remove(rest, mailbox.id);
});

test("a wrong password reports AUTH_FAILED for each server, and no mailbox is stored", async () => {
  const { rest, workspaceId } = await world.workspace();
  const wrong = credentials({ password: "wrong" });
  const tested = await rest.post("/mailboxes/connect", { action: "smtpTest", credentials: wrong });
  const failed = { ok: false, error: { code: "AUTH_FAILED", message: expect.any(String) } };
  expect(tested).toMatchObject({ status: 200, body: { ok: false, smtp: failed, imap: failed } });
  const refused = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials: wrong });
  expect(refused).toMatchObject({
    status: 422,
    body: { code: "MAILBOX_CONNECTION_FAILED", details: { smtp: failed, imap: failed } },
  });
  expect(await scoped(workspaceId).Mailbox.count()).toBe(0);
});

test("a connection test with working credentials succeeds and stores no mailbox", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/mailboxes/connect", { action: "smtpTest", credentials: credentials() });
  expect(body).toEqual({ ok: true, smtp: { ok: true, error: null }, imap: { ok: true, error: null } });
  expect(await scoped(workspaceId).Mailbox.count()).toBe(0);
});

test("an untrusted certificate reports TLS_FAILED, with implicit TLS and with STARTTLS", async () => {
  const { rest } = await world.workspace();
  const unknown = await makeCertificate();
  const failed = { ok: false, error: { code: "TLS_FAILED" } };
  for (const secure of [true, false]) {
    const badSmtp = await startSmtp({ certificate: unknown, secure });
    const badImap = await startImap({ certificate: unknown, user: EMAIL, password: PASSWORD, secure });
    further.push(badSmtp, badImap);
    const security = secure ? "SSL_TLS" : "STARTTLS";
    const answer = await rest.post("/mailboxes/connect", {
      action: "smtpTest",
      credentials: credentials({ smtpPort: badSmtp.port, imapPort: badImap.port, security }),
    });
    expect(answer.body).toMatchObject({ smtp: failed, imap: failed });
  }
});

test("an expired certificate reports TLS_FAILED", async () => {
  const { rest } = await world.workspace();
  const notAfterDate = new Date(Date.now() - DAY_MS);
  const notBeforeDate = new Date(notAfterDate.getTime() - DAY_MS);
  const altNames = [{ type: 2 as const, value: "localhost" }];
  const made = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate,
    notAfterDate,
    extensions: [{ name: "subjectAltName", altNames }],
  });
  const expired = await startSmtp({ certificate: { key: made.private, cert: made.cert }, secure: true });
  const trusting = createEgress({ allow, ownAddresses: [], extraCa: made.cert });
  further.push(expired, trusting);
  const keyRing = world.services.keyRing;
  const { engine } = world.services;
  world.services.engine = engineOver(
    connectionActivities({ egress: trusting, keyRing, log: pino({ level: "silent" }) }),
  );
  const answer = await rest.post("/mailboxes/connect", {
    action: "smtpTest",
    credentials: credentials({ smtpPort: expired.port }),
  });
  world.services.engine = engine;
  expect(answer.body).toMatchObject({ ok: false, smtp: { error: { code: "TLS_FAILED" } } });
});

test("a mailbox connects by STARTTLS where both servers offer STARTTLS", async () => {
  const { rest } = await world.workspace();
  const plainSmtp = await startSmtp({ certificate, accounts: { [EMAIL]: PASSWORD } });
  const plainImap = await startImap({ certificate, user: EMAIL, password: PASSWORD });
  further.push(plainSmtp, plainImap);
  const answer = await rest.post("/mailboxes/connect", {
    action: "smtpTest",
    credentials: credentials({ smtpPort: plainSmtp.port, imapPort: plainImap.port, security: "STARTTLS" }),
  });
  expect(answer.body).toMatchObject({ ok: true });
});

test("a connection test by STARTTLS fails at a server that does not offer STARTTLS", async () => {
  const { rest } = await world.workspace();
  const plain = await startSmtp({ certificate, accounts: { [EMAIL]: PASSWORD }, startTls: false });
  further.push(plain);
  const asked = { action: "smtpTest", credentials: credentials({ smtpPort: plain.port, security: "STARTTLS" }) };
  expect((await rest.post("/mailboxes/connect", asked)).body).toMatchObject({ ok: false, smtp: { ok: false } });
});

test("a host that never answers reports TIMEOUT, a host that hangs up reports CONNECT_FAILED, and no text that a host sends reaches the caller", async () => {
  const { rest } = await world.workspace();
  const silent = await startTcp(() => {});
  const closed: FakeTcp = await startTcp((socket) => socket.destroy());
  const chatty = await startTcp((socket) => socket.write("SSH-2.0-secret-banner\r\n"));
  further.push(silent, closed, chatty);
  const at = async (port: number) => {
    const body = {
      action: "smtpTest",
      credentials: credentials({ smtpPort: port, imapPort: port, security: "STARTTLS" }),
    };
    return (await rest.post("/mailboxes/connect", body)).body;
  };
  expect(await at(silent.port)).toMatchObject({
    smtp: { error: { code: "TIMEOUT" } },
    imap: { error: { code: "TIMEOUT" } },
  });
  expect(await at(closed.port)).toMatchObject({
    smtp: { error: { code: "CONNECT_FAILED" } },
    imap: { error: { code: "CONNECT_FAILED" } },
  });
  expect(JSON.stringify(await at(chatty.port))).not.toContain("secret-banner");
});

test.each([
  [{ smtpHost: "10.0.0.1", smtpPort: 465 }, "HOST_NOT_ALLOWED"],
  [{ imapHost: "169.254.169.254", imapPort: 993 }, "HOST_NOT_ALLOWED"],
  [{ imapHost: "mail.example.com", imapPort: 22 }, "HOST_NOT_ALLOWED"],
  [{ smtpHost: "db.internal", smtpPort: 465 }, "HOST_NOT_ALLOWED"],
  [{ security: "NONE" }, "HOST_NOT_ALLOWED"],
])("the server settings %j are refused before any connection is made: %s", async (more, code) => {
  const { rest, workspaceId } = await world.workspace();
  const answer = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials: credentials(more) });
  expect(answer).toMatchObject({ status: 422, body: { code } });
  expect(await scoped(workspaceId).ConnectionTest.count()).toBe(0);
});

test.each([
  [{ email: "nobody" }, "credentials.email"],
  [{ password: "" }, "credentials.password"],
  [{ security: "TLS" }, "credentials.security"],
  [{ smtpHost: "not a host" }, "credentials.smtpHost"],
  [{ imapPort: 70_000 }, "credentials.imapPort"],
  [{ name: "Ann\r\nBcc: x@y.test" }, "credentials.name"],
  [{ oauth: true }, "credentials.oauth"],
])("malformed credentials %j get 400 with the path %s", async (more, path) => {
  const { rest } = await world.workspace();
  const answer = await rest.post("/mailboxes/connect", { action: "smtpTest", credentials: credentials(more) });
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } } });
});

test("reconnecting an address keeps the mailbox id and takes the new credentials; another workspace gets a mailbox of its own", async () => {
  const { rest, workspaceId } = await world.workspace();
  const other = await world.workspace();
  const first = await connected(rest);
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: first.id },
    { $set: { status: "RECONNECT_REQUIRED", authFailures: 10 } },
  );
  const again = await connected(rest, { name: "Ann Again" });
  expect(again).toMatchObject({ id: first.id, status: "CONNECTED", name: "Ann Again" });
  expect(await scoped(workspaceId).Mailbox.get(first.id)).toMatchObject({ authFailures: 0 });
  const theirs = await connected(other.rest);
  expect(theirs).toMatchObject({ email: EMAIL, status: "CONNECTED", name: null });
  expect(theirs.id).not.toBe(first.id);
  expect((await other.rest.get(`/mailboxes/${first.id}`)).body.code).toBe("MAILBOX_NOT_FOUND");
  await remove(rest, first.id);
});

test("when two workspaces each connect an address twice at once, each workspace has one mailbox", async () => {
  const workspaces = await Promise.all([world.workspace(), world.workspace()]);
  const ids = await Promise.all([...workspaces, ...workspaces].map(async ({ rest }) => (await connected(rest)).id));
  expect([ids[2], ids[3], new Set(ids).size]).toEqual([ids[0], ids[1], 2]);
  for (const { rest } of workspaces) {
    const { body } = await rest.get("/mailboxes");
    expect(body).toHaveLength(1);
    await remove(rest, body[0].id);
  }
});

test("when two transactions that do not see each other connect one address, one mailbox is stored", async () => {
  const { workspaceId } = await world.workspace();
  const { Mailbox } = scoped(workspaceId);
  const server = { host: "localhost", port: 465, security: "SSL_TLS" as const };
  const proven = { email: EMAIL, provider: "SMTP" as const, smtp: server, imap: server, login: { password: PASSWORD } };
  const connectOnce = () => inTransaction(() => connectMailbox(world.services.keyRing, workspaceId, proven));
  await inTransaction(async () => {
    const isFirst = (await Mailbox.count()) === 0; // from here on this transaction sees nothing that others commit
    if (isFirst) await outsideTransaction(connectOnce);
    await connectOnce();
  });
  expect(await Mailbox.find()).toMatchObject([{ email: EMAIL }]);
});

test("reconnecting a mailbox resumes the recipients that waited for the mailbox, and no others", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await connected(rest);
  const { Campaign, OutboxRow, Recipient, Sequence } = scoped(workspaceId);
  const [campaignId, sequenceId] = [newId("cmp"), newId("seq")];
  await Campaign.insert({
    _id: campaignId,
    name: "c",
    statusChangedAt: new Date(),
    sequenceId,
    settings: {},
    status: "ACTIVE",
  });
  const step = {
    type: "EMAIL" as const,
    delay: DEFAULT_DELAY,
    threadMode: "NEW_THREAD" as const,
    conditions: [],
    config: {},
    variants: [],
  };
  await Sequence.insert({
    _id: sequenceId,
    campaignId,
    steps: [{ stepId: "stp_1", order: 1, winner: NO_WINNER, ...step }],
  });
  const paused = {
    campaignId,
    leadId: "led_1",
    shard: 0,
    status: "PAUSED" as const,
    nextStepId: "stp_1",
    sentCount: 1,
    mailboxId: id,
  };
  const waiting = newId("rcp");
  const byHand = newId("rcp");
  await Recipient.insert({
    _id: waiting,
    email: "a@x.test",
    cid: waiting,
    ...paused,
    pauseReason: "MAILBOX_DISCONNECTED",
  });
  await Recipient.insert({ _id: byHand, email: "b@x.test", cid: byHand, ...paused, pauseReason: "MANUAL" });
  await rest.post(`/mailboxes/${id}/disconnect`, {});
  await connected(rest);
  expect(
    await OutboxRow.count({ kind: "MAILBOX", "payload.mailboxId": id, "payload.signal": "freed" }),
  ).toBeGreaterThan(0);
  await resumeDisconnected(workspaceId, id);
  expect(await Recipient.get(waiting)).toMatchObject({ status: "IN_PROGRESS", pauseReason: null });
  expect(await Recipient.get(byHand)).toMatchObject({ status: "PAUSED", pauseReason: "MANUAL" });
  expect((await outboxOf(workspaceId, "RECIPIENT")).map(({ payload }) => payload.recipientId)).toEqual([waiting]);
  await remove(rest, id);
});

test("a workspace may make ten connection tests a minute, and the next one gets 429", async () => {
  const { rest } = await world.workspace();
  const tested = () => rest.post("/mailboxes/connect", { action: "smtpTest", credentials: credentials() });
  for (let n = 0; n < 10; n++) expect((await tested()).status).toBe(200);
  const refused = await tested();
  expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(refused.headers.get("retry-after")).not.toBeNull();
});

test.each(["providerAOAuthStart", "providerAAppPassword", "providerBOAuthStart", "providerBSmtp"])(
  "the action %s without a configured provider gets 503 with the name of the missing setting",
  async (action) => {
    const { rest } = await world.workspace("mailboxes:connect");
    const login = { email: EMAIL, appPassword: "x" };
    const basic = { email: EMAIL, password: "x" };
    const answer = await rest.post("/mailboxes/connect", { action, providerA: login, providerB: basic });
    expect(answer).toMatchObject({
      status: 503,
      body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: expect.stringMatching(/^PROVIDER/) } },
    });
  },
);

test("disconnecting a mailbox erases its credentials and stops its sync, and a second disconnect changes nothing", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { id } = await connected(rest);
  expect((await rest.post(`/mailboxes/${id}/disconnect`, {})).body).toMatchObject({ id, status: "DISCONNECTED" });
  expect((await rest.post(`/mailboxes/${id}/disconnect`, { action: "disconnect" })).body).toMatchObject({
    status: "DISCONNECTED",
  });
  expect(await scoped(workspaceId).Mailbox.get(id)).toMatchObject({ sealedPassword: null });
  expect((await outboxOf(workspaceId, "MAILBOX")).map(({ payload }) => payload.signal)).toEqual([
    "start",
    "verify",
    "freed",
    "stop",
  ]);
  await remove(rest, id);
  expect((await rest.get(`/mailboxes/${id}`)).status).toBe(404);
  expect((await rest.post(`/mailboxes/${id}/disconnect`, {})).status).toBe(404);
});

test("each action on mailboxes requires its own scope", async () => {
  const reader = await world.workspace("mailboxes:read");
  expect((await reader.rest.get("/mailboxes")).status).toBe(200);
  expect((await reader.rest.post("/mailboxes/manage", { action: "pause", mailboxId: "x" })).body.details).toEqual({
    requiredScope: "mailboxes:write",
  });
  expect((await reader.rest.post("/mailboxes/x/disconnect", {})).body.details).toEqual({
    requiredScope: "mailboxes:connect",
  });
  expect((await reader.rest.post("/mailboxes/connect", { action: "smtpTest" })).status).toBe(403);
});
