import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { Recipient as RecipientModel } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction, withRider } from "../../mongo/transaction.ts";
import { compareCounter, compareCounters } from "../../store/campaign-counters.ts";
import { commandsOf } from "../support/profiled.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";
import { expectCounted, personOf, sendTo, threadOf } from "./counter-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const AT = new Date("2026-03-01T10:00:00Z");
const HARD = { type: "HARD" as const, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null };

async function newCampaign() {
  const { rest, workspaceId } = await world.workspace();
  const { campaignId, path } = await readyCampaign(rest, workspaceId, []);
  const listed = async () => (await rest.get("/campaigns?include=metrics")).body.items[0];
  return { rest, workspaceId, campaignId, path, listed };
}

async function storedCampaign(campaignId: string, workspaceId: string): Promise<Campaign> {
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign === null) throw new Error("There is no such campaign");
  return campaign;
}

test("every fact of a campaign changes its counters in the transaction of the fact, and undoing the fact changes them back", async () => {
  const { workspaceId, campaignId, listed, rest, path } = await newCampaign();
  const { ActivityEvent, Message, Recipient, Send, Thread } = scoped(workspaceId);
  const [ann, bob] = [personOf(campaignId), personOf(campaignId)];
  await Recipient.bulk([ann, bob].map((insert) => ({ insert: insert as never })));
  const [first, second] = [sendTo(ann), sendTo(bob)];
  await Send.store({ ...first, tracking: { opens: true, clicks: false, links: [] } as never });
  await Send.store(second);
  await Send.changeOne({ _id: first._id, state: "RESERVED" }, { $set: { state: "SENT", sentAt: AT } });
  await Send.changeOne({ _id: second._id }, [{ $set: { state: "BOUNCED", sentAt: AT } }]);
  await Recipient.wrote({ _id: ann._id }, { $set: { lastSentAt: AT }, $inc: { sentCount: 1 } });
  await Recipient.wroteAll([
    { filter: { _id: ann._id }, change: { $set: { openedAt: AT, clickedAt: AT, proxyOpenedAt: AT } } },
    { filter: { _id: bob._id }, change: { $set: { bouncedAt: AT, bounce: HARD } } },
  ]);
  await Recipient.findOneAndUpdate({ _id: ann._id }, { $set: { repliedAt: AT, unsubscribedAt: AT } });
  await Recipient.findBeforeUpdate({ _id: ann._id }, { $set: { meetingBooked: true, autoRepliedAt: AT } });
  await Recipient.updateMany({ campaignId }, { $set: { revenueAmount: "10.25", revenueCurrency: "EUR" } });
  await Thread.insert({ ...threadOf(ann), sentiment: "POSITIVE" });
  await Thread.insert({ ...threadOf(ann), sentiment: "POSITIVE" });
  const message = { _id: newId("msg"), mailboxId: newId("mbx"), contentKey: newId("msg"), campaignId };
  await Message.insert({ ...message, kind: "COMPLAINT" });
  const event = { campaignId, recipientId: ann._id, leadId: ann.leadId, actor: null, data: {} };
  await ActivityEvent.bulk([{ insert: { _id: newId("evt"), type: "CONVERTED", at: AT, ...event } }]);
  expect((await listed()).metrics).toMatchObject({
    contacted: 2,
    sent: 2,
    delivered: 1,
    opened: 1,
    proxyOpened: 1,
    clicked: 1,
    replied: 1,
    autoReplied: 1,
    positiveReplies: 1,
    bounced: 1,
    unsubscribed: 1,
    complained: 1,
    meetings: 1,
    conversions: 1,
    revenue: [{ currency: "EUR", amount: "20.50" }],
    replyRate: 0.5,
    bounceRate: 0.5,
  });
  const { body } = await rest.get(`${path}/metrics`);
  expect((await listed()).metrics).toEqual(body.totals);
  await expectCounted(workspaceId, [campaignId]);

  await Recipient.updateMany({ campaignId }, { $set: { revenueAmount: null, repliedAt: null, openedAt: null } });
  await Recipient.updateOne({ _id: bob._id }, { $set: { bounce: { ...HARD, type: "SOFT" } } });
  await Thread.updateMany({ recipientId: ann._id }, { $set: { sentiment: "NEGATIVE" } });
  await Send.updateOne({ _id: first._id, state: "SENT" }, { $set: { state: "RELEASED", sentAt: null } });
  expect((await listed()).metrics).toMatchObject({
    contacted: 1,
    sent: 1,
    delivered: 0,
    opened: null,
    replied: 0,
    positiveReplies: 0,
    bounced: 0,
    revenue: [],
  });
  await expectCounted(workspaceId, [campaignId]);
});

test("a transaction that is undone changes no counter, and one that is repeated counts once", async () => {
  const { workspaceId, campaignId } = await newCampaign();
  const { Recipient } = scoped(workspaceId);
  const person = personOf(campaignId);
  await Recipient.insert(person);
  const undone = inTransaction(async () => {
    await Recipient.updateOne({ _id: person._id }, { $set: { repliedAt: AT } });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect(await expectCounted(workspaceId, [campaignId])).toEqual([{ counts: {}, revenue: {} }]);
  let attempts = 0;
  await inTransaction(async () => {
    await Recipient.updateOne({ _id: person._id }, { $set: { repliedAt: AT } });
    if (++attempts === 1) throw transientError();
  });
  expect(attempts).toBe(2);
  expect(await expectCounted(workspaceId, [campaignId])).toEqual([{ counts: { replied: 1 }, revenue: {} }]);
});

test("a fact that is written outside of a transaction does not take the place of the work's own transaction", async () => {
  const { workspaceId, campaignId } = await newCampaign();
  const { Recipient } = scoped(workspaceId);
  const person = personOf(campaignId);
  await Recipient.insert(person);
  const boarded: unknown[] = [];
  await withRider(
    async (done) => {
      boarded.push(done);
    },
    async () => {
      await Recipient.updateOne({ _id: person._id }, { $set: { openedAt: AT } });
      await inTransaction(async () => "the work");
    },
  );
  expect(boarded).toEqual(["the work"]);
  await expectCounted(workspaceId, [campaignId]);
});

test("two threads of a recipient that become positive at the same time count once", async () => {
  const { workspaceId, campaignId } = await newCampaign();
  const { Recipient, Thread } = scoped(workspaceId);
  const people = Array.from({ length: 10 }, () => personOf(campaignId));
  await Recipient.insertMany(people);
  const threads = people.flatMap((person) => [threadOf(person), threadOf(person)]);
  await Thread.bulk(threads.map((insert) => ({ insert: insert as never })));
  const become = (sentiment: string) =>
    Promise.all(threads.map(({ _id }) => Thread.updateOne({ _id }, { $set: { sentiment } })));
  await become("POSITIVE");
  expect(await expectCounted(workspaceId, [campaignId])).toEqual([{ counts: { positive: 10 }, revenue: {} }]);
  await become("NEUTRAL");
  expect(await expectCounted(workspaceId, [campaignId])).toEqual([{ counts: {}, revenue: {} }]);
});

test("a comparison corrects what an earlier release wrote without counting it, while new facts stay counted", async () => {
  const { workspaceId, campaignId, listed } = await newCampaign();
  const { Recipient } = scoped(workspaceId);
  const people = Array.from({ length: 30 }, () => personOf(campaignId));
  await Recipient.insertMany(people);
  const old = people.slice(0, 10).map(({ _id }) => _id);
  await RecipientModel.collection.updateMany(
    { _id: { $in: old as never[] } },
    { $set: { openedAt: AT, lastSentAt: AT } },
  );
  expect((await listed()).metrics).toMatchObject({ contacted: 0 });
  const campaign = await storedCampaign(campaignId, workspaceId);
  await Promise.all([
    compareCounter(campaign),
    compareCounter(campaign),
    ...people.slice(10).map(({ _id }) => Recipient.updateOne({ _id }, { $set: { lastSentAt: AT } })),
    compareCounter(campaign),
  ]);
  const [sum] = await expectCounted(workspaceId, [campaignId]);
  expect(sum?.counts).toEqual({ mailed: 30, opened: 10 });
  expect(await compareCounter(campaign)).toEqual({ counts: {}, revenue: {} });
});

test("a campaign from before the counters is counted from its records until a round of comparisons gives it a counter", async () => {
  const { workspaceId, campaignId, listed, rest } = await newCampaign();
  const { CampaignCounter, Recipient } = scoped(workspaceId);
  const person = personOf(campaignId);
  await Recipient.insert({ ...person, lastSentAt: AT, revenueAmount: "3", revenueCurrency: "USD" });
  await CampaignCounter.deleteMany({ campaignId });
  // An event that comes before the counter is complete
  await Recipient.updateOne({ _id: person._id }, { $set: { repliedAt: AT } });
  const expected = { contacted: 1, replied: 1, revenue: [{ currency: "USD", amount: "3" }] };
  expect((await listed()).metrics).toMatchObject(expected);
  let after = "";
  do after = (await compareCounters(MINUTE_MS, after)).after;
  while (after !== "");
  expect(await CampaignCounter.count({ _id: `${campaignId}:compared` })).toBe(1);
  expect((await listed()).metrics).toMatchObject(expected);
  await expectCounted(workspaceId, [campaignId]);
  const ran = await commandsOf(rest, "/campaigns?include=metrics", "recipients");
  expect(ran).toEqual([]);
});

test("a round compares the campaigns that are due and reports those it corrected, and a running one is due again in ten minutes", async () => {
  const { workspaceId, campaignId, path, rest } = await newCampaign();
  const { Campaign, CampaignCounter, Recipient } = scoped(workspaceId);
  const person = personOf(campaignId);
  await Recipient.insert(person);
  await RecipientModel.collection.updateOne({ _id: person._id as never }, { $set: { clickedAt: AT } });
  const counter = { _id: `${campaignId}:compared` };
  const dueIn = async () => ((await CampaignCounter.findOne(counter))?.compareAt?.getTime() ?? 0) - Date.now();
  expect((await compareCounters(MINUTE_MS)).corrected).not.toContain(campaignId);
  const makeDue = () => CampaignCounter.updateOne(counter, { $set: { compareAt: AT } });
  await makeDue();
  expect((await compareCounters(MINUTE_MS)).corrected).toEqual([campaignId]);
  expect(await dueIn()).toBeGreaterThan(HOUR_MS);
  expect((await rest.get(path)).body.metrics.clicked).toBe(1);
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
  await makeDue();
  expect((await compareCounters(MINUTE_MS)).corrected).toEqual([]);
  expect(await dueIn()).toBeLessThanOrEqual(10 * MINUTE_MS);
});

/** An error after which the driver repeats a transaction. */
function transientError(): Error {
  const error = new mongoose.mongo.MongoServerError({ message: "again", code: 112 });
  error.addErrorLabel("TransientTransactionError");
  return error;
}
