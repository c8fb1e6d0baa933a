import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { isAlive, liveRecord } from "../../embedded/pid-file.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { firstKeyIn, portsOf, runService, type Service } from "../support/service.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "outreach-restore-"));
const DATA_DIR = join(FOLDER, "data");
const MONGOD = join(DATA_DIR, "mongod");
const BACKUP = join(FOLDER, "backup");
const GAP = { minGapSeconds: 4, maxGapSeconds: 4 };
const DEADLINE_MS = 120_000;
/** Many more than the gap lets go out until the crash. */
const PEOPLE = 15;
/** Ann files copies of what she sends, Bob files none. */
const [ANN, BOB] = ["ann@a.test", "bob@b.test"] as const;

const PORTS = await portsOf();
const running: Service[] = [];
let sandbox: Sandbox;
let rest: Rest;

beforeAll(async () => {
  const certificate = await makeCertificate();
  writeFileSync(join(FOLDER, "ca.pem"), certificate.cert);
  sandbox = await startSandbox({ mailboxes: [ANN, BOB], certificate });
});

afterAll(async () => {
  for (const service of running) await service.end("SIGKILL", 30_000);
  for (const name of ["mongod", "temporal"]) await kill(name);
  await sandbox.close();
  rmSync(FOLDER, { recursive: true, force: true });
}, 120_000);

function start(more: Record<string, string> = {}): Service {
  const service = runService({
    ...PORTS,
    DATA_DIR,
    EGRESS_ALLOW: "localhost:*",
    EXTRA_CA_FILE: join(FOLDER, "ca.pem"),
    ...more,
  });
  running.push(service);
  return service;
}

async function kill(name: string): Promise<void> {
  const record = await liveRecord(DATA_DIR, name);
  if (record === null) return;
  process.kill(record.pid, "SIGKILL");
  await until(() => !isAlive(record.pid), { deadlineMs: 30_000, what: `the end of ${name}` });
}

async function connect(email: string): Promise<string> {
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
  };
  const credentials = { email, password: sandbox.password, security: "SSL_TLS", ...servers };
  const asked = async () => {
    const answer = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
    return answer.status === 200 ? answer : null;
  };
  const connected = await until(asked, { deadlineMs: DEADLINE_MS, what: `${email} to be connected` });
  return connected?.body.id;
}

async function launched(mailboxId: string, people: string): Promise<string> {
  const { body } = await rest.post("/campaigns", { name: people });
  const path = `/campaigns/${body.id}`;
  await rest.patch(`${path}/settings`, { windows: ALWAYS, perMailboxDailyLimit: 0, ...GAP, mailboxIds: [mailboxId] });
  const steps = [0, 1].map((value) => ({
    subject: value === 0 ? "One" : "",
    body: "<p>x</p>",
    delay: { value, unit: "DAYS" },
  }));
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const emails = Array.from({ length: PEOPLE }, (_, index) => `${people}${index}@people.test`);
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  return path;
}

/** Who has got an email, in order. */
function written(people: string): string[] {
  return sandbox.ledger.flatMap(({ to: [address = ""] }) => (address.startsWith(people) ? [address] : []));
}

async function inState(path: string, state: string): Promise<string[]> {
  const { body } = await rest.get(`${path}/sends?state=${state}&pageSize=100`);
  return body.items.map(({ email }: { email: string }) => email).sort();
}

test("after a restore no email is sent twice: emails with Sent copies are SENT, due emails without copies stay UNKNOWN, others are sent", async () => {
  const first = start();
  await first.says(/Ready: /);
  const key = firstKeyIn(DATA_DIR);
  rest = restOf(`http://127.0.0.1:${PORTS["PORT"]}/api/v1`, key);
  await first.says(/workers ready/);
  const [ann, bob] = [await connect(ANN), await connect(BOB)];
  await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: bob, patch: { saveToSent: false } });
  const [filed, unfiled] = [await launched(ann, "filed"), await launched(bob, "unfiled")];
  const hasWritten = (people: string, count: number) =>
    until(() => written(people).length >= count, { deadlineMs: DEADLINE_MS, what: `${count} mails of ${people}` });
  await Promise.all([hasWritten("filed", 1), hasWritten("unfiled", 1)]);

  await first.end("SIGTERM", DEADLINE_MS);
  const backupAt = new Date().toISOString();
  cpSync(MONGOD, BACKUP, { recursive: true });
  const copies = () => sandbox.imapOf(ANN).folder("Sent").length;
  const [filedBefore, unfiledBefore] = [written("filed").length, written("unfiled").length];

  // The next emails are lost with the database; Temporal and the mail servers remember them
  const second = start();
  await second.says(/workers ready/);
  const hasGoneOn = () => written("filed").length >= filedBefore + 3 && written("unfiled").length > unfiledBefore;
  await until(hasGoneOn, { deadlineMs: DEADLINE_MS, what: "more mails" });
  // Copies follow some seconds after the emails, and only an email with a copy can be known after the loss
  await until(async () => (await rest.post(`${filed}/control`, { action: "pause" })).status === 200, {
    deadlineMs: DEADLINE_MS,
    what: "a pause",
  });
  await until(() => copies() === written("filed").length, { deadlineMs: DEADLINE_MS, what: "their copies" });
  await second.end("SIGKILL", 30_000);
  const [filedSent, unfiledSent] = [written("filed"), written("unfiled")];
  expect(filedSent.length).toBeLessThan(PEOPLE);
  await kill("mongod");
  rmSync(MONGOD, { recursive: true });
  cpSync(BACKUP, MONGOD, { recursive: true });

  // Bob cannot be reached for now: no one can resume anything, and the kill changes nothing about that
  sandbox.imapOf(BOB).setPassword("another");
  const restored = start({ RESTORED_FROM: backupAt });
  await restored.says(/campaigns are paused/);
  await restored.says(/compared a mailbox with its Sent folder/);
  for (const path of [filed, unfiled])
    expect((await rest.get(path)).body).toMatchObject({ status: "PAUSED", pauseReason: "RESTORED" });
  const validation = { errors: [{ code: "RESTORE_UNFINISHED", details: { mailboxIds: [bob] } }] };
  const refused = await rest.post(`${filed}/control`, { action: "resume" });
  expect(refused).toMatchObject({ status: 422, body: { code: "CAMPAIGN_NOT_VALID", details: { validation } } });
  expect(await inState(filed, "SENT")).toEqual([...filedSent].sort());
  await restored.end("SIGKILL", 30_000);

  sandbox.imapOf(BOB).setPassword(sandbox.password);
  const again = start({ RESTORED_FROM: backupAt });
  const isCompared = () => /compared a mailbox with its Sent folder/.test(again.output());
  await until(isCompared, { deadlineMs: 2 * DEADLINE_MS, what: "Bob's server to be tried again" });
  expect(again.output()).not.toMatch(/campaigns are paused/);
  const unknown = await inState(unfiled, "UNKNOWN");
  for (const address of unfiledSent.slice(unfiledBefore)) expect(unknown).toContain(address);
  expect(await inState(unfiled, "SENT")).toEqual(unfiledSent.slice(0, unfiledBefore).sort());
  expect((await rest.get(filed)).body.metrics).toMatchObject({ sent: filedSent.length, contacted: filedSent.length });
  expect([written("filed"), written("unfiled")]).toEqual([filedSent, unfiledSent]);

  const noGap = { minGapSeconds: 0, maxGapSeconds: 0 };
  for (const path of [filed, unfiled]) expect((await rest.patch(`${path}/settings`, noGap)).status).toBe(200);
  for (const path of [filed, unfiled])
    expect((await rest.post(`${path}/control`, { action: "resume" })).body.status).toBe("ACTIVE");
  await hasWritten("filed", PEOPLE);
  const isRecorded = async () => (await inState(filed, "SENT")).length === PEOPLE;
  await until(isRecorded, { deadlineMs: DEADLINE_MS, what: "the last record" });
  // Once, and no one's next step before its day has passed
  expect([...new Set(written("filed"))].sort()).toEqual(await inState(filed, "SENT"));
  expect(written("filed")).toHaveLength(PEOPLE);
  // The rest of those who may have been written to stays unwritten
  expect(new Set(written("unfiled")).size).toBe(written("unfiled").length);
  expect(await inState(unfiled, "UNKNOWN")).toEqual(unknown);
}, 560_000);
