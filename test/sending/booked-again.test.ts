import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { billingActivities } from "../../activities/billing.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { findNextSend } from "../../store/campaigns/next-send.ts";
import { whileKnowing } from "../../store/lead-search/known.ts";
import { bookStep } from "../../store/sending/book.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { ALWAYS, readyCampaign } from "../campaigns/campaign-parts.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

// Steps that find that another run has done their work meanwhile, and do nothing twice

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
beforeEach(() => dayGoesOn(30_000));

/** A launched campaign without gaps, its only person, and a function that books their first step. */
async function booking() {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@x.test"]);
  await rest.patch(`${path}/settings`, { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0 });
  await rest.post(`${path}/control`, { action: "launch" });
  const { Campaign, CampaignDay, MailboxDay, Recipient, Send, Sequence } = scoped(workspaceId);
  const [campaign, sequence, recipient] = await Promise.all([
    Campaign.get(campaignId),
    Sequence.findOne({ campaignId }),
    Recipient.findOne({ campaignId }),
  ]);
  const stepId = sequence?.steps[0]?.stepId;
  if (campaign === null || sequence === null || recipient === null || stepId === undefined)
    throw new Error("It is gone");
  const settings = settingsOf(campaign.settings);
  const book = async () => {
    const now = Date.now();
    const calendar = await calendarOf(settings, mailbox, null, null, now);
    const request = {
      campaign,
      settings,
      recipient,
      mailbox,
      calendar,
      stepId,
      isNewLead: true,
      earliest: now,
      latest: now + 3 * DAY_MS,
    };
    return inTransaction(() => bookStep(request));
  };
  const becomes = (fields: Partial<Send>) => Send.updateOne({ recipientId: recipient._id }, { $set: fields });
  const taken = async () => (await MailboxDay.find({})).reduce((sum, { taken }) => sum + taken.length, 0);
  const next = () => findNextSend({ campaign, settings, sequence, mailboxes: [mailbox] }, Date.now());
  const due = (fields: object) =>
    Recipient.updateOne(
      { _id: recipient._id },
      { $set: { mailboxId: mailbox._id, nextStepId: stepId, admittedAt: new Date(), ...fields } },
    );
  return { book, becomes, taken, next, due, Send, CampaignDay, recipient };
}

test("booking a booked step again keeps its slot and takes no second place in the day", async () => {
  const { book, taken, Send } = await booking();
  const first = await book();
  const places = await taken();
  const second = await book();
  expect(second).toEqual({ send: expect.objectContaining({ _id: first?.send._id }), slotAt: first?.slotAt });
  expect([places, await taken(), await Send.count()]).toEqual([1, 1, 1]);
});

test.each<Send["state"]>(["SENDING", "SENT", "FAILED", "UNKNOWN"])(
  "a step whose email is %s is never booked again",
  async (state) => {
    const { book, becomes, Send } = await booking();
    await book();
    await becomes({ state });
    expect(await book()).toBeNull();
    expect((await Send.find({})).map((send) => send.state)).toEqual([state]);
  },
);

test("booking a step that a stop released reuses the stored send and takes one place in the day", async () => {
  const { book, becomes, taken, Send } = await booking();
  const first = await book();
  await becomes({ state: "RELEASED" });
  const again = await book();
  expect(again?.send).toMatchObject({ _id: first?.send._id, state: "RESERVED" });
  expect([await taken(), await Send.count()]).toEqual([1, 1]);
});

test.each<Send["state"]>(["SENDING", "SENT", "UNKNOWN"])(
  "an email that is %s is not forecast as the next email",
  async (state) => {
    const { book, becomes, next, due } = await booking();
    const booked = await book();
    await due({ nextSendAt: booked?.slotAt, status: "IN_PROGRESS" });
    expect(await next()).toEqual(expect.any(Number));
    await becomes({ state });
    expect(await next()).toBeNull();
  },
);

test("an operation that fails with a duplicate key is retried outside a transaction; any other error is thrown immediately", async () => {
  const twice = Object.assign(new Error("twice"), { name: "MongoServerError", code: 11_000 });
  let tries = 0;
  const works = async () => {
    tries += 1;
    if (tries < 3) throw twice;
    return tries;
  };
  expect(await whileKnowing(works)).toBe(3);
  tries = 0;
  const breaks = async () => {
    tries += 1;
    throw new Error("broken");
  };
  await expect(whileKnowing(breaks)).rejects.toThrow("broken");
  expect(tries).toBe(1);
  tries = 0;
  const always = async () => {
    tries += 1;
    throw twice;
  };
  await expect(whileKnowing(always)).rejects.toThrow("twice");
  expect(tries).toBeGreaterThan(1);
  tries = 0;
  // A transaction around it is undone as a whole, so the code that opened it begins again
  await expect(inTransaction(() => whileKnowing(always))).rejects.toThrow("twice");
  expect(tries).toBe(1);
});

test("opening a Stripe page for a billing order that does not exist is refused, with and without Stripe access", async () => {
  const { workspaceId } = await world.workspace();
  const deps = {
    keyRing: world.services.keyRing,
    plans: { plans: [], free: { limits: {} }, credits: null },
    creditsPerMonth: 0,
    log: { warn: () => {} },
  };
  const egress = { request: () => Promise.reject(new Error("nobody may be asked")) };
  const access = { url: "http://stripe.test", secretKey: "sk_test" };
  for (const stripe of [null, access])
    expect(
      await billingActivities({ ...deps, egress, stripe }).openStripePage({ v: 1, workspaceId, orderId: newId("ord") }),
    ).toEqual({
      kind: "refused",
      code: "AWAY",
    });
});
