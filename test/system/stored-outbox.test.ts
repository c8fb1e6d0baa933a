import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { seal } from "../../domain/access/seal.ts";
import { OUTBOX_PARTS } from "../../domain/outbox.ts";
import { newSigningSecret, secretPlace } from "../../domain/webhook-signature.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createLog } from "../../runtime/log.ts";
import * as runs from "../../temporal/runs.ts";
import { type Dispatcher, startDispatcher } from "../../worker/dispatcher.ts";
import { until } from "../fakes/wait.ts";
import { wholeShare } from "../support/shares.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
let dispatcher: Dispatcher;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
  ({ workspaceId } = await world.workspace());
  dispatcher = startDispatcher(() => world.temporal?.client ?? null, createLog("silent"), wholeShare(OUTBOX_PARTS));
});
afterAll(async () => {
  await dispatcher.stop();
  await world.close();
});

const rows = () => mongoose.connection.collection<{ _id: string; doneAt: Date | null }>("outbox");
const isDone = async (_id: string) => (await rows().findOne({ _id }))?.doneAt !== null;

/** Stores a row as the first version of the service stored it, field by field. Returns its id. */
async function stored(kind: string, payload: object, ofWorkspace = workspaceId): Promise<string> {
  const _id = newId("out");
  const now = new Date();
  await rows().insertOne({
    _id,
    workspaceId: ofWorkspace,
    kind,
    payload,
    doneAt: null,
    createdAt: now,
    updatedAt: now,
  } as {
    _id: string;
    doneAt: null;
  });
  return _id;
}

async function dispatched(kind: string, payload: object): Promise<void> {
  const id = await stored(kind, payload);
  await until(() => isDone(id), { deadlineMs: 20_000, what: `the row of kind ${kind}` });
}

function engine() {
  if (world.temporal === null) throw new Error("There is no engine");
  return world.temporal.client;
}

/** The names of the signals that a run was sent, in order; throws where there is no run. */
async function signalsOf({ options: { workflowId } }: ReturnType<typeof runs.campaignRun>): Promise<string[]> {
  const { events } = await engine().workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).flatMap((event) => event.workflowExecutionSignaledEventAttributes?.signalName ?? []);
}

const ids = () =>
  ({ v: 1, workspaceId, campaignId: newId("cmp"), recipientId: newId("rcp"), mailboxId: newId("mbx") }) as const;

async function recipient({ campaignId, recipientId }: ReturnType<typeof ids>): Promise<void> {
  const { Recipient } = scoped(workspaceId);
  const person = { campaignId, leadId: newId("led"), email: "ann@a.test", cid: recipientId, shard: 0 };
  await Recipient.insert({ _id: recipientId, ...person, status: "IN_PROGRESS", admittedAt: new Date() });
}

test("a stored outbox row of kind EVENT becomes a webhook delivery with unchanged content", async () => {
  const _id = newId("whs");
  const sealedSecret = seal(
    world.services.keyRing,
    secretPlace(workspaceId, _id),
    newSigningSecret(Buffer.alloc(32, 1)),
  );
  await scoped(workspaceId).WebhookSubscription.insert({ _id, url: "https://subscriber.example.com/", sealedSecret });
  const at = "2026-01-02T03:04:05.000Z";
  await dispatched("EVENT", { event: "SENT", eventId: "evt_1", at, data: { email: "ann@a.test" } });
  const [delivery] = await scoped(workspaceId).WebhookDelivery.find({ eventId: "evt_1" });
  expect(delivery).toMatchObject({ event: "SENT", subscriptionId: _id });
  expect(JSON.parse(String(delivery?.body))).toEqual({ event: "SENT", data: { email: "ann@a.test" }, timestamp: at });
});

test("a stored outbox row of kind CAMPAIGN signals the run of that campaign", async () => {
  const { campaignId } = ids();
  await dispatched("CAMPAIGN", { campaignId });
  expect(await signalsOf(runs.campaignRun({ v: 1, workspaceId, campaignId }))).toEqual(["changed"]);
});

test.each(["stop", "ended"])(
  "a stored %s signal: only stop reaches the recipient's run, and the campaign's run is signalled once no recipient is open",
  async (signal) => {
    const all = ids();
    await recipient(all);
    await world.services.engine.start(runs.recipientRun(all));
    const { recipientId, campaignId } = all;
    await dispatched("RECIPIENT", { recipientId, campaignId, signal, reason: "MANUAL" });
    expect(await signalsOf(runs.recipientRun(all))).toEqual(signal === "stop" ? ["stop"] : []);
    await expect(signalsOf(runs.campaignRun(all))).rejects.toThrow(); // someone is open still
    await scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { status: "STOPPED" } });
    await dispatched("RECIPIENT", { recipientId, campaignId, signal: "finished" });
    expect(await signalsOf(runs.campaignRun(all))).toEqual(["changed"]);
  },
);

test("a stored replan signal reaches the run of an open recipient", async () => {
  const all = ids();
  await recipient(all);
  await dispatched("RECIPIENT", { recipientId: all.recipientId, campaignId: all.campaignId, signal: "replan" });
  expect(await signalsOf(runs.recipientRun(all))).toEqual(["replan"]);
});

test("stored signals of a mailbox start and stop its sync, wake waiting recipients, and start DNS checks with and without a probe", async () => {
  const { mailboxId } = ids();
  const mailbox = { v: 1, workspaceId, mailboxId } as const;
  const probeId = newId("snd");
  for (const signal of ["start", "freed", "verify", "stop"]) await dispatched("MAILBOX", { mailboxId, signal });
  await dispatched("MAILBOX", { mailboxId, signal: "verify", probeId });
  expect(await signalsOf(runs.mailboxSyncRun(mailbox))).toEqual(["stop"]);
  expect(await signalsOf(runs.mailboxFreedRun(mailbox))).toEqual(["again"]);
  expect(await signalsOf(runs.dnsCheckRun({ ...mailbox, probeId: null }))).toEqual([]);
  expect(await signalsOf(runs.dnsCheckRun({ ...mailbox, probeId }))).toEqual([]);
});

test("stored rows start a webhook feed, a reply run and a scheduled reply run, and a stored cancellation reaches the scheduled reply run", async () => {
  const { WebhookDelivery, ScheduledReply, Send } = scoped(workspaceId);
  const [deliveryId, sendId, scheduledId, mailboxId] = [newId("whd"), newId("snd"), newId("srp"), newId("mbx")];
  const delivery = {
    subscriptionId: "whs_1",
    event: "SENT",
    eventId: "evt_2",
    body: Buffer.from("{}"),
    host: "a.test",
  };
  await WebhookDelivery.insert({ _id: deliveryId, ...delivery });
  await Send.insert({ _id: sendId, kind: "REPLY", sendKey: sendId, mailboxId, to: "ann@a.test", state: "RESERVED" });
  const letter = {
    threadId: "thr_1",
    mailboxId,
    to: "ann@a.test",
    sendAt: new Date(Date.now() + 1e9),
    idempotencyKey: scheduledId,
  };
  const asked = { argumentHash: "h", inReplyToMessageId: "msg_1", createdBy: "key_1" };
  const reply = await ScheduledReply.insert({ _id: scheduledId, ...letter, ...asked });

  await dispatched("DELIVERY", { deliveryId });
  await dispatched("REPLY", { sendId });
  await dispatched("SCHEDULED_REPLY", { scheduledId, signal: "start" });
  await dispatched("SCHEDULED_REPLY", { scheduledId, signal: "cancel" });
  expect(await signalsOf(runs.feedRun({ v: 1, workspaceId, subscriptionId: "whs_1" }))).toEqual([]);
  await expect(signalsOf(runs.deliveryRun({ v: 1, workspaceId, deliveryId }, "SENT"))).rejects.toThrow();
  expect(await signalsOf(runs.replyRun({ v: 1, workspaceId, sendId }, sendId, { mailboxId }))).toEqual([]);
  const timer = { v: 1, workspaceId, scheduledId, sendAt: reply.sendAt.getTime() } as const;
  expect(await signalsOf(runs.scheduledReplyRun(timer, { mailboxId }))).toEqual(["cancel"]);
});

test("outbox rows with kinds of a later version stay undone and block no other row, even 500 of them", async () => {
  const { mailboxId, campaignId } = ids();
  const later = [await stored("MAILBOX", { mailboxId, signal: "warm" })];
  for (let row = 0; row < 501; row++) later.push(await stored("AUDIT", { auditId: `aud_${row}` }));
  await dispatched("CAMPAIGN", { campaignId });
  expect(new Set(await Promise.all(later.map(isDone)))).toEqual(new Set([false]));
});

test("the row of one workspace does not wait behind 700 older ones of another", async () => {
  await dispatcher.stop();
  const ofOther = (await world.workspace()).workspaceId;
  const many: string[] = [];
  for (let row = 0; row < 700; row++) many.push(await stored("CAMPAIGN", { campaignId: `cmp_${row}` }));
  const single = await stored("CAMPAIGN", { campaignId: newId("cmp") }, ofOther);
  dispatcher = startDispatcher(() => world.temporal?.client ?? null, createLog("silent"), wholeShare(OUTBOX_PARTS));
  const last = many.at(-1) ?? "";
  await until(() => isDone(last), { deadlineMs: 60_000, what: "the rows of the first workspace" });
  const doneAt = async (_id: string) => (await rows().findOne({ _id }))?.doneAt?.getTime() ?? Number.NaN;
  expect(await doneAt(single)).toBeLessThan(await doneAt(last));
}, 120_000);
