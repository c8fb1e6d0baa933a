import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { coolDown, wakeMailboxes } from "../../store/mailboxes/faults.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { countOverdue, findForgottenMailboxes, findOverdue } from "../../store/recipients/overdue.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { park } from "../../store/recipients/waits.ts";
import { type Wake, wakeHeld, wakeParked } from "../../store/recipients/waking.ts";
import { releaseBookingsOf } from "../../store/sending/release.ts";
import { startWorld, type World } from "../support/world.ts";
import { activeCampaign, somebodyDue } from "./waiting-parts.ts";

let world: World;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
// The counts run over all workspaces
beforeEach(async () => {
  await mongoose.connection.collection("recipients").deleteMany({});
});
afterAll(() => world.close());

/** An active campaign in a new workspace, with a recipient whose follow-up was due a minute ago. */
async function waiting(fields: Partial<Recipient> = {}, mailboxes: Partial<Mailbox>[] = [{}]) {
  ({ workspaceId } = await world.workspace());
  const db = scoped(workspaceId);
  const active = await activeCampaign(workspaceId, mailboxes);
  const { campaignId, mailbox, stepId } = active;
  const ids = await somebodyDue(active, fields);
  const { recipientId } = ids;
  return {
    db,
    active,
    campaignId,
    mailbox,
    stepId,
    ids,
    recipientId,
    recipient: async () => (await db.Recipient.get(recipientId)) ?? never(),
    send: async () => (await db.Send.findOne({ recipientId })) ?? never(),
    campaign: async (): Promise<Campaign> => (await db.Campaign.get(campaignId)) ?? never(),
    move: (to: "ACTIVE" | "PAUSED") =>
      inTransaction(() => moveCampaign(workspaceId, campaignId, { from: ["ACTIVE", "PAUSED"], to, actor: null })),
    async look() {
      return checkDue((await loadSituation(ids)) ?? never());
    },
  };
}

/** Changes a document in an open transaction, so that other writers of it wait until that is committed. */
async function holdDocument(collection: string, _id: string, change: object) {
  const session = await mongoose.connection.startSession();
  session.startTransaction();
  await mongoose.connection.collection(collection).updateOne({ _id: _id as never }, change, { session });
  return async () => {
    await session.commitTransaction();
    await session.endSession();
  };
}

const told: string[] = [];
const wake: Wake = async ({ recipientId }, signal, epoch) =>
  void told.push(`${recipientId} ${signal} ${epoch ?? ""}`.trim());

test("a recipient that begins to wait for a paused campaign while the campaign is resumed notices the resume and continues", async () => {
  const { ids, recipientId, move, recipient } = await waiting();
  await move("PAUSED");
  const letGo = await holdDocument("recipients", recipientId, { $set: { outcomeNotes: "held" } });
  const parking = park(ids);
  await move("ACTIVE");
  expect(await wakeParked(workspaceId, ids.campaignId, wake)).toBe(0);
  await letGo();
  expect(await parking).toMatchObject({ kind: "replan" });
  expect((await recipient()).parkedEpoch).toBeNull();
});

test("a late wake-up of a campaign's waiting recipients does not clear a wait that began with a newer pause", async () => {
  const { ids, recipientId, move, recipient } = await waiting();
  await move("PAUSED");
  expect(await park(ids)).toEqual({ kind: "parked", epoch: 1 });
  await move("ACTIVE");
  const letGo = await holdDocument("recipients", recipientId, { $set: { parkedEpoch: 3 } });
  const passing = wakeParked(workspaceId, ids.campaignId, wake);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await move("PAUSED");
  await letGo();
  await passing;
  expect((await recipient()).parkedEpoch).toBe(3);
});

test("a resume books a new slot for each waiting recipient, and signals the campaign's current epoch", async () => {
  const { ids, recipientId, move, recipient, send } = await waiting();
  await move("PAUSED");
  await park(ids);
  for (const to of ["ACTIVE", "PAUSED", "ACTIVE"] as const) await move(to);
  told.length = 0;
  expect(await wakeParked(workspaceId, ids.campaignId, wake)).toBe(1);
  expect(told).toEqual([`${recipientId} resume 4`]);
  expect(await recipient()).toMatchObject({ parkedEpoch: null, nextSendAt: (await send()).slotAt });
  expect((await send()).slotAt?.getTime()).toBeGreaterThan(Date.now() - 5_000);
});

test.each(["PAUSED", "ARCHIVED"] as const)(
  "a recipient whose campaign is %s releases the slot when due, and other campaigns can use the slot",
  async (to) => {
    const { db, campaignId, mailbox, look, send, recipient } = await waiting();
    expect(await look()).toMatchObject({ kind: "due" });
    const taken = async () => (await db.MailboxDay.find({ mailboxId: mailbox._id })).flatMap(({ taken }) => taken);
    expect(await taken()).toHaveLength(1);
    await inTransaction(() => moveCampaign(workspaceId, campaignId, { from: ["ACTIVE"], to, actor: null }));
    expect(await look()).toEqual({ kind: "parked", epoch: 1 });
    expect(await send()).toMatchObject({ state: "RELEASED", slotAt: null, day: null });
    expect(await taken()).toEqual([]);
    expect(await recipient()).toMatchObject({ status: "IN_PROGRESS", parkedEpoch: 1 });
  },
);

test("a recipient whose mailbox is disconnected is paused without a slot, and gets a new slot after a resume", async () => {
  const { db, ids, mailbox, look, send, recipient, recipientId } = await waiting();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "DISCONNECTED" } });
  expect(await look()).toEqual({ kind: "stop", reason: "MAILBOX_DISCONNECTED" });
  expect(await recipient()).toMatchObject({ status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED" });
  expect(await send()).toMatchObject({ state: "RELEASED", slotAt: null, day: null });
  expect((await db.MailboxDay.find({ mailboxId: mailbox._id })).flatMap(({ taken }) => taken)).toEqual([]);
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  const resumed = { status: "IN_PROGRESS", pauseReason: null, admittedAt: new Date() } as const;
  await db.Recipient.updateOne({ _id: recipientId }, { $set: resumed });
  expect(await checkDue((await loadSituation(ids)) ?? never())).toMatchObject({ kind: "replan" });
  expect(await send()).toMatchObject({ state: "RESERVED", slotAt: expect.any(Date) });
});

test("an email that a slow database holds back is not booked earlier when its recipient is woken early", async () => {
  const { db, look, send, recipientId } = await waiting();
  const until = new Date(Date.now() + 4 * MINUTE_MS);
  const heldBack = { times: 5, at: new Date(), until };
  await inTransaction(() => releaseBookingsOf(workspaceId, recipientId));
  await db.Send.updateOne({ recipientId }, { $set: { heldBack } });
  expect(await look()).toMatchObject({ kind: "replan" });
  expect((await send()).slotAt?.getTime()).toBeGreaterThanOrEqual(until.getTime());
});

test("a recipient that waits for a mailbox releases the slot and is never overdue; the longest-waiting recipient is woken first", async () => {
  const { active, db, ids, mailbox, look, recipient, send } = await waiting();
  const later = await somebodyDue(active, { lastSentAt: new Date() });
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "PAUSED" } });
  expect(await look()).toEqual({ kind: "held", why: "the mailbox, PAUSED" });
  expect(await checkDue((await loadSituation(later)) ?? never())).toMatchObject({ kind: "held" });
  expect(await recipient()).toMatchObject({ awaitedMailboxId: mailbox._id, nextSendAt: null, status: "IN_PROGRESS" });
  expect(await send()).toMatchObject({ state: "RELEASED", slotAt: null, day: null });
  expect((await db.MailboxDay.find({ mailboxId: mailbox._id })).flatMap(({ taken }) => taken)).toEqual([]);
  expect(await countOverdue(Date.now() + 60 * MINUTE_MS)).toBe(0);

  told.length = 0;
  expect(await wakeHeld(workspaceId, mailbox._id, wake)).toBe(0);
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  expect(await wakeHeld(workspaceId, mailbox._id, wake)).toBe(2);
  expect(told).toEqual([`${ids.recipientId} replan`, `${later.recipientId} replan`]);
  expect(await recipient()).toMatchObject({ awaitedMailboxId: null, nextSendAt: (await send()).slotAt });
  expect(await send()).toMatchObject({ state: "RESERVED" });
});

test("a recipient that waits for a mailbox stops waiting when a check finds the mailbox connected again", async () => {
  const { db, mailbox, look, recipient } = await waiting();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "PAUSED" } });
  await look();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  expect(await look()).toMatchObject({ kind: "replan" });
  expect((await recipient()).awaitedMailboxId).toBeNull();
});

test("a recipient that begins to wait for a mailbox while the mailbox is reconnected notices that and continues", async () => {
  const { db, ids, mailbox, recipient } = await waiting();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "PAUSED" } });
  const before = (await loadSituation(ids)) ?? never();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  expect(await checkDue(before)).toMatchObject({ kind: "replan" });
  expect((await recipient()).awaitedMailboxId).toBeNull();
});

test("a recipient that waits for a mailbox to cool down is woken when the cool-down ends", async () => {
  const { db, mailbox, look, recipient } = await waiting();
  const rests = await coolDown(workspaceId, mailbox._id, "550");
  expect(await look()).toMatchObject({ kind: "held" });
  expect((await recipient()).nextSendAt).toEqual(rests?.retryAt);
  await db.OutboxRow.deleteMany({});
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { retryAt: new Date() } });
  expect(await wakeMailboxes()).toBe(1);
  expect(await db.OutboxRow.find({ kind: "MAILBOX" })).toMatchObject([
    { payload: { mailboxId: mailbox._id, signal: "freed" } },
  ]);
});

test("when a mailbox cools down, a recipient that was never contacted returns to admission, or waits if the email is approved", async () => {
  const fresh = { status: "PENDING" as const, sentCount: 0, lastSentAt: null };
  const { db, mailbox, look, recipient, send, campaignId, stepId } = await waiting(fresh);
  await db.Mailbox.updateOne(
    { _id: mailbox._id },
    { $set: { status: "COOLING_DOWN", retryAt: new Date(Date.now() + 60 * MINUTE_MS) } },
  );
  expect(await look()).toMatchObject({ kind: "replan" });
  const { admittedAt, due } = await recipient();
  expect(await recipient()).toMatchObject({
    status: "PENDING",
    admittedAt: null,
    mailboxId: null,
    nextSendAt: null,
    awaitedMailboxId: null,
  });
  expect(due).toMatchObject({ stepId });
  expect(admittedAt).toBeNull();
  expect(await send()).toMatchObject({ state: "RELEASED", day: null });
  expect(await db.OutboxRow.count({ kind: "CAMPAIGN", "payload.campaignId": campaignId })).toBeGreaterThan(0);

  const approved = await waiting(fresh);
  const approvalId = newId("apr");
  await approved.db.Approval.insert({
    _id: approvalId,
    kind: "CAMPAIGN_SEND",
    status: "APPROVED",
    expiresAt: new Date(),
  });
  await approved.db.Send.updateOne({ recipientId: approved.recipientId }, { $set: { approvalId } });
  await approved.db.Mailbox.updateOne({ _id: approved.mailbox._id }, { $set: { status: "PAUSED" } });
  expect(await approved.look()).toMatchObject({ kind: "held" });
});

test("a mailbox pause of some minutes is waited out by a timer; a recipient that was never contacted goes to another mailbox instead", async () => {
  const breaker = { retryAt: new Date(Date.now() + 5 * MINUTE_MS) };
  const follow = await waiting({}, [breaker, {}]);
  expect(await follow.look()).toMatchObject({ kind: "replan", at: breaker.retryAt.getTime() });
  expect((await follow.recipient()).nextSendAt).toEqual(breaker.retryAt);
  const fresh = await waiting({ status: "PENDING", sentCount: 0, lastSentAt: null }, [breaker, {}]);
  await fresh.look();
  expect(await fresh.recipient()).toMatchObject({ admittedAt: null, mailboxId: null });
  const alone = await waiting({ status: "PENDING", sentCount: 0, lastSentAt: null }, [breaker]);
  expect(await alone.look()).toMatchObject({ kind: "replan", at: breaker.retryAt.getTime() });
});

test("a recipient that is being paused for a lost mailbox is woken if the mailbox is reconnected meanwhile", async () => {
  const { db, ids, mailbox } = await waiting();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "RECONNECT_REQUIRED" } });
  const before = (await loadSituation(ids)) ?? never();
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  expect(await checkDue(before)).toEqual({ kind: "stop", reason: "MAILBOX_DISCONNECTED" });
  expect(await db.OutboxRow.count({ kind: "MAILBOX", "payload.signal": "freed" })).toBe(1);
});

test("an overdue recipient is reported after 1, 2, 4 minutes and so on, and counted after 5, also while the recipient waits for a campaign", async () => {
  const { db, ids, recipientId, campaign, mailbox } = await waiting();
  const at = (minutes: number) =>
    db.Recipient.updateOne({ _id: recipientId }, { $set: { nextSendAt: new Date(Date.now() - minutes * MINUTE_MS) } });
  const found = async () => (await findOverdue(await campaign(), Date.now())).length;
  const counts: Record<number, number[]> = {};
  for (const minutes of [0.5, 1.2, 3.7, 4.4, 6.2, 8.1, 100, 128.5]) {
    await at(minutes);
    counts[minutes] = [await found(), await countOverdue(Date.now())];
  }
  expect(counts).toEqual({
    0.5: [0, 0],
    1.2: [1, 0],
    3.7: [0, 0],
    4.4: [1, 0],
    6.2: [0, 1],
    8.1: [1, 1],
    100: [0, 1],
    128.5: [1, 1],
  });
  await db.Recipient.updateOne({ _id: recipientId }, { $set: { parkedEpoch: 0 } });
  expect([await found(), await countOverdue(Date.now())]).toEqual([1, 1]);

  // A campaign that rests has no overdue recipients, and one that waits for a mailbox is overdue only once that can
  // send
  await db.Recipient.updateOne(
    { _id: recipientId },
    { $set: { parkedEpoch: null, nextSendAt: null, awaitedMailboxId: mailbox._id } },
  );
  expect(await findForgottenMailboxes(Date.now())).toEqual([{ workspaceId, mailboxId: mailbox._id }]);
  expect(await countOverdue(Date.now() + 6 * MINUTE_MS)).toBe(1);
  await db.Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "PAUSED" } });
  expect(await findForgottenMailboxes(Date.now())).toEqual([]);
  expect(await countOverdue(Date.now() + 6 * MINUTE_MS)).toBe(0);
  await db.Mailbox.deleteOne({ _id: mailbox._id });
  expect(await findForgottenMailboxes(Date.now())).toEqual([{ workspaceId, mailboxId: mailbox._id }]);
  await at(30);
  await db.Campaign.updateOne({ _id: ids.campaignId }, { $set: { status: "PAUSED" } });
  expect(await countOverdue(Date.now())).toBe(0);
});

function never(): never {
  throw new Error("It is not there");
}
