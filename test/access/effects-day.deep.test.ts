import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { verifyApiKey } from "../../operations/access/api-keys.ts";
import { EXAMPLE_IDS } from "../../operations/described-ids.ts";
import { createLog } from "../../runtime/log.ts";
import { nudge } from "../../store/outbox.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { SCHEDULES } from "../../temporal/schedules.ts";
import { startReconciler } from "../../worker/reconciler.ts";
import { examplesIn, type Ids } from "../doors/example-world.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type FakeSubscriber, startSubscriber } from "../fakes/subscriber.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { wholeShare } from "../support/shares.ts";
import { startWorld, type World } from "../support/world.ts";
import { byRest } from "./flood-doors.ts";
import { causedIn, changedIn, futureOf, stateOf } from "./flood-state.ts";
import { all, CALLS, DOORS, evergreen, makeWhatExamplesName, REFUSALS } from "./flood-world.ts";

const FLOODED = "flooded@sender.test";
const TWINS = ["twin0@sender.test", "twin1@sender.test", "twin2@sender.test"];
const QUICK = { minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

let world: World;
let sandbox: Sandbox;
let subscriber: FakeSubscriber;
let dns: FakeDns;
beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [FLOODED, ...TWINS], certificate, reactionMs: { min: 20, max: 60 } });
  subscriber = await startSubscriber();
  dns = await startDns();
  const worker = realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] });
  world = await startWorld({ worker, settings: { egressAllow: "localhost:*,127.0.0.1:*" } });
}, 90_000);
afterAll(async () => {
  await world.close();
  await Promise.all([sandbox.close(), subscriber.close(), dns.close()]);
}, 30_000);

/** The flood leaves out calls that only stop or withdraw: they would leave nothing that could be sent. */
const STOPS = [
  "pause",
  "suppress",
  "pauseRecipients",
  "updateOutcome",
  "disconnect",
  "pauseSending",
  "bulkAction",
  "remove",
  "complete",
  "archive",
];
const FLOOD = CALLS.filter(([{ body }]) => !STOPS.includes(String(body["action"])));

/** A workspace that has sent the first emails of a campaign; the next ones are booked a day later. */
async function begun(email: string) {
  const started = await examplesIn(world);
  const { workspaceId, key } = started.workspace;
  const mailboxId = await mailboxIn(world, workspaceId, email, sandbox);
  await listened(workspaceId, mailboxId);
  await makeWhatExamplesName(started);
  const running = await evergreen(started, [mailboxId], QUICK);
  const { campaignId } = running;
  const waiting = { campaignId, sentCount: 1, nextSendAt: trusted({ $gt: new Date(Date.now() + DAY_MS / 2) }) };
  const isBooked = async () => (await scoped(workspaceId).Recipient.count(waiting)) === 3;
  await until(isBooked, { ...MAIL_DEADLINE, what: "the first emails and the slots of the next" });
  const name = email.split("@")[0] ?? "";
  const own: Ids = { [EXAMPLE_IDS.mailboxId]: mailboxId, "https://hooks.example.com/in": `${subscriber.url}${name}` };
  const ctx = { ...(await verifyApiKey(key, new Date())), services: world.services, ip: null, traceId: "flood" };
  const idsOf = (isRunning: boolean): Ids => ({ ...own, ...(isRunning && running.ids) });
  return { started, workspaceId, email, name, campaignId, ctx, idsOf };
}
type Begun = Awaited<ReturnType<typeof begun>>;

/**
 * The flood through every door, with credentials that may cause nothing, or, through the last door, nothing without a
 * plan or a person.
 */
async function flood({ started, idsOf }: Begun): Promise<number> {
  const credentials = DOORS.map(([, door, planned], at) =>
    door(started, at < DOORS.length - 1 ? all("NONE") : planned),
  );
  let refused = 0;
  for (const [example, isRunning] of FLOOD) {
    const answers = await Promise.all(credentials.map((call) => call(example, idsOf(isRunning))));
    if (answers.some((answer) => REFUSALS.includes(answer?.body?.code))) refused++;
  }
  return refused;
}

/** The same calls by a credential that sends directly. */
async function floodDirectly({ started, idsOf }: Begun, door: (typeof DOORS)[number][1]): Promise<void> {
  const [direct, otherwise] = [door(started, all("DIRECT")), byRest(started, all("DIRECT"))];
  for (const [example, isRunning] of FLOOD) {
    const answer = (await direct(example, idsOf(isRunning))) ?? (await otherwise(example, idsOf(isRunning)));
    if (!isRunning && answer !== null) await started.learn(example.at, answer);
  }
}

/** Waits until everything that was begun is done. */
async function settled(workspaceIds: string[]): Promise<void> {
  let left: string[] = [];
  const isOver = async () => {
    const found = workspaceIds.map(async (id): Promise<string[]> => {
      const { Job, OutboxRow } = scoped(id);
      const jobs = await Job.find({ status: trusted({ $in: ["QUEUED", "RUNNING"] }) });
      return [...jobs.map(({ type }) => type), ...(await OutboxRow.find({ doneAt: null })).map(({ kind }) => kind)];
    });
    left = (await Promise.all(found)).flat();
    return left.length === 0;
  };
  await until(isOver, { deadlineMs: 40_000, what: "the jobs and the outbox" }).catch((error) => {
    throw new Error(`Left to do: ${left.join(", ")}`, { cause: error });
  });
}

/**
 * Lets a day pass as far as the real clock allows it: moves the sent and the booked emails back by a day, and runs once
 * every round that the clock starts within a day.
 */
async function passDay(workspaceIds: string[]): Promise<void> {
  const client = world.temporal?.client;
  if (client === undefined) throw new Error("There is no Temporal server");
  for (const { id, workflow } of SCHEDULES)
    await client.workflow.execute(workflow, { taskQueue: "engine", workflowId: `day/${id}`, args: [] });
  const people = await Recipient.find({ workspaceId: trusted({ $in: workspaceIds }) }, null, {
    acrossWorkspaces: true,
  }).lean<Recipient[]>();
  for (const model of [Recipient, Send])
    for (const row of await model.collection.find({ workspaceId: { $in: workspaceIds } }).toArray())
      await model.collection.replaceOne({ _id: row._id }, { ...row, ...earlier(row) });
  for (const { _id: recipientId, workspaceId, campaignId } of people)
    await inTransaction(() => nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" }));
  await startReconciler(() => client, createLog("silent"), wholeShare(), DAY_MS).stop();
}

/** Moves each instant of a document by a day and an hour. */
function earlier(row: object): object {
  const instants = Object.entries(row).filter(([, value]) => value instanceof Date);
  return Object.fromEntries(instants.map(([name, value]) => [name, new Date(value.getTime() - DAY_MS - HOUR_MS)]));
}

/** Every email that left from a mailbox: its recipient and its subject. */
function sentFrom(email: string): string[] {
  return sandbox.ledger
    .filter(({ from }) => from.includes(email) || from.includes(email.replace("@", "=")))
    .flatMap(({ to, subject }) => to.map((one) => `${one}: ${subject}`))
    .sort();
}

test("a flood of calls under NONE or PLAN through the API and the tools changes no email, webhook or lead of a running campaign within a day; direct calls do", async () => {
  const flooded = await begun(FLOODED);
  const twins = await Promise.all(TWINS.map(begun));
  const workspaceIds = [flooded, ...twins].map(({ workspaceId }) => workspaceId);
  await settled(workspaceIds);
  const [before, future] = [await stateOf(flooded.workspaceId), await futureOf(flooded.ctx)];
  expect(await flood(flooded)).toBeGreaterThan(50);
  await settled([flooded.workspaceId]);
  const after = await stateOf(flooded.workspaceId);
  expect(causedIn(before, after)).toEqual([]);
  expect(changedIn(future, await futureOf(flooded.ctx))).toEqual([]);

  await Promise.all(
    DOORS.map(async ([, door], at) => {
      const twin = twins[at];
      if (twin !== undefined) await floodDirectly(twin, door);
    }),
  );
  await settled([flooded.workspaceId]);
  await passDay(workspaceIds);
  const people = ["eve@fair.example", "fay@fair.example", "gus@fair.example"];
  const expected = people.flatMap((one) => [`${one}: Hello`, `${one}: Again`]).sort();
  await until(() => sentFrom(FLOODED).length >= expected.length, { ...MAIL_DEADLINE, what: "the emails of the day" });
  await settled([flooded.workspaceId]);
  expect(sentFrom(FLOODED)).toEqual(expected);
  // A recipient unsubscribes: subscribed webhooks receive the event
  for (const workspaceId of workspaceIds) await suppressAddress(workspaceId, "fay@fair.example", "UNSUBSCRIBED");
  await settled([flooded.workspaceId]);
  expect(subscriber.received.filter(({ path }) => path.includes(flooded.name))).toEqual([]);
  const { Lead } = scoped(flooded.workspaceId);
  expect(await Lead.count({ email: "cleo@people.example" })).toBe(1);

  for (const { email, name, workspaceId } of twins) {
    await until(() => sentFrom(email).some((line) => !expected.includes(line)), {
      ...MAIL_DEADLINE,
      what: `other emails of ${email}`,
    });
    await until(() => subscriber.received.some(({ path }) => path.includes(name)), {
      ...MAIL_DEADLINE,
      what: `a new place of ${email}`,
    });
    expect(await scoped(workspaceId).Lead.count({ email: "cleo@people.example" })).toBe(0);
  }
}, 240_000);
