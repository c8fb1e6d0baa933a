import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type SlowTcp, startSlowTcp } from "../fakes/slow-tcp.ts";
import { until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";

const MAILBOXES = Array.from({ length: 12 }, (_, index) => `sender${index}@a.test`);
const PEOPLE = 450;
/** Every tenth of them answers at once. */
const EMAILS = Array.from(
  { length: PEOPLE },
  (_, index) => `${index % 10 === 0 ? "reply" : "plain"}${index}@people${index % 50}.test`,
);
const STEPS = [
  { subject: "Hello", body: "<p>Hello</p>", delay: { value: 0, unit: "MINUTES" } },
  { subject: "", body: "<p>Again</p>", delay: { value: 3, unit: "DAYS" } },
];

let sandbox: Sandbox;
let world: World;
let worker: KilledWorker;
let mongodb: SlowTcp;
let rest: Rest;
let workspaceId: string;
let path: string;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*,127.0.0.1:*" } });
  const near = new URL(world.mongodbUri.replace("mongodb:", "http:"));
  mongodb = await startSlowTcp({ port: Number(near.port) });
  const proxied = { ...world, mongodbUri: `mongodb://127.0.0.1:${mongodb.port}${near.pathname}?directConnection=true` };
  worker = await killedWorkerOf(proxied, certificate.cert);
  ({ rest, workspaceId } = await world.workspace());
  const mailboxIds = await Promise.all(MAILBOXES.map((email) => mailboxIn(world, workspaceId, email, sandbox)));
  const { body } = await rest.post("/campaigns", { name: "Slow" });
  path = `/campaigns/${body.id}`;
  const settings = { windows: ALWAYS, minGapSeconds: 3, maxGapSeconds: 3, perMailboxDailyLimit: 0, mailboxIds };
  expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: STEPS })).toMatchObject({ status: 200 });
  expect(await rest.post(`${path}/recipients`, { action: "addManual", emails: EMAILS })).toMatchObject({ status: 200 });
  worker.start();
  await Promise.all(mailboxIds.map((mailboxId) => listened(workspaceId, mailboxId)));
}, 180_000);

afterAll(async () => {
  mongodb.delay(0);
  await worker.kill();
  await world.close();
  await sandbox.close();
  await mongodb.close();
}, 60_000);

/** Sends for a while with a MongoDB that answers this late. Returns the emails a second. */
async function phase(delayMs: number, ms: number): Promise<number> {
  mongodb.delay(delayMs);
  const before = sandbox.ledger.length;
  await sleep(ms);
  const perSecond = ((sandbox.ledger.length - before) * 1_000) / ms;
  console.log(`MongoDB ${delayMs} ms late: ${perSecond} emails a second`);
  return perSecond;
}

/**
 * DATA commands for each email, of the commands in a time. Each is followed to its end, because a rate counts the email
 * of a command that began before, and not that of one that ends later.
 */
function datasPerMail(from: number, to: number): number {
  const datas = sandbox.smtp.attempts.flatMap(({ stage, at, session }, index, all) => {
    if (stage !== "DATA" || at < from || at >= to) return [];
    const next = all.slice(index + 1).find((other) => other.session === session);
    return [next?.stage === "CONTENT"];
  });
  const mails = datas.filter((hasContent) => hasContent).length;
  console.log(`${datas.length} DATA commands, ${mails} emails`);
  return datas.length / mails;
}

/**
 * The longest that a reply took from its arrival until it stopped its recipient, of those that arrived in a time;
 * milliseconds.
 */
async function slowestReply(from: number, to: number): Promise<number> {
  const answering = sandbox.ledger.filter(
    ({ to: [rcpt = ""], at }) => rcpt.startsWith("reply") && at > from && at < to,
  );
  expect(answering.length).toBeGreaterThan(0);
  const stopped = async () => {
    const emails = answering.flatMap(({ to }) => to);
    const replied = await scoped(workspaceId).Recipient.find({ email: trusted({ $in: emails }), status: "REPLIED" });
    return replied.length === answering.length ? replied : null;
  };
  const replied = await until(stopped, { deadlineMs: 120_000, what: "the replies to be read" });
  const sentAt = new Map(answering.map(({ to: [rcpt = ""], at }) => [rcpt, at]));
  return Math.max(...(replied ?? []).map(({ email, updatedAt }) => updatedAt.getTime() - (sentAt.get(email) ?? 0)));
}

test("a slow database slows sending down without stopping it; no email goes out twice or after a stop, and replies are still read", async () => {
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  const admitted = async () =>
    (await scoped(workspaceId).Recipient.count({ status: "PENDING", admittedAt: null })) === 0;
  await until(admitted, { deadlineMs: 120_000, what: "the slots of all" });
  const usual = await phase(0, 15_000);
  const from = Date.now();
  await phase(150, 20_000);
  const slowReply = await slowestReply(from, Date.now());
  const slowFrom = Date.now();
  const slow = await phase(600, 60_000);
  const slowest = await phase(1_500, 60_000);
  const slowTo = Date.now();
  expect(slow).toBeGreaterThan(0.2 * usual);
  expect(slowest).toBeGreaterThan(0);
  console.log(`a reply took ${slowReply} ms at most, with MongoDB 150 ms late`);
  expect(slowReply).toBeLessThan(30_000);

  // The looks of the last DATA commands end, which a pause would refuse
  await sleep(30_000);
  expect(datasPerMail(slowFrom, slowTo)).toBeLessThanOrEqual(1.2);
  expect(await rest.post(`${path}/control`, { action: "pause" })).toMatchObject({ status: 200 });
  const answeredAt = Date.now();
  await sleep(20_000);
  expect(sandbox.smtp.attempts.filter(({ stage, at }) => stage === "CONTENT" && at > answeredAt)).toEqual([]);
  const everybody = sandbox.ledger.flatMap(({ to }) => to);
  expect(everybody.length).toBe(new Set(everybody).size);
  expect(await scoped(workspaceId).Send.count({ state: "UNKNOWN" })).toBe(0);
}, 400_000);
