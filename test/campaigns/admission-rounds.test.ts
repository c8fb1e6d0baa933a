import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { rebookStep } from "../../store/recipients/book-next-step.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { mail } from "./campaign-parts.ts";
import { campaignOf } from "./round-parts.ts";

let world: World;
beforeAll(async () => {
  // No worker acts on what is started here
  world = await startWorld({ temporal: true });
}, 60_000);
afterAll(() => world.close());
// The day is the same from the first line of a test to its last
beforeEach(() => dayGoesOn(2 * MINUTE_MS), 3 * MINUTE_MS);

const DAYTIME = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "08:00", to: "16:00" }];

/**
 * Open to the end of this day of UTC alone: a round books half an hour ahead, and in the last one of a day it would
 * find room in the next.
 */
const today = () => [{ days: [new Date().getUTCDay() || 7], from: "00:00", to: "24:00" }];

/** A zone whose clock reads this hour now. */
function zoneAt(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
  return offset === 0 ? "Etc/GMT" : `Etc/GMT${offset > 0 ? "-" : "+"}${Math.abs(offset)}`;
}

test("recipients outside their daytime are not admitted, and the campaign's feeder wakes before their morning", async () => {
  const [day, night] = [zoneAt(10), zoneAt(4)];
  const sleepers = Object.fromEntries(
    Array.from({ length: 130 }, (_, index) => [`n${index}@night.test`, { timezone: night }]),
  );
  const leads = { ...sleepers, "d1@day.test": { timezone: day }, "d2@day.test": { timezone: day } };
  const { round, emails } = await campaignOf(world, leads, { useRecipientTimezone: true, windows: DAYTIME });
  const { count, isDrained, wakeAt } = await round();
  expect(await emails()).toEqual(["d1@day.test", "d2@day.test"]);
  expect([count, isDrained]).toEqual([2, false]);
  // The recipients' clock reads 4 o'clock and some minutes: for a window from 8 on, the first slots are booked half an
  // hour ahead
  const untilMs = wakeAt - Date.now();
  expect(untilMs).toBeGreaterThan(2 * HOUR_MS);
  expect(untilMs).toBeLessThan(4 * HOUR_MS);
});

test("under STRICT a recipient without a mailbox of the same provider waits, while other recipients are admitted", async () => {
  const leads: Record<string, Partial<Lead>> = {
    "a@x.test": { emailProvider: "PROVIDERA" },
    "b@x.test": { emailProvider: "PROVIDERB" },
    "u@x.test": {},
  };
  const { round, emails, rest, path, admitted, mailboxes } = await campaignOf(
    world,
    leads,
    { providerMatching: "STRICT" },
    [{ provider: "PROVIDERB" }],
  );
  expect(await round()).toMatchObject({ count: 2, isDrained: false });
  expect(await emails()).toEqual(["b@x.test", "u@x.test"]);
  // The others have been admitted
  const { Recipient } = scoped(mailboxes[0]?.workspaceId ?? "");
  for (const email of await emails()) await Recipient.updateOne({ email }, { $set: { nextSendAt: null } });
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({ code: "WAITING_FOR_PROVIDER_MATCH" });
  await rest.patch(`${path}/settings`, { providerMatching: "PREFER" });
  await round();
  expect(await admitted()).toHaveLength(3);
});

test("when a limit is raised, emails that the limit had moved to another day get the new slots first", async () => {
  const leads = { "ann@x.test": {}, "bob@x.test": {} };
  const { rest, workspaceId, campaignId, path, mailboxes, round, emails } = await campaignOf(
    world,
    leads,
    { windows: today() },
    [{ dailySendLimit: 1 }],
  );
  const [{ _id: mailboxId = "" } = {}] = mailboxes;
  await round();
  expect(await emails()).toEqual(["ann@x.test"]);
  const { Mailbox, MailboxDay, Recipient, Send } = scoped(workspaceId);
  // Ann's first email has left and used up the day
  const ann = await Recipient.findOne({ email: "ann@x.test" });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("one", "One"), mail("two", "Two")] });
  const nextStepId = (await rest.get(`${path}/sequence`)).body.steps[1].stepId;
  await Recipient.updateOne(
    { _id: ann?._id ?? "" },
    { $set: { status: "IN_PROGRESS", sentCount: 1, nextStepId, lastSentAt: new Date() } },
  );
  await Send.updateOne({ campaignId }, { $set: { state: "SENT" } });
  await MailboxDay.updateOne({ mailboxId }, { $set: { taken: [], sent: 1 } });
  const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId: ann?._id ?? "" });
  if (situation?.mailbox) await rebookStep(situation, null, situation.mailbox, Date.now());
  const slotInMs = async () =>
    ((await Send.findOne({ campaignId, state: "RESERVED" }))?.slotAt?.getTime() ?? 0) - Date.now();
  expect(await slotInMs()).toBeGreaterThan(MINUTE_MS);

  await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch: { dailySendLimit: 2 } });
  await round();
  expect(await slotInMs()).toBeLessThan(MINUTE_MS);
  expect(await emails()).toEqual(["ann@x.test"]);
  expect((await Mailbox.get(mailboxId))?.freedAt).toBeNull();
});

test("recipients that a full mailbox cannot take get another mailbox", async () => {
  const leads = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}@x.test`, {}]));
  const { round, admitted, mailboxes } = await campaignOf(world, leads, { windows: today() }, [
    { dailySendLimit: 2 },
    { dailySendLimit: 50 },
  ]);
  expect(await round()).toMatchObject({ count: 9, isDrained: true });
  const by = (mailbox: Mailbox | undefined) => async () =>
    (await admitted()).filter(({ mailboxId }) => mailboxId === mailbox?._id).length;
  expect([await by(mailboxes[0])(), await by(mailboxes[1])()]).toEqual([2, 7]);
});

test("a throttle holds up only its own domain, and the campaign's feeder runs again when the throttle may have ended", async () => {
  const crowd = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`p${index}@crowd.test`, {}]));
  const leads = { ...crowd, "other@free.test": {} };
  const { round, emails, rest, path } = await campaignOf(world, leads, { recipientDomainHourlyLimit: 2 });
  const { isDrained, wakeAt } = await round();
  const admitted = await emails();
  expect(admitted).toContain("other@free.test");
  // Two in this hour, and two in the next one where the half hour reaches into it
  expect([3, 5]).toContain(admitted.length);
  expect(isDrained).toBe(false);
  expect(wakeAt - Date.now()).toBeLessThanOrEqual(HOUR_MS);
  const { body } = await rest.get(path);
  expect(["DOMAIN_LIMIT", "HEALTHY"]).toContain(body.sendingStatus.code);
});

test("if a campaign prioritizes new leads, they are booked before follow-ups, and a displaced follow-up is signalled to book again", async () => {
  const { rest, workspaceId, path, campaignId, round, admitted, mailboxes } = await campaignOf(
    world,
    { "new@x.test": {} },
    { perMailboxDailyLimit: 1, windows: today() },
  );
  const { MailboxDay, OutboxRow, Recipient, Send } = scoped(workspaceId);
  const mailboxId = mailboxes[0]?._id ?? "";
  const at = new Date(Date.now() + MINUTE_MS);
  const day = at.toISOString().slice(0, 10);
  const followUp = {
    campaignId,
    recipientId: "rcp_old",
    stepId: "stp_2",
    mailboxId,
    to: "old@x.test",
    slotAt: at,
    day,
  };
  await Send.insert({ _id: "snd_old", ...followUp, state: "RESERVED" });
  await MailboxDay.insert({
    _id: `${mailboxId}:${day}`,
    mailboxId,
    day,
    taken: [{ at, sendId: "snd_old", campaignId }],
  });
  expect(await round()).toMatchObject({ count: 0 });
  expect(await Send.get("snd_old")).toMatchObject({ state: "RESERVED", slotAt: at });
  await rest.patch(`${path}/settings`, { prioritizeNewLeads: true });
  expect(await round()).toMatchObject({ count: 1 });
  expect(await admitted()).toMatchObject([{ email: "new@x.test" }]);
  expect(await Send.get("snd_old")).toMatchObject({ state: "RELEASED", slotAt: null });
  const taken = (await MailboxDay.get(`${mailboxId}:${day}`))?.taken.map(({ sendId }) => sendId);
  expect(taken).toEqual([(await Send.findOne({ recipientId: (await Recipient.findOne({ campaignId }))?._id }))?._id]);
  expect(await OutboxRow.count({ kind: "RECIPIENT", "payload.recipientId": "rcp_old" })).toBe(1);
});

test("the campaign's feeder wakes when the campaign is due to end", async () => {
  const endAt = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  const { round } = await campaignOf(world, { "one@x.test": {} }, { endAt });
  expect((await round()).wakeAt).toBe(Date.parse(endAt));
});
