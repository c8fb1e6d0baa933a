import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { PlacementTest } from "../../models/deliverability/placement-test.ts";
import { scoped } from "../../models/scoped.ts";
import { placementTestWorkflowId } from "../../temporal/run.ts";
import { silence } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import {
  endedTest,
  type PlacementWorld,
  placesOf,
  QUICK,
  SEEDS,
  SENDERS,
  startPlacementWorld,
} from "./placement-world.ts";

let placing: PlacementWorld;
let worker: KilledWorker;
beforeAll(async () => {
  placing = await startPlacementWorld({ isWorked: false });
  const placement = { ...QUICK, missingAfterMs: 15_000 };
  worker = await killedWorkerOf(placing.world, placing.sandbox.certificate.cert, undefined, { placement });
}, 90_000);
afterAll(async () => {
  await worker.kill();
  await placing.close();
}, 60_000);

const PATH = "/deliverability/placement-tests";
const [ANN = "", BOB = ""] = SENDERS;
const [INBOX = "", JUNK = "", NEVER = ""] = SEEDS;

test("when the worker is killed while sending and while reading folders, each test email is sent once and every place is reported", async () => {
  const { rest, ids, workspaceId } = await placing.workspace();
  const { Send, PlacementMail } = scoped(workspaceId);
  placing.sandbox.smtp.setRules((rcpt) => silence(rcpt === INBOX ? "DOT" : "RCPT", { kept: true }));
  worker.start();
  // Ann's first email is in the middle of its content, Bob's is only claimed
  const asked = { mailboxIds: [ids[ANN]], testMailboxIds: [ids[INBOX], ids[JUNK], ids[NEVER]] };
  const { body } = await rest.post(PATH, asked);
  const other = (await rest.post(PATH, { mailboxIds: [ids[BOB]], testMailboxIds: [ids[JUNK]] })).body;
  const phases = async () => (await Send.find({ state: "SENDING" })).map(({ phase }) => phase).sort();
  await until(async () => (await phases()).join() === "CLAIMED,DATA" && placing.sandbox.ledger.length === 1, {
    deadlineMs: 60_000,
    what: "both to be under way",
  });
  await worker.kill();
  placing.sandbox.smtp.setRules(() => ({ act: "accept" }));
  // Their leases end now instead of in two minutes
  await Send.updateMany({ state: "SENDING" }, { $set: { leaseUntil: new Date(0) } });
  worker.start();
  const isLooking = async () => (await PlacementMail.count({ testId: body.id, folder: null })) === 1;
  await until(isLooking, { deadlineMs: 150_000, what: "all but the mail that never arrives to be found" });
  await worker.kill();
  worker.start();
  const ended = await endedTest(rest, body.id, 150_000);
  expect(placesOf(ended, ids)).toEqual([
    `${ANN} > ${INBOX}: INBOX`,
    `${ANN} > ${JUNK}: SPAM`,
    `${ANN} > ${NEVER}: MISSING`,
  ]);
  expect(placesOf(await endedTest(rest, other.id, 150_000), ids)).toEqual([`${BOB} > ${JUNK}: SPAM`]);
  expect(placing.sandbox.ledger.map(({ from, to }) => `${from} > ${to}`).sort()).toEqual(
    [`${ANN} > ${INBOX}`, `${ANN} > ${JUNK}`, `${ANN} > ${NEVER}`, `${BOB} > ${JUNK}`].sort(),
  );
  // An email that was found proves that it was sent
  const sends = await Send.find({ to: INBOX });
  expect(sends.map(({ state, evidence }) => [state, evidence])).toEqual([["SENT", "found in a test mailbox"]]);
}, 300_000);

test("a placement test whose Temporal run is lost gets a new run from the database and completes without a second email", async () => {
  const { rest, ids } = await placing.workspace();
  const before = placing.sandbox.ledger.length;
  const { body } = await rest.post(PATH, { mailboxIds: [ids[ANN]], testMailboxIds: [ids[NEVER]] });
  await until(async () => placing.sandbox.ledger.length === before + 1, {
    deadlineMs: 60_000,
    what: "the mail to be sent",
  });
  await placing.world.temporal?.client.workflow.getHandle(placementTestWorkflowId(body.id)).terminate("lost");
  // As if a minute had passed
  await PlacementTest.collection.updateOne({ _id: body.id as never }, { $set: { updatedAt: new Date(0) } }); // ids are texts
  const ended = await endedTest(rest, body.id, 120_000);
  expect([ended.status, ended.missingRate, placing.sandbox.ledger.length]).toEqual(["COMPLETED", 1, before + 1]);
}, 180_000);
