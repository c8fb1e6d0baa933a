import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { replyTo } from "../fakes/mails.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { headerOf, type SentMail } from "../fakes/sent-mail.ts";
import { type SlowTcp, startSlowTcp } from "../fakes/slow-tcp.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { listened, mailboxIn } from "./mailbox-in.ts";

const MAILBOX = "ann@a.test";
const PEOPLE = ["ada", "ben", "cleo", "dan", "eve", "fay"].map((name) => `${name}@${name}-company.test`);
const [ADA = "", BEN = "", CLEO = "", DAN = "", EVE = "", FAY = ""] = PEOPLE;
/** The most milliseconds until an email stops someone: it waits for the transactions of two others. */
const DEADLINE_MS = 180_000;
const STEPS = [
  { subject: "Hello", body: "<p>Hello</p>", delay: { value: 0, unit: "MINUTES" } },
  { subject: "", body: "<p>Again</p>", delay: { value: 7, unit: "MINUTES" } },
];

let sandbox: Sandbox;
let world: World;
let worker: KilledWorker;
let mongodb: SlowTcp;
let rest: Rest;
let workspaceId: string;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [MAILBOX], certificate });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*,127.0.0.1:*" } });
  const near = new URL(world.mongodbUri.replace("mongodb:", "http:"));
  mongodb = await startSlowTcp({ port: Number(near.port) });
  const proxied = { ...world, mongodbUri: `mongodb://127.0.0.1:${mongodb.port}${near.pathname}?directConnection=true` };
  worker = await killedWorkerOf(proxied, certificate.cert);
  ({ rest, workspaceId } = await world.workspace());
  const mailboxId = await mailboxIn(world, workspaceId, MAILBOX, sandbox);
  const { body } = await rest.post("/campaigns", { name: "Slow replies" });
  const path = `/campaigns/${body.id}`;
  const settings = {
    windows: ALWAYS,
    minGapSeconds: 1,
    maxGapSeconds: 1,
    perMailboxDailyLimit: 0,
    mailboxIds: [mailboxId],
  };
  expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: STEPS })).toMatchObject({ status: 200 });
  expect(await rest.post(`${path}/recipients`, { action: "addManual", emails: PEOPLE })).toMatchObject({ status: 200 });
  worker.start();
  await listened(workspaceId, mailboxId);
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  const recorded = async () => (await scoped(workspaceId).Send.count({ state: "SENT" })) === PEOPLE.length;
  await until(recorded, { deadlineMs: 60_000, what: "the first email to everybody" });
}, 180_000);

afterAll(async () => {
  mongodb.delay(0);
  await worker.kill();
  await world.close();
  await sandbox.close();
  await mongodb.close();
}, 60_000);

/** The answer of a person arrives in the mailbox. */
function answer(person: string): void {
  sandbox.imapOf(MAILBOX).deliver(replyTo(mailTo(person), { text: "Tell me more, please." }));
}

function mailTo(person: string): SentMail {
  const mail = sandbox.ledger.find(({ to }) => to.includes(person));
  if (mail === undefined) throw new Error(`${person} has had no email`);
  return mail;
}

/** The mail client of a person uses the mailto link of List-Unsubscribe. */
function unsubscribe(person: string): void {
  const subject = /mailto:[^?>]+\?subject=([^>]+)/.exec(headerOf(mailTo(person).raw, "List-Unsubscribe") ?? "")?.[1];
  if (subject === undefined) throw new Error("The email has no link to unsubscribe by mail");
  const mail = [
    `From: ${person}`,
    `To: ${MAILBOX}`,
    `Subject: ${decodeURIComponent(subject)}`,
    "Message-ID: <stop@fay-company.test>",
    "",
    "",
  ];
  sandbox.imapOf(MAILBOX).deliver(mail.join("\r\n"));
}

/** No mail goes to a person once their address is shut. */
async function shut(person: string): Promise<void> {
  const isShut = async () =>
    (await scoped(workspaceId).AddressGuard.get(guardId(workspaceId, person)))?.reasons.includes("UNSUBSCRIBED");
  await until(async () => (await isShut()) === true, {
    deadlineMs: DEADLINE_MS,
    what: `the address of ${person} to be shut`,
  });
}

async function recipientOf(email: string) {
  const [recipient] = await scoped(workspaceId).Recipient.find({ email });
  if (recipient === undefined) throw new Error(`${email} is no recipient`);
  return recipient;
}

async function stopped(person: string, delayMs: number): Promise<void> {
  const begunAt = performance.now();
  const isStopped = async () => (await recipientOf(person)).status === "REPLIED";
  await until(isStopped, { deadlineMs: DEADLINE_MS, what: `the stop of ${person}` });
  console.log(
    `MongoDB ${delayMs} ms late: a reply was effective after ${((performance.now() - begunAt) / 1_000).toFixed(1)} s`,
  );
}

async function countOf(person: string) {
  const { _id: recipientId } = await recipientOf(person);
  const { ActivityEvent, Message } = scoped(workspaceId);
  const [replies, events] = await Promise.all([
    Message.count({ recipientId, kind: "REPLY" }),
    ActivityEvent.count({ recipientId, type: "REPLIED" }),
  ]);
  return { replies, events };
}

const stored = (person: string) => async () => (await countOf(person)).replies === 1;

test("with a slow database a reply still stops its recipient, and even a killed worker loses no reply and stores each once", async () => {
  mongodb.delay(600);
  answer(ADA);
  await stopped(ADA, 600);
  await until(stored(ADA), { deadlineMs: 60_000, what: "the reply of Ada in the inbox" });

  mongodb.delay(1_500);
  // While the database is too slow to store the first of them, those behind it are stopped too
  for (const person of [BEN, CLEO]) answer(person);
  await Promise.all([BEN, CLEO].map((person) => stopped(person, 1_500)));
  unsubscribe(FAY);
  answer(DAN);
  await Promise.all([shut(FAY), stopped(DAN, 1_500)]);
  expect(await countOf(DAN)).toEqual({ replies: 0, events: 0 });
  await worker.kill();
  mongodb.delay(0);
  worker.start();
  for (const person of [BEN, CLEO, DAN])
    await until(stored(person), { deadlineMs: 90_000, what: `the reply of ${person} in the inbox` });

  const hadSecond = () => sandbox.ledger.filter(({ to }) => to.includes(EVE)).length === 2;
  await until(async () => hadSecond(), {
    deadlineMs: 420_000,
    what: "the second email to the person who did not reply",
  });
  await sleep(5_000);
  for (const person of [ADA, BEN, CLEO, DAN]) {
    expect(await countOf(person)).toEqual({ replies: 1, events: 1 });
    expect(sandbox.ledger.filter(({ to }) => to.includes(person)).length).toBe(1);
  }
  expect(await recipientOf(FAY)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(sandbox.ledger.filter(({ to }) => to.includes(FAY)).length).toBe(1);
}, 800_000);
