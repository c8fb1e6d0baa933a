import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { OPEN } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Mongod, startMongod } from "../../embedded/mongod.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ALL_DAY, HASTY, press, WATCHING } from "../warmup/warmup-world.ts";
import { type KilledWorker, killedWorkerOf, randomFrom } from "./killed-worker.ts";

const SEED = 20_261_121;
const KILLS = 5;
const RECIPIENTS = 60;
const IN_DATA_MS = 1_000;
const MAILBOXES = ["ann@a.test", "bob@b.test", "cid@c.test", "dan@d.test"];
const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];

let folder: string;
let mongod: Mongod;
let temporal: Awaited<ReturnType<typeof startTemporal>>;
let sandbox: Sandbox;
let world: World;
let worker: KilledWorker;

const programs = { env: programEnv(), log: () => {} };
const mongodAt = (port: number) =>
  startMongod({ dataDir: join(folder, "db"), port, binary: readConfig().MONGOD_BIN ?? undefined, ...programs });
const temporalAt = (port: number) =>
  startTemporal({
    dataDir: join(folder, "engine"),
    port,
    pages: null,
    binary: readConfig().TEMPORAL_BIN ?? undefined,
    ...programs,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-system-"));
  [mongod, temporal] = await Promise.all([mongodAt(0), temporalAt(0)]);
  sandbox = await startSandbox({ mailboxes: MAILBOXES, keepRaw: true, reactionMs: { min: 50, max: 400 }, seed: SEED });
  world = await startWorld({ mongodbUri: mongod.uri, settings: { egressAllow: "localhost:*" } });
  worker = await killedWorkerOf(world, sandbox.certificate.cert, temporal.address, {
    warmupWaits: HASTY,
    watching: WATCHING,
  });
}, 60_000);

afterAll(async () => {
  await worker.kill();
  await world.close();
  await sandbox.close();
  await Promise.all([mongod.stop(), temporal.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/**
 * Waits until an email has gone out, and then for a part of two seconds. While everybody waits for a retry nothing goes
 * out, and that is an instant too.
 */
async function atWork(part: number): Promise<void> {
  const before = sandbox.ledger.length;
  await until(() => sandbox.ledger.length > before, {
    deadlineMs: 8_000,
    what: "a mail",
    longestMs: 50,
    mayBeMissed: true,
  }).catch(() => {});
  await sleep(2_000 * part);
}

/** Whether a warmup email of today is still to go or of unknown outcome, which its receiver's mailbox will tell. */
async function isWarmupOpen(): Promise<boolean> {
  const soon = trusted({ $lt: new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS) });
  return (
    (await WarmupMail.countDocuments({ state: trusted({ $in: ["PLANNED", "UNKNOWN"] as const }), dueAt: soon })) > 0
  );
}

/** The mailboxes write to each other beside the campaign, within the next seconds. */
async function warmUp(rest: Rest, workspaceId: string, mailboxIds: string[]): Promise<void> {
  await scoped(workspaceId).Mailbox.updateMany({}, { $set: { workday: ALL_DAY, minGapSeconds: 1, maxGapSeconds: 1 } });
  expect(
    (await rest.post("/warmup/manage", { action: "onboard", onboard: { mailboxIds, config: { start: 6 } } })).body
      .changed,
  ).toBe(4);
  const isPlanned = async () => (await WarmupMail.distinct("fromMailboxId")).length === mailboxIds.length;
  await until(isPlanned, { deadlineMs: 60_000, what: "the plan of the warmup" });
  await press(
    mailboxIds.map((mailboxId) => ({ workspaceId, mailboxId })),
    20_000,
  );
}

test("despite kills of the worker, MongoDB and Temporal during warmup and a campaign, no email is sent twice, lost or sent after a stop", async () => {
  const { workspaceId, rest } = await world.workspace();
  const db = scoped(workspaceId);
  const mailboxIds: string[] = [];
  for (const email of MAILBOXES) mailboxIds.push(await mailboxIn(world, workspaceId, email, sandbox));
  const kinds = ["unsub", "refuse", "grey", "reply", "plain", "plain", "plain", "plain", "plain", "plain"];
  const emails = Array.from({ length: RECIPIENTS }, (_, index) => `${kinds[index % kinds.length]}${index}@people.test`);
  const { body: campaign } = await rest.post("/campaigns", { name: "Killed" });
  const base = `/campaigns/${campaign.id}`;
  await rest.patch(`${base}/settings`, {
    windows: ALWAYS,
    minGapSeconds: 1,
    maxGapSeconds: 1,
    perMailboxDailyLimit: 0,
    mailboxIds,
    bounceGuard: { enabled: false },
  });
  const steps = ["Hello {{email}}", "", ""].map((subject, index) => ({
    subject,
    body: `<p>Mail ${index + 1}</p>`,
    delay: { value: 0, unit: "MINUTES" },
  }));
  await rest.put(`${base}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${base}/recipients`, { action: "addManual", emails });
  worker.start();
  await warmUp(rest, workspaceId, mailboxIds);
  await worker.kill();
  expect(await rest.post(`${base}/control`, { action: "launch" })).toMatchObject({
    status: 200,
    body: { launched: true },
  });

  const random = randomFrom(SEED);
  let inFlight = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    worker.start();
    await atWork(random());
    inFlight += await db.Send.count({ state: "SENDING" });
    await worker.kill();
  }
  worker.start();
  await atWork(random());
  process.kill(mongod.pid, "SIGKILL");
  await mongod.stop();
  mongod = await mongodAt(mongod.port);
  await atWork(random());
  const port = Number(temporal.address.split(":").at(-1));
  process.kill(temporal.pid, "SIGKILL");
  await temporal.stop();
  temporal = await temporalAt(port);

  // Those whose outcome is unknown wait a day for evidence; everybody else comes to an end
  await until(
    async () => {
      if ((await db.Send.count({ state: "SENDING" })) > 0 || (await isWarmupOpen())) return false;
      const unknown = (await db.Send.find({ state: "UNKNOWN" })).map(({ recipientId }) => recipientId);
      return (await db.Recipient.count({ status: trusted({ $in: [...OPEN] }), _id: trusted({ $nin: unknown }) })) === 0;
    },
    { deadlineMs: 420_000, what: "every recipient to come to an end" },
  ).catch(async (error) => {
    const open = await db.Recipient.find({ status: trusted({ $in: [...OPEN] }) }, { limit: 20 });
    console.log(
      open.map(({ email, status, nextSendAt, admittedAt, sentCount, parkedEpoch }) => ({
        email,
        status,
        nextSendAt,
        admittedAt,
        sentCount,
        parkedEpoch,
      })),
    );
    console.log(
      await db.Send.find({
        recipientId: trusted({ $in: open.map(({ _id }) => _id) }),
        state: trusted({ $ne: "SENT" }),
      }),
    );
    throw error;
  });

  const sends = await db.Send.find({});
  const unknown = sends.filter(({ state, kind }) => state === "UNKNOWN" && kind === "CAMPAIGN");
  const warm = await WarmupMail.find({ state: "SENT" }).lean<WarmupMail[]>();
  const accepted = new Set(sandbox.ledger.map(({ messageId }) => messageId));
  const recorded = new Set(
    sends.filter(({ state }) => state === "SENT" || state === "UNKNOWN").flatMap(({ messageIds }) => messageIds),
  );
  const report = sandbox.report();
  // An email whose content was under way when the stop answered may still be accepted: it is in DATA for well under a
  // second
  const late = report.afterStop.filter(
    ({ cause, isCampaignMail, mailAt, at }) => isCampaignMail && cause === "unsubscribed" && mailAt > at + IN_DATA_MS,
  );

  expect(report.duplicates).toEqual([]);
  const warmSends = sends.filter(({ kind, state }) => kind === "WARMUP" && state === "SENT");
  expect(warm.map(({ sendId }) => sendId).sort()).toEqual(warmSends.map(({ _id }) => _id).sort());
  expect(warm.length).toBeGreaterThan(MAILBOXES.length);
  expect(late).toEqual([]);
  // Every email the server took is in the ledger, and every email the ledger calls sent was taken
  expect([...accepted].filter((id) => id !== undefined && !recorded.has(id))).toEqual([]);
  expect(sends.filter(({ state, messageId }) => state === "SENT" && !accepted.has(messageId ?? ""))).toEqual([]);
  expect(unknown.length).toBeLessThanOrEqual(inFlight + 2 * MAILBOXES.length);
  const finished = await db.Recipient.find({ status: "COMPLETED" });
  for (const { _id } of finished)
    expect(sends.filter(({ recipientId, state }) => recipientId === _id && state === "SENT")).toHaveLength(3);
  const visible = await rest.get(`${base}/sends?state=UNKNOWN`);
  expect(visible).toMatchObject({ status: 200, body: { total: unknown.length } });
}, 600_000);
