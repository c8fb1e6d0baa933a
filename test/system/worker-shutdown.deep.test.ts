import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { accept, silence, slow } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { runService, type Service } from "../support/service.ts";
import { startWorld, type World } from "../support/world.ts";

/** What a worker process, `node worker/main.ts`, does with its last seconds after a signal to end. */
const MAILBOXES = ["ann@a.test", "bob@b.test", "cid@c.test", "dan@d.test", "eve@e.test", "fay@f.test"];
/** Longer than the worker waits for anything but an email in flight. */
const PAST_OTHERS_MS = 10_500;

let folder: string;
let sandbox: Sandbox;
let world: World;
let workers: Service[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-shutdown-"));
  sandbox = await startSandbox({ mailboxes: MAILBOXES });
  await writeFile(join(folder, "ca.pem"), sandbox.certificate.cert);
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*" } });
}, 60_000);

afterEach(async () => {
  for (const worker of workers) await worker.end("SIGKILL", 30_000);
  workers = [];
  sandbox.smtp.setGreeting(accept);
  sandbox.smtp.setRules(() => accept);
  sandbox.smtp.drop();
});

afterAll(async () => {
  await world.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function startWorker(more: Record<string, string> = {}): Promise<Service> {
  const worker = runService(
    {
      MONGODB_URI: world.mongodbUri,
      TEMPORAL_ADDRESS: world.temporal?.address ?? "",
      TEMPORAL_NAMESPACE: world.temporal?.namespace ?? "",
      SECRET_KEY: world.services.keyRing.current.key.toString("base64"),
      METRICS_PORT: String(await freePort()),
      EGRESS_ALLOW: "localhost:*",
      EXTRA_CA_FILE: join(folder, "ca.pem"),
      ...more,
    },
    [],
    "worker/main.ts",
  );
  workers.push(worker);
  await worker.says(/workers ready/);
  return worker;
}

/**
 * A mailbox that a worker listens to, and a launched campaign of one step from it to these people. `mailbox` is asked
 * for right before the launch.
 */
async function sending(from: string, emails: string[], mailbox: () => Partial<Mailbox> = () => ({})) {
  const { workspaceId, rest } = await world.workspace();
  const mailboxId = await mailboxIn(world, workspaceId, from, sandbox);
  await listened(workspaceId, mailboxId);
  const { body } = await rest.post("/campaigns", { name: "Ends" });
  const path = `/campaigns/${body.id}`;
  await rest.patch(`${path}/settings`, {
    mailboxIds: [mailboxId],
    windows: ALWAYS,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    perMailboxDailyLimit: 0,
  });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_1", "Hello")] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { ...mailbox() } });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({
    status: 200,
    body: { launched: true },
  });
  return scoped(workspaceId);
}

test("a worker that only listens to mailboxes exits within ten seconds of SIGTERM", async () => {
  const worker = await startWorker();
  const { workspaceId } = await world.workspace();
  await listened(workspaceId, await mailboxIn(world, workspaceId, "ann@a.test", sandbox));
  expect(await worker.end("SIGTERM", 10_000)).toBe(0);
}, 60_000);

test("on shutdown an email in flight is completed and its Sent copy is left to the next worker, while mailbox listening ends immediately", async () => {
  const email = "slow@people.test";
  sandbox.smtp.setRules((rcpt) => (rcpt === email ? slow(PAST_OTHERS_MS + 4_000, "DATA") : accept));
  const worker = await startWorker();
  const db = await sending("bob@b.test", [email], () => ({ saveToSent: true }));
  const isInFlight = () => sandbox.smtp.attempts.some(({ stage, to }) => stage === "DATA" && to.includes(email));
  await until(isInFlight, { deadlineMs: 40_000, what: "the mail to be under way" });
  const toldAt = Date.now();
  const ended = worker.end("SIGTERM", 60_000);
  const bob = sandbox.imapOf("bob@b.test");
  await until(() => bob.connections() === 0, { deadlineMs: 9_000, what: "the mailbox to be left" });
  expect(await ended).toBe(0);
  expect(Date.now() - toldAt).toBeGreaterThan(PAST_OTHERS_MS);
  expect(await db.Send.find({})).toMatchObject([{ state: "SENT", to: email }]);
  expect(sandbox.ledger.filter(({ to }) => to.includes(email))).toHaveLength(1);
  expect(await db.DueCopy.count({})).toBe(1);
}, 120_000);

test("an email that is not claimed at shutdown is left to the next worker, which sends the email immediately", async () => {
  const email = "unclaimed@people.test";
  sandbox.smtp.setGreeting(silence("CONNECT"));
  const first = await startWorker();
  const db = await sending("cid@c.test", [email]);
  await until(() => sandbox.smtp.connections() > 0, {
    deadlineMs: 40_000,
    what: "a connection that waits for its greeting",
  });
  expect(await first.end("SIGTERM", 10_000)).toBe(0);
  expect(await db.Send.find({})).toMatchObject([{ state: "RESERVED" }]);
  sandbox.smtp.setGreeting(accept);
  await startWorker();
  const isSent = async () => (await db.Send.count({ state: "SENT" })) === 1;
  await until(isSent, { deadlineMs: 25_000, what: "the mail" });
}, 120_000);

test("at shutdown emails waiting behind the one in flight are left to the next worker, and each is sent once", async () => {
  const emails = ["held1@people.test", "held2@people.test", "held3@people.test"];
  sandbox.smtp.setRules((rcpt) => (emails.includes(rcpt) ? slow(5_000, "DATA") : accept));
  const first = await startWorker();
  const db = await sending("dan@d.test", emails);
  const begun = () =>
    sandbox.smtp.attempts.filter(({ stage, to }) => stage === "DATA" && emails.some((email) => to.includes(email)));
  await until(() => begun().length > 0, { deadlineMs: 40_000, what: "a mail to be under way" });
  expect(await first.end("SIGTERM", 40_000)).toBe(0);
  expect(await db.Send.count({ state: "SENT" })).toBe(1);
  sandbox.smtp.setRules(() => accept);
  await startWorker();
  await until(async () => (await db.Send.count({ state: "SENT" })) === 3, {
    ...MAIL_DEADLINE,
    what: "the other mails",
  });
  for (const email of emails) expect(sandbox.ledger.filter(({ to }) => to.includes(email))).toHaveLength(1);
}, 180_000);

test("an email that waits for the gap of its mailbox does not delay the shutdown of a worker", async () => {
  const worker = await startWorker();
  // Booked soon, and then another email of the mailbox goes first
  const db = await sending("eve@e.test", ["later@people.test"], () => ({ nextAt: new Date(Date.now() + 10_000) }));
  const booked = await until(async () => (await db.Send.find({ state: "RESERVED" }))[0], {
    deadlineMs: 20_000,
    what: "a slot",
  });
  await db.Mailbox.updateOne({ _id: booked?.mailboxId ?? "" }, { $set: { nextAt: new Date(Date.now() + 30_000) } });
  await until(() => sandbox.smtp.connections() > 0, {
    deadlineMs: 20_000,
    what: "a connection that waits for the gap",
  });
  expect(await worker.end("SIGTERM", 10_000)).toBe(0);
  expect(await db.Send.find({})).toMatchObject([{ state: "RESERVED" }]);
}, 60_000);

test("a worker with an email that its mail server never accepts still ends within WORKER_STOP_SECONDS, and the next worker sends the email once", async () => {
  const email = "endless@people.test";
  sandbox.smtp.setRules((rcpt) => (rcpt === email ? silence("DATA") : accept));
  const worker = await startWorker({ WORKER_STOP_SECONDS: "12" });
  const db = await sending("fay@f.test", [email]);
  const begun = () => sandbox.smtp.attempts.filter(({ stage, to }) => stage === "DATA" && to.includes(email));
  await until(() => begun().length > 0, { deadlineMs: 40_000, what: "the mail to be under way" });
  expect(await worker.end("SIGTERM", 12_000)).toBe(0);
  sandbox.smtp.setRules(() => accept);
  await startWorker();
  // The server never asked for the text of the email, so it was surely not sent
  const isSent = async () => (await db.Send.count({ state: "SENT" })) === 1;
  await until(isSent, { deadlineMs: 300_000, what: "the email" });
  expect(sandbox.ledger.filter(({ to }) => to.includes(email))).toHaveLength(1);
}, 420_000);
