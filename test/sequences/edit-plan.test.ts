import { expect, test } from "@jest/globals";
import { isHeldOut } from "../../domain/campaigns/hold-out.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { bringForwardCampaign } from "../../store/recipients/bring-forward.ts";
import { loadEditGroups } from "../../store/sequences/edit-groups.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { runningCampaign } from "../recipients/finished-parts.ts";
import { mailsOf, type Running, reply, statusesOf, useSetup, world } from "../recipients/finished-setup.ts";

useSetup();

interface Step {
  stepId: string;
  delay: object;
}

const days = (value: number) => ({ value, unit: "DAYS" });
const PEOPLE = Array.from({ length: 7 }, (_, index) => `person${index}@example.test`);
const FOUR = [
  mail("one", "One"),
  ...["Two", "Three", "Four"].map((name) => mail(name.toLowerCase(), name, { delay: days(3) })),
];

/** Brings the booked emails of these people to now, and runs them. */
async function pass(running: Running, ids: string[]): Promise<void> {
  const { Send, Recipient } = scoped(running.workspaceId);
  await running.run(ids);
  await Send.updateMany({ recipientId: trusted({ $in: ids }), state: "RESERVED" }, { $set: { slotAt: new Date() } });
  await Recipient.updateMany({ _id: trusted({ $in: ids }) }, { $set: { nextSendAt: new Date() } });
  await running.run(ids);
}

/**
 * Seven people: one not mailed yet, two that wait for the second step, two for the third, one that replied, one that
 * has finished.
 */
async function progressed() {
  const running = await runningCampaign(world, PEOPLE, FOUR);
  const { ids, workspaceId } = running;
  const steps: Step[] = (await running.rest.get(`${running.path}/sequence`)).body.steps;
  const unadmitted = { admittedAt: null, nextStepId: null, nextSendAt: null, mailboxId: null };
  await scoped(workspaceId).Recipient.updateOne({ _id: ids[0] ?? "" }, { $set: unadmitted });
  await running.run(ids.slice(1));
  await pass(running, ids.slice(3, 7));
  for (let left = 0; left < 3; left++) await pass(running, ids.slice(6));
  await reply(running, ids[5] ?? "");
  return { ...running, steps, stepIds: steps.map(({ stepId }) => stepId) };
}

async function planOf({ rest, path }: Running, edit: object) {
  const answer = await rest.put(`${path}/sequence`, { ...edit, planOnly: true });
  expect(answer).toMatchObject({ status: 200, body: { planToken: expect.any(String) } });
  return { plan: answer.body.plan.effect.edit, planToken: answer.body.planToken as string };
}

const slotsOf = async ({ workspaceId }: Running, ids: string[]) =>
  (
    await scoped(workspaceId).Send.find(
      { recipientId: trusted({ $in: ids }), state: "RESERVED" },
      { sort: { recipientId: 1 } },
    )
  ).map(({ slotAt }) => slotAt?.getTime() ?? 0);

test("the groups of an edit plan do not depend on the size of the batches in which recipients are read", async () => {
  const { workspaceId, campaignId } = await progressed();
  const { settings } = (await scoped(workspaceId).Campaign.get(campaignId)) ?? {};
  const groupsBy = (atATime: number) =>
    loadEditGroups(workspaceId, campaignId, settingsOf(settings ?? {}), "DEFAULT", atATime);
  const sorted = async (atATime: number) => (await groupsBy(atATime)).map((group) => JSON.stringify(group)).sort();
  const whole = await sorted(100);
  expect((await groupsBy(100)).map(({ count }) => count)).toContain(2);
  for (const atATime of [1, 2, 3, 5]) expect(await sorted(atATime)).toEqual(whole);
});

test("the plan of a reorder shows which steps each group of recipients gets, changes nothing, and matches what they get after the commit", async () => {
  const running = await progressed();
  const { rest, path, ids, stepIds } = running;
  const [one = "", two = "", three = "", four = ""] = stepIds;
  const edit = { action: "reorder", orderedStepIds: [one, three, two, four] };
  const before = (await rest.get(`${path}/sequence`)).body;
  const { plan, planToken } = await planOf(running, edit);
  expect((await rest.get(`${path}/sequence`)).body).toEqual(before);
  expect(plan).toMatchObject({ people: 5, moved: 2, repeated: 0, completed: 0, reopenable: 0, otherPeople: 0 });
  expect(plan.steps).toEqual([
    expect.objectContaining({
      stepId: one,
      order: 1,
      orderBefore: 1,
      getBefore: 1,
      getAfter: 1,
      waitingBefore: 0,
      misses: 0,
    }),
    expect.objectContaining({
      stepId: three,
      order: 2,
      orderBefore: 3,
      getBefore: 5,
      getAfter: 5,
      waitingBefore: 2,
      waitingAfter: 4,
    }),
    expect.objectContaining({
      stepId: two,
      order: 3,
      orderBefore: 2,
      getBefore: 3,
      getAfter: 3,
      waitingBefore: 2,
      waitingAfter: 0,
    }),
    expect.objectContaining({ stepId: four, getBefore: 5, getAfter: 5, waitingBefore: 0, waitingAfter: 0 }),
  ]);
  expect(plan.changes).toEqual([
    { stepId: three, variantId: null, field: "order", before: 3, after: 2 },
    { stepId: two, variantId: null, field: "order", before: 2, after: 3 },
  ]);
  const groups: { had: string[]; after: { surely: string[] } }[] = plan.groups;
  const group = (had: string[]) => groups.find((known) => known.had.join() === had.join());
  expect(group([one])).toMatchObject({
    people: 2,
    waitsFor: two,
    waitsForAfter: three,
    before: { surely: [two, three, four] },
  });
  const had = await mailsOf(running);
  const statuses = await statusesOf(running);
  const stillGets = (steps: (string | null)[], at: number) =>
    statuses[at] === "IN_PROGRESS" ? (group(steps as string[])?.after.surely ?? []) : [];
  const foretold = had.map((steps, at) => [...steps, ...stillGets(steps, at)]);

  expect(await rest.put(`${path}/sequence`, { ...edit, planToken })).toMatchObject({ status: 200 });
  for (let left = 0; left < 5; left++) await pass(running, ids.slice(1));
  const happened = await mailsOf(running);
  expect(happened.slice(1)).toEqual(foretold.slice(1));
  expect(happened[1]).toEqual([one, three, two, four]);
  expect((await statusesOf(running)).slice(1)).toEqual([...Array(4).fill("COMPLETED"), "REPLIED", "COMPLETED"]);
});

test("an edit plan shows three sample recipients with timelines before and after, moved recipients first, and shows none without leads:read", async () => {
  const running = await progressed();
  const [one = "", two = "", three = "", four = ""] = running.stepIds;
  const edit = { action: "reorder", orderedStepIds: [one, three, two, four] };
  const { plan } = await planOf(running, edit);
  expect(plan.samples).toHaveLength(3);
  const [first] = plan.samples;
  const stepsIn = (timeline: { stepId: string }[]) => timeline.map(({ stepId }) => stepId);
  expect(["person1@example.test", "person2@example.test"]).toContain(first.email);
  expect([stepsIn(first.before), stepsIn(first.after)]).toEqual([
    [two, three, four],
    [three, two, four],
  ]);
  expect(Date.parse(first.after[1].at) - Date.parse(first.after[0].at)).toBeGreaterThanOrEqual(3 * DAY_MS - HOUR_MS);
  const unseen = await (await running.withScopes("campaigns:read", "campaigns:write")).put(`${running.path}/sequence`, {
    ...edit,
    planOnly: true,
  });
  expect(unseen.body.plan.effect.edit).toMatchObject({ moved: 2, samples: [] });
});

test("an edit plan counts recipients who miss a removed step, gain an added step or can be reopened; the commit keeps the planned step id", async () => {
  const running = await progressed();
  const { steps, stepIds } = running;
  const [one, two, , four] = steps;
  const { plan } = await planOf(running, { action: "replaceSteps", steps: [one, two, four, mail("five", "Five")] });
  expect(plan).toMatchObject({ people: 5, moved: 2, completed: 0, reopenable: 1, repeated: 0 });
  const [, , , added, removed] = plan.steps;
  expect(removed).toMatchObject({
    stepId: stepIds[2],
    order: null,
    orderBefore: 3,
    misses: 5,
    missesBecause: "STEP_REMOVED",
  });
  expect(added).toMatchObject({ order: 4, orderBefore: null, gains: 5, getAfter: 5, missesBecause: null });
  // A new step has the id that the commit then gives it
  const written = await running.rest.put(`${running.path}/sequence`, {
    action: "replaceSteps",
    steps: [one, two, four, mail("five", "Five")],
  });
  expect(written.body.steps[3].stepId).toBe(added.stepId);
});

test("a longer delay moves booked send slots later, a shorter delay moves them earlier, and keepBooked leaves them unchanged", async () => {
  const running = await progressed();
  const { rest, path, ids, steps, workspaceId, campaignId } = running;
  const waiting = ids.slice(1, 3);
  const [one, two, ...rest2] = steps;
  const delayed = (value: number, more: object = {}) => ({
    action: "replaceSteps",
    steps: [one, { ...two, delay: days(value) }, ...rest2],
    ...more,
  });
  const sentAt = async () => (await scoped(workspaceId).Recipient.get(waiting[0] ?? ""))?.lastSentAt?.getTime() ?? 0;
  const inDays = async () =>
    (await slotsOf(running, waiting)).map(async (slot) => Math.floor((slot - (await sentAt())) / DAY_MS));
  const longer = await planOf(running, delayed(9));
  expect(longer.plan).toMatchObject({ moved: 0, earlier: 0, later: 2, rebooked: 2 });
  expect(Date.parse(longer.plan.firstDueAt) - (await sentAt())).toBeGreaterThanOrEqual(9 * DAY_MS - HOUR_MS);
  expect(await rest.put(`${path}/sequence`, delayed(9))).toMatchObject({ status: 200 });
  await running.run(waiting);
  expect(await Promise.all(await inDays())).toEqual([9, 9]);

  expect((await planOf(running, delayed(2))).plan).toMatchObject({ earlier: 2, later: 0, rebooked: 2 });
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { freedAt: null } });
  await rest.put(`${path}/sequence`, delayed(2));
  expect((await scoped(workspaceId).Campaign.get(campaignId))?.freedAt).toBeInstanceOf(Date);
  const woken: string[] = [];
  await bringForwardCampaign(workspaceId, campaignId, async ({ recipientId }) => void woken.push(recipientId));
  expect(woken.sort()).toEqual(waiting);
  expect(await Promise.all(await inDays())).toEqual([2, 2]);

  const kept = await slotsOf(running, waiting);
  expect((await planOf(running, delayed(20, { keepBooked: true }))).plan).toMatchObject({
    earlier: 0,
    later: 0,
    rebooked: 0,
  });
  await rest.put(`${path}/sequence`, delayed(20, { keepBooked: true }));
  await running.run(waiting);
  expect(await slotsOf(running, waiting)).toEqual(kept);
  // Also where the slot is lost
  await scoped(workspaceId).Send.updateMany(
    { recipientId: trusted({ $in: waiting }) },
    { $set: { state: "RELEASED", slotAt: null } },
  );
  await running.run(waiting);
  expect(await Promise.all(await inDays())).toEqual([2, 2]);
});

test("a longer delay also applies to an email whose old slot comes due before the edit has been carried out", async () => {
  const running = await progressed();
  const { rest, path, ids, steps, workspaceId, campaignId } = running;
  const [waiting = ""] = ids.slice(1, 2);
  const [one, two, ...others] = steps;
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [one, { ...two, delay: days(9) }, ...others] });
  // As if the process had died after the edit: the mark is there, and the slot of before
  const { Campaign, Send } = scoped(workspaceId);
  const version = (await Campaign.get(campaignId))?.version ?? 0;
  const delays = [{ stepId: two?.stepId ?? "", before: days(3), how: "BOOK_ANEW" }];
  await Campaign.updateOne({ _id: campaignId }, { $set: { unsettled: { version, isMoving: false, delays } } });
  await Send.updateOne(
    { recipientId: waiting, stepId: two?.stepId },
    { $set: { state: "RESERVED", slotAt: new Date() } },
  );
  await running.run([waiting]);
  expect((await mailsOf(running))[1]).toEqual([one?.stepId]);
  const [slot = 0] = await slotsOf(running, [waiting]);
  expect(slot).toBeGreaterThan(Date.now() + 8 * DAY_MS);
});

test("a later edit makes a plan stale, even if that edit changes only a delay", async () => {
  const running = await progressed();
  const { rest, path, steps, stepIds } = running;
  const edit = { action: "reorder", orderedStepIds: stepIds.toReversed() };
  const [one, two, ...others] = steps;
  const delayed = (value: number) =>
    rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [one, { ...two, delay: days(value) }, ...others] });
  await delayed(5);
  const { planToken } = await planOf(running, edit);
  await delayed(4);
  expect(await rest.put(`${path}/sequence`, { ...edit, planToken })).toMatchObject({
    status: 409,
    body: { code: "PLAN_STALE", details: { plan: { effect: { edit: { people: 5 } } } } },
  });
});

test("the plan of new sending windows shows the expected end of the campaign before and after, moves no recipient and stores nothing", async () => {
  const running = await progressed();
  const { rest, path } = running;
  const windows = [{ days: [1], from: "09:00", to: "09:30" }];
  const answer = await rest.patch(`${path}/settings`, { windows, planOnly: true });
  const { edit } = answer.body.plan.effect;
  expect(edit).toMatchObject({
    moved: 0,
    rebooked: 0,
    repeated: 0,
    changes: [{ field: "settings.windows", after: windows }],
  });
  expect(Date.parse(edit.outlook.after.expectedFinishAt)).toBeGreaterThan(
    Date.parse(edit.outlook.before.expectedFinishAt),
  );
  expect((await rest.get(`${path}/settings`)).body.windows).not.toEqual(windows);
});

test("a new delay moves neither an email postponed after a soft failure nor an email that is being sent", async () => {
  const running = await progressed();
  const { rest, path, ids, steps, workspaceId } = running;
  const [refused = "", sending = ""] = ids.slice(1, 3);
  const { Recipient, Send } = scoped(workspaceId);
  const at = new Date(Date.now() + DAY_MS);
  const stepId = steps[1]?.stepId ?? "";
  await Send.updateOne({ recipientId: refused, stepId }, { $set: { softFailures: 1, slotAt: at } });
  await Recipient.updateOne({ _id: refused }, { $set: { due: { stepId, at } } });
  await Send.updateOne(
    { recipientId: sending, stepId },
    { $set: { state: "SENDING", phase: "CLAIMED", leaseUntil: at } },
  );
  const [one, two, ...others] = steps;
  const edit = { action: "replaceSteps", steps: [one, { ...two, delay: days(9) }, ...others] };
  expect((await planOf(running, edit)).plan).toMatchObject({ people: 5, rebooked: 0 });
  await rest.put(`${path}/sequence`, edit);
  expect(await slotsOf(running, [refused])).toEqual([at.getTime()]);
  expect((await Recipient.get(refused))?.due?.at).toEqual(at);
  expect(await Send.count({ recipientId: sending, state: "SENDING", leaseUntil: at })).toBe(1);
});

test("a new first delay does not apply to a recipient waiting for readmission, and a plan does not count recipients who will be held out", async () => {
  const running = await progressed();
  const { rest, path, ids, steps, workspaceId, campaignId } = running;
  const [back = ""] = ids;
  const { Recipient } = scoped(workspaceId);
  const [one, ...others] = steps;
  const due = { stepId: one?.stepId ?? "", at: new Date() };
  await Recipient.updateOne({ _id: back }, { $set: { due, nextStepId: one?.stepId ?? "", assignedAt: new Date() } });
  const edit = { action: "replaceSteps", steps: [{ ...one, delay: days(5) }, ...others] };
  await rest.put(`${path}/sequence`, edit);
  expect((await Recipient.get(back))?.due).toEqual(due);
  await rest.patch(`${path}/settings`, { holdOut: 0.2 });
  await rest.post(`${path}/recipients`, {
    action: "addManual",
    emails: Array.from({ length: 60 }, (_, index) => `later${index}@example.test`),
  });
  const waiting = await Recipient.find({ campaignId, assignedAt: null, sentCount: 0 });
  const heldOut = waiting.filter(({ _id }) => isHeldOut(campaignId, _id, 0.2)).length;
  expect(heldOut).toBeGreaterThan(0);
  const { plan } = await planOf(running, {
    action: "reorder",
    orderedStepIds: steps.map(({ stepId }) => stepId).toReversed(),
  });
  expect(plan.people).toBe(65 - heldOut);
});
