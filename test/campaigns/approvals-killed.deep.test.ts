import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type KilledWorker, killedWorkerOf } from "../system/killed-worker.ts";
import { ALWAYS, mail } from "./campaign-parts.ts";

/** Work that a killed worker had begun is missed after 30 s and tried again 30 s later. */
const DEADLINE = { deadlineMs: 100_000 };
const EMAILS = ["yes@people.test", "silence@people.test"];

let sandbox: Sandbox;
let world: World;
let worker: KilledWorker;

beforeAll(async () => {
  sandbox = await startSandbox({ mailboxes: ["ann@a.test"] });
  world = await startWorld({ temporal: true, settings: { egressAllow: "localhost:*" } });
  worker = await killedWorkerOf(world, sandbox.certificate.cert);
}, 90_000);

afterAll(async () => {
  await worker.kill();
  await world.close();
  await sandbox.close();
}, 30_000);

test("a killed worker loses no approval; an approval that is not decided expires, and the recipient gets no email", async () => {
  const { workspaceId, rest } = await world.workspace();
  const mailboxIds = [await mailboxIn(world, workspaceId, "ann@a.test", sandbox)];
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Killed" })).body.id}`;
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
  await rest.patch(`${path}/settings`, { ...quick, approvalMode: "ALL" });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("one", "First")] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: EMAILS });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  const { Approval, Recipient } = scoped(workspaceId);
  const pending = (count: number) =>
    until(async () => (await Approval.count({ kind: "CAMPAIGN_SEND", status: "PENDING" })) === count, {
      ...DEADLINE,
      what: `${count} questions`,
    });
  const recipientOf = async (email = "") => (await Recipient.findOne({ email }))?._id ?? "";
  const approvalsOf = async (email?: string) =>
    Approval.find({ recipientId: await recipientOf(email) }, { sort: { _id: 1 } });
  const resume = async (email?: string) =>
    rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [await recipientOf(email)] });

  worker.start();
  await pending(EMAILS.length);
  await worker.kill();
  const [yes, silence] = EMAILS;
  const past = new Date(Date.now() - 1_000);
  await Approval.updateOne({ recipientId: await recipientOf(silence) }, { $set: { expiresAt: past } });
  const optOutId = newId("apr");
  await Approval.insert({ _id: optOutId, kind: "OPT_OUT", expiresAt: past });
  expect((await resume(yes)).body).toMatchObject({ changed: 1 });
  worker.start();
  await until(async () => (await Approval.count({ status: "EXPIRED" })) === 1, {
    ...DEADLINE,
    what: "what is overdue to expire",
  });
  await until(async () => (await approvalsOf(yes))[0]?.status === "SENT", { ...DEADLINE, what: "the approved mail" });
  expect(await Approval.get(optOutId)).toMatchObject({ status: "PENDING" });
  expect(await Recipient.findOne({ email: silence })).toMatchObject({
    status: "PAUSED",
    pauseReason: "APPROVAL_REQUIRED",
    sentCount: 0,
  });

  // A resume after the expiry does not approve what was shown: it asks again
  await resume(silence);
  await pending(1);
  expect((await approvalsOf(silence)).map(({ status }) => status)).toEqual(["EXPIRED", "PENDING"]);
  expect((await approvalsOf(yes)).map(({ status }) => status)).toEqual(["SENT"]);
  expect(sandbox.ledger.map(({ to }) => to)).toEqual([[yes]]);
}, 300_000);
