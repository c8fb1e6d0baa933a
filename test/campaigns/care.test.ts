import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { tripComplaintGuard } from "../../store/campaigns/auto-pause.ts";
import { chooseWinners, looksAgainAt, runMaintenance } from "../../store/campaigns/maintenance.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign, storedMailbox } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function active(settings: object = {}, emails?: string[]) {
  const { rest, workspaceId } = await world.workspace();
  const parts = await readyCampaign(rest, workspaceId, emails);
  const { path, campaignId } = parts;
  await rest.patch(`${path}/settings`, settings);
  await rest.post(`${path}/control`, { action: "launch" });
  const documents = scoped(workspaceId);
  const care = async () => {
    const campaign = await documents.Campaign.get(campaignId);
    if (campaign !== null) await runMaintenance(campaign);
    return (await rest.get(path)).body;
  };
  /** Stores emails that went out, each to a different recipient. */
  const sent = async (
    count: number,
    { stepId = "stp_1", variantId = "var_1", hoursAgo = 1, replied = 0, shares = null as Shares } = {},
  ) => {
    const at = new Date(Date.now() - hoursAgo * HOUR_MS);
    const rows = Array.from({ length: count }, () => ({
      _id: newId("snd"),
      recipientId: newId("rcp"),
      to: "a@b.test",
    }));
    const fields = {
      campaignId,
      stepId,
      variantId,
      variantShares: shares,
      state: "SENT" as const,
      claimedAt: at,
      sentAt: at,
    };
    await documents.Send.insertMany(rows.map((row) => ({ ...row, ...fields })));
    const people = rows.map(({ recipientId }) => recipientId);
    for (const { recipientId } of rows.slice(0, replied)) {
      const event = { type: "REPLIED", at: new Date(), campaignId, recipientId, data: { stepId } };
      await documents.ActivityEvent.insert({ _id: newId("evt"), ...event });
    }
    return people;
  };
  return { rest, workspaceId, ...parts, ...documents, care, sent };
}

type Shares = Record<string, number> | null;

async function contested(winner: object) {
  const parts = await active();
  const variants = [
    { subject: "A", bodyText: "a" },
    { subject: "B", bodyText: "b" },
  ];
  const steps = [{ variants, winner: { mode: "AUTO", maturityHours: 48, ...winner } }];
  const { body } = await parts.rest.put(`${parts.path}/sequence`, { action: "replaceSteps", steps });
  const [{ stepId, variants: stored }] = body.steps;
  const [a, b] = stored.map(({ variantId }: { variantId: string }) => variantId);
  const winnerNow = async () => (await parts.care()).sequence.steps[0].winner.winnerVariantId;
  const shares = { [a]: 0.5, [b]: 0.5 };
  const sent = (count: number, options: object) => parts.sent(count, { stepId, shares, ...options });
  return { ...parts, sent, stepId, a, b, winnerNow };
}

test("a variant wins once each variant has enough emails, the emails are old enough, and the difference is significant", async () => {
  const { sent, stepId, a, b, winnerNow, rest, path } = await contested({});
  await sent(60, { stepId, variantId: a, hoursAgo: 50, replied: 3 });
  await sent(40, { stepId, variantId: b, hoursAgo: 50, replied: 20 });
  expect(await winnerNow()).toBeNull();
  // There are enough emails, but these are too young to be judged
  await sent(20, { stepId, variantId: b, hoursAgo: 1, replied: 10 });
  expect(await winnerNow()).toBeNull();
  await sent(20, { stepId, variantId: b, hoursAgo: 50, replied: 5 });
  const { version } = (await rest.get(path)).body;
  expect(await winnerNow()).toBe(b);
  const after = (await rest.get(path)).body;
  expect([after.version, after.sequence.version]).toEqual([version + 1, version + 1]);
  expect(await winnerNow()).toBe(b);
  expect((await rest.get(path)).body.version).toBe(version + 1);
});

test("by revenue the variant with the higher revenue wins, in the currency of most purchases", async () => {
  const { sent, stepId, a, b, winnerNow, campaignId, ActivityEvent } = await contested({
    maturityHours: 0,
    minSends: 50,
    metric: "REVENUE",
  });
  const bought = async (people: string[], value: string, currency: string) => {
    const data = { stepId, type: "PURCHASE", value, currency };
    for (const recipientId of people) {
      await ActivityEvent.insert({
        _id: newId("evt"),
        type: "CONVERTED",
        at: new Date(),
        campaignId,
        recipientId,
        data,
      });
    }
  };
  const [ofA, ofB] = [await sent(100, { variantId: a }), await sent(100, { variantId: b })];
  // Much, but in a currency that fewer paid in
  await bought(ofA.slice(0, 8), "100000", "JPY");
  await bought(ofA.slice(0, 6), "10.00", "EUR");
  await bought(ofB.slice(0, 6), "10.00", "EUR");
  expect(await winnerNow()).toBeNull();
  await bought(ofB.slice(6, 50), "49.90", "EUR");
  expect(await winnerNow()).toBe(b);
});

test("with the metric of positive replies a reply counts only if a user has marked it as positive", async () => {
  const { sent, stepId, a, b, winnerNow, campaignId, ActivityEvent, Thread } = await contested({
    maturityHours: 0,
    minSends: 20,
    metric: "POSITIVE_REPLY_RATE",
  });
  await sent(30, { stepId, variantId: a, replied: 25 });
  await sent(30, { stepId, variantId: b, replied: 20 });
  expect(await winnerNow()).toBeNull();
  const answers = await ActivityEvent.find({ campaignId, type: "REPLIED" }, { sort: { _id: 1 } });
  const now = new Date();
  const threads = answers.slice(25).map(({ recipientId }) => ({
    _id: newId("thr"),
    mailboxId: "mbx_x",
    campaignId,
    recipientId,
    lastMessageAt: now,
    category: "INTERESTED",
    sentiment: "POSITIVE" as const,
  }));
  await Thread.insertMany(threads);
  expect(await winnerNow()).toBe(b);
});

test("replacing the sequence removes a winner, and a step with the winner mode OFF gets none", async () => {
  const { sent, stepId, a, b, winnerNow, rest, path } = await contested({ maturityHours: 0, minSends: 20 });
  await sent(30, { stepId, variantId: a, replied: 15 });
  await sent(30, { stepId, variantId: b, replied: 0 });
  expect(await winnerNow()).toBe(a);
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const back = [{ ...steps[0], winner: { mode: "OFF", winnerVariantId: null } }];
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: back })).toMatchObject({ status: 200 });
  expect(await winnerNow()).toBeNull();
});

test("if a step is edited while its winner is being chosen, the edit is kept and no winner is stored", async () => {
  const { sent, stepId, a, b, rest, path, campaignId, workspaceId, Sequence } = await contested({
    maturityHours: 0,
    minSends: 20,
  });
  await sent(30, { stepId, variantId: a, replied: 15 });
  await sent(30, { stepId, variantId: b, replied: 0 });
  const counted = (await Sequence.findOne({ campaignId }))?.steps ?? [];
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const edited = [{ ...steps[0], winner: { mode: "OFF", winnerVariantId: null } }];
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: edited })).toMatchObject({ status: 200 });
  expect(await chooseWinners(workspaceId, campaignId, counted)).toBe(0);
  expect((await Sequence.findOne({ campaignId }))?.steps[0]?.winner).toMatchObject({
    mode: "OFF",
    winnerVariantId: null,
  });
});

test("a campaign with too few replies is paused, but not before 200 people are contacted nor within a day of a resume", async () => {
  const { Recipient, campaignId, care, rest, path } = await active({ replyRateFloor: 0.05 }, []);
  const people = Array.from({ length: 200 }, (_, index) => ({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email: `${index}@b.test`,
    cid: newId("rcp"),
    shard: 0,
    status: "IN_PROGRESS" as const,
    lastSentAt: index === 0 ? null : new Date(),
    repliedAt: index < 10 && index > 0 ? new Date() : null,
  }));
  await Recipient.insertMany(people);
  await scopedActive(campaignId, Recipient.workspaceId);
  expect((await care()).status).toBe("ACTIVE");
  await Recipient.updateOne({ _id: people[0]?._id }, { $set: { lastSentAt: new Date() } });
  expect(await care()).toMatchObject({
    status: "PAUSED",
    pauseReason: "REPLY_RATE_FLOOR",
    sendingStatus: { code: "GUARD_TRIPPED" },
    metrics: { contacted: 200, replied: 9, replyRate: 0.045 },
  });
  expect((await rest.post(`${path}/control`, { action: "resume" })).body.status).toBe("ACTIVE");
  expect((await care()).status).toBe("ACTIVE");
});

/** Stores the status alone: without recipients the campaign could not be launched. */
async function scopedActive(campaignId: string, workspaceId: string): Promise<void> {
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
}

test("complaints pause a campaign only from 100 sent emails on, once the complaint rate reaches the limit, and the activity keeps the figures", async () => {
  const { workspaceId, campaignId, mailbox, Message, ActivityEvent, sent, rest, path } = await active();
  const complain = () =>
    Message.insert({
      _id: newId("msg"),
      mailboxId: mailbox._id,
      folder: "INBOX",
      uidValidity: "1",
      uid: 1 + count++,
      contentKey: newId("msg"),
      kind: "COMPLAINT",
      campaignId,
    });
  let count = 0;
  await sent(99);
  await complain();
  await complain();
  expect(await tripComplaintGuard(workspaceId, campaignId)).toBe(false);
  await sent(1);
  expect(await tripComplaintGuard(workspaceId, campaignId)).toBe(true);
  const { body } = await rest.get(path);
  expect(body).toMatchObject({ status: "PAUSED", pauseReason: "COMPLAINT_GUARD", metrics: { complained: 2 } });
  const [event] = await ActivityEvent.find({ campaignId, type: "STATUS_CHANGED" }, { sort: { _id: -1 }, limit: 1 });
  expect(event?.data).toMatchObject({ because: { complaints: 2, sent: 100, rate: 0.02, allowed: 0.001 } });
});

test("a campaign pauses after a day in which no mailbox could send, but not after an hour", async () => {
  const { Campaign, Mailbox, campaignId, mailbox, care } = await active();
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "COOLING_DOWN" } });
  expect((await care()).status).toBe("ACTIVE");
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "CONNECTED" } });
  await care();
  expect((await Campaign.get(campaignId))?.unsendableSince).toBeNull();
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "SENDING_ERROR" } });
  for (const [hoursAgo, status] of [
    [23, "ACTIVE"],
    [24, "PAUSED"],
  ] as const) {
    await Campaign.updateOne(
      { _id: campaignId },
      { $set: { unsendableSince: new Date(Date.now() - hoursAgo * HOUR_MS) } },
    );
    expect((await care()).status).toBe(status);
  }
  expect(await Campaign.get(campaignId)).toMatchObject({ pauseReason: "MAILBOXES_UNHEALTHY", unsendableSince: null });
});

test("a recipient whose mailbox is disconnected gets another mailbox after the configured hours, in a new thread", async () => {
  const { Recipient, Send, campaignId, workspaceId, mailbox, care, rest, path } = await active({
    mailboxFailover: "REASSIGN",
    mailboxFailoverAfterHours: 2,
  });
  const other = await storedMailbox(workspaceId);
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id, other._id] });
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [
      { subject: "One", body: "1" },
      { subject: "", body: "2" },
    ],
  });
  const [first, second] = (await rest.get(`${path}/sequence`)).body.steps;
  const lost = {
    status: "PAUSED" as const,
    pauseReason: "MAILBOX_DISCONNECTED" as const,
    mailboxId: mailbox._id,
    sentCount: 1,
  };
  const thread = { subject: "One", ids: ["<1@a.test>"] };
  await Recipient.updateOne(
    { campaignId },
    { $set: { ...lost, currentStepId: first.stepId, nextStepId: second.stepId, thread } },
  );
  const recipient = async () => (await Recipient.findOne({ campaignId })) ?? { _id: "", status: "gone" };
  const { _id: recipientId } = await recipient();
  const ids = { campaignId, recipientId, mailboxId: mailbox._id, to: "a@b.test", state: "RESERVED" as const };
  const sendId = newId("snd");
  await Send.insert({ _id: sendId, ...ids, stepId: second.stepId, slotAt: new Date() });
  await care();
  expect(await recipient()).toMatchObject({ status: "PAUSED" });
  // Three hours have passed
  await Recipient.changeOne({ _id: recipientId }, { $set: { updatedAt: new Date(Date.now() - 3 * HOUR_MS) } });
  // An email that may have gone out from the lost mailbox is settled first
  await Send.updateOne({ _id: sendId }, { $set: { state: "UNKNOWN" } });
  await care();
  expect(await recipient()).toMatchObject({ status: "PAUSED", mailboxId: mailbox._id });
  await Send.updateOne({ _id: sendId }, { $set: { state: "RESERVED" } });
  await care();
  expect(await recipient()).toMatchObject({
    status: "IN_PROGRESS",
    mailboxId: other._id,
    thread: { subject: "One", ids: [] },
  });
  expect(await Send.get(sendId)).toMatchObject({ state: "RELEASED", mailboxId: other._id, slotAt: null });
});

test("a campaign whose settings need no maintenance is never woken for maintenance, and a campaign with a reply rate floor is woken after an hour", () => {
  const now = Date.now();
  expect(looksAgainAt(settingsOf({}), [], now)).toBe(Number.POSITIVE_INFINITY);
  expect(looksAgainAt(settingsOf({ replyRateFloor: 0.01 }), [], now)).toBe(now + HOUR_MS);
});
