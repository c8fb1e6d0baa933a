import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign, storedMailbox } from "./campaign-parts.ts";
import { active, TWO_STEPS, useSetup, world } from "./sending-status-setup.ts";

useSetup();

const later = () => new Date(Date.now() + HOUR_MS);

type Active = Awaited<ReturnType<typeof active>>;

test("the sending status gives the reason why a campaign does not send, from its mailboxes to the gap between emails", async () => {
  const { status, code, mailbox, mailboxIs, MailboxDay, CampaignDay, ThrottleCount, campaignId, workspaceId } =
    await active();
  expect(await status()).toMatchObject({ code: "HEALTHY", nextSendAt: expect.any(String), breakdown: { HEALTHY: 2 } });
  const nextAt = later();
  await mailboxIs({ nextAt });
  expect(await status()).toMatchObject({
    code: "MAILBOX_GAP",
    nextSendAt: nextAt.toISOString(),
    breakdown: { MAILBOX_GAP: 2 },
  });
  const until = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
  await ThrottleCount.insert({
    _id: `${workspaceId}:x`,
    scope: "RECIPIENT_DOMAIN:example.test",
    kind: "RECIPIENT_DOMAIN",
    count: 2,
    until,
  });
  expect(await status({ recipientDomainHourlyLimit: 2 })).toMatchObject({
    code: "DOMAIN_LIMIT",
    breakdown: { DOMAIN_LIMIT: 2 },
  });
  const day = utcDay(Date.now());
  await CampaignDay.insert({ _id: `${campaignId}:${day}`, campaignId, day, total: 5, newLeads: 2 });
  expect(await code({ maxNewLeadsPerDay: 2 })).toBe("NEW_LEAD_LIMIT");
  await MailboxDay.insert({
    _id: `${mailbox._id}:${day}`,
    mailboxId: mailbox._id,
    day,
    sent: 3,
    sentBy: { [campaignId]: 3 },
  });
  expect(await code({ perMailboxDailyLimit: 3 })).toBe("MAILBOX_DAILY_LIMIT");
  expect(await code({ rampEnabled: true, rampStart: 5 })).toBe("RAMP_LIMIT");
  expect(await code({ dailyLimit: 5 })).toBe("CAMPAIGN_DAILY_LIMIT");
  expect(await status({ windows: [] })).toMatchObject({ code: "OUT_OF_SCHEDULE", nextSendAt: null });
  expect(await code({ customHolidays: [day] })).toBe("HOLIDAY");
  await mailboxIs({ status: "COOLING_DOWN" });
  expect(await status()).toMatchObject({
    code: "MAILBOXES_UNHEALTHY",
    nextSendAt: null,
    breakdown: { MAILBOXES_UNHEALTHY: 2 },
  });
  expect(await code({ mailboxIds: [] })).toBe("NO_MAILBOX");
});

/** Makes a recipient wait for the second step, booked for an instant; its first email left some hours before. */
async function between(
  { rest, path, workspaceId, campaignId, mailbox, Recipient }: Active,
  email: string,
  at: Date,
  hoursAgo = 1,
) {
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const lastSentAt = new Date(Date.now() - hoursAgo * HOUR_MS);
  const more = {
    status: "IN_PROGRESS",
    nextStepId: steps[1].stepId,
    mailboxId: mailbox._id,
    sentCount: 1,
    admittedAt: lastSentAt,
  } as const;
  await Recipient.updateOne({ campaignId, email }, { $set: { ...more, lastSentAt, nextSendAt: at } });
  const recipient = await Recipient.findOne({ campaignId, email });
  if (recipient === null) throw new Error("no recipient");
  const row = { campaignId, recipientId: recipient._id, leadId: recipient.leadId, stepId: steps[1].stepId, to: email };
  await scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    ...row,
    mailboxId: mailbox._id,
    slotAt: at,
    day: utcDay(at.getTime()),
  });
  return recipient;
}

test("recipients between two steps wait for the delay since their last email, and the next email is the earliest booked one", async () => {
  const running = await active(TWO_STEPS);
  const { status, Recipient, campaignId } = running;
  const at = later();
  const ada = await between(running, "ada@example.test", new Date(at.getTime() + HOUR_MS));
  await between(running, "bob@example.test", at);
  const waiting = await status();
  expect(waiting).toMatchObject({
    code: "FOLLOW_UP_DELAY",
    nextSendAt: at.toISOString(),
    breakdown: { FOLLOW_UP_DELAY: 2 },
  });
  const soon = new Date(Date.now() + 60_000);
  await Recipient.updateOne({ _id: ada._id }, { $set: { nextSendAt: soon } });
  await scoped(running.workspaceId).Send.updateOne({ recipientId: ada._id }, { $set: { slotAt: soon } });
  await Recipient.updateOne({ email: "bob@example.test" }, { $set: { status: "PAUSED", pauseReason: "MANUAL" } });
  expect(await status()).toMatchObject({
    code: "HEALTHY",
    nextSendAt: soon.toISOString(),
    breakdown: { HEALTHY: 1, PAUSED: 1 },
  });
  await Recipient.updateMany({ campaignId }, { $set: { status: "COMPLETED", nextSendAt: null } });
  expect(await status()).toMatchObject({ code: "WAITING_FOR_RECIPIENTS", nextSendAt: null, breakdown: {} });
});

test("a campaign is not healthy while a recipient waits for a mailbox that cannot send, even if others get emails", async () => {
  const running = await active(TWO_STEPS);
  const { status, workspaceId, Recipient } = running;
  const resting = await storedMailbox(workspaceId, { status: "PAUSED" });
  const ada = await between(running, "ada@example.test", later());
  await Recipient.updateOne(
    { _id: ada._id },
    { $set: { mailboxId: resting._id, awaitedMailboxId: resting._id, nextSendAt: null } },
  );
  const stranded = await status({ mailboxIds: [running.mailbox._id, resting._id] });
  expect(stranded).toMatchObject({ code: "MAILBOXES_UNHEALTHY", breakdown: { MAILBOXES_UNHEALTHY: 1, HEALTHY: 1 } });
});

test("the next email is never in the past: when its slot has passed, it leaves now or when mailbox and window allow", async () => {
  const running = await active(TWO_STEPS);
  const { status, mailboxIs, rest, path, Recipient } = running;
  await between(running, "ada@example.test", new Date(Date.now() - 60_000), 24 * 8);
  await Recipient.deleteOne({ email: "bob@example.test" });
  const before = Date.now();
  const now = await status();
  expect(now.code).toBe("HEALTHY");
  expect(Date.parse(now.nextSendAt)).toBeGreaterThanOrEqual(before);
  const nextAt = later();
  await mailboxIs({ nextAt });
  expect(await status()).toMatchObject({
    code: "MAILBOX_GAP",
    nextSendAt: nextAt.toISOString(),
    breakdown: { MAILBOX_GAP: 1 },
  });
  await mailboxIs({ status: "PAUSED" });
  expect(await status()).toMatchObject({ code: "MAILBOXES_UNHEALTHY", nextSendAt: null });
  await mailboxIs({ status: "CONNECTED", nextAt: null });
  const tomorrow = utcDay(Date.now() + 24 * HOUR_MS);
  await status({ customHolidays: [utcDay(Date.now())] });
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({
    code: "HOLIDAY",
    nextSendAt: `${tomorrow}T00:00:00.000Z`,
  });
});

test("with recipients' own zones a campaign is out of schedule only while its windows are closed in all of these zones", async () => {
  const { status, Recipient } = await active();
  await Recipient.updateOne({ email: "ada@example.test" }, { $set: { timezone: "Pacific/Kiritimati" } });
  await Recipient.updateOne({ email: "bob@example.test" }, { $set: { timezone: "Etc/GMT+10" } });
  // The zones are 24 hours apart: on one of these dates it is always day in one of them alone
  const ahead = utcDay(Date.now() + 14 * HOUR_MS);
  const behind = utcDay(Date.now() - 10 * HOUR_MS);
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
  const open = await status({ windows, useRecipientTimezone: true, customHolidays: [ahead] });
  expect(open).toMatchObject({ code: "HEALTHY", breakdown: { HEALTHY: 2 } });
  const closed = await status({ customHolidays: [ahead, behind] });
  expect(closed.code).toBe("HOLIDAY");
  expect(Date.parse(closed.nextSendAt)).toBeGreaterThan(Date.now());
});

test("a scheduled campaign sends next when its start has come and a window is open", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "17:00" }];
  await rest.patch(`${path}/settings`, { windows, startAt: "2999-01-01T18:00:00Z" });
  await rest.post(`${path}/control`, { action: "launch" });
  expect((await rest.get(path)).body.sendingStatus).toMatchObject({
    code: "SCHEDULED",
    nextSendAt: "2999-01-02T09:00:00.000Z",
    breakdown: { SCHEDULED: 1 },
  });
});
