import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const later = () => new Date(Date.now() + HOUR_MS);

async function active() {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@example.test", "bob@example.test"]);
  await rest.post(`${path}/control`, { action: "launch" });
  const { Mailbox, MailboxDay, CampaignDay, Recipient, ThrottleCount } = scoped(workspaceId);
  const status = async (settings: object = {}) => {
    expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
    return (await rest.get(path)).body.sendingStatus;
  };
  const code = async (settings: object = {}) => (await status(settings)).code;
  const mailboxIs = (fields: Partial<Mailbox>) => Mailbox.updateOne({ _id: mailbox._id }, { $set: fields });
  return { rest, path, workspaceId, campaignId, mailbox, status, code, mailboxIs, MailboxDay, CampaignDay, Recipient, ThrottleCount };
}

test("the sending status says why a campaign does not send, from its mailboxes down to the gap between two mails", async () => {
  const { code, mailbox, mailboxIs, MailboxDay, CampaignDay, Recipient, ThrottleCount, campaignId, workspaceId } = await active();
  expect(await code()).toBe("HEALTHY");
  await Recipient.updateOne({ email: "ada@example.test" }, { $set: { admittedAt: new Date(), nextSendAt: later() } });
  expect(await code()).toBe("MAILBOX_GAP");
  const until = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS);
  await ThrottleCount.insert({
    _id: `${workspaceId}:x`,
    scope: "RECIPIENT_DOMAIN:example.test",
    kind: "RECIPIENT_DOMAIN",
    count: 2,
    until,
  });
  expect(await code({ recipientDomainHourlyLimit: 2 })).toBe("DOMAIN_LIMIT");
  const day = utcDay(Date.now());
  await CampaignDay.insert({ _id: `${campaignId}:${day}`, campaignId, day, total: 5, newLeads: 2 });
  expect(await code({ maxNewLeadsPerDay: 2 })).toBe("NEW_LEAD_LIMIT");
  await MailboxDay.insert({ _id: `${mailbox._id}:${day}`, mailboxId: mailbox._id, day, sent: 3, sentBy: { [campaignId]: 3 } });
  expect(await code({ perMailboxDailyLimit: 3 })).toBe("MAILBOX_DAILY_LIMIT");
  expect(await code({ rampEnabled: true, rampStart: 5 })).toBe("RAMP_LIMIT");
  expect(await code({ dailyLimit: 5 })).toBe("CAMPAIGN_DAILY_LIMIT");
  expect(await code({ windows: [] })).toBe("OUT_OF_SCHEDULE");
  expect(await code({ customHolidays: [day] })).toBe("HOLIDAY");
  await mailboxIs({ status: "COOLING_DOWN" });
  expect(await code()).toBe("MAILBOXES_UNHEALTHY");
  expect(await code({ mailboxIds: [] })).toBe("NO_MAILBOX");
});

test("recipients between two steps wait for the delay since their last mail, and each open recipient is counted under one code", async () => {
  const { status, Recipient, campaignId } = await active();
  const lastSentAt = new Date(Date.now() + 1_000);
  await Recipient.updateMany({ campaignId }, { $set: { status: "IN_PROGRESS", lastSentAt, nextSendAt: later() } });
  await Recipient.insert({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email: "c@x.test",
    cid: newId("rcp"),
    shard: 0,
    status: "PAUSED",
  });
  const waiting = await status();
  expect(waiting).toMatchObject({ code: "FOLLOW_UP_DELAY", breakdown: { FOLLOW_UP_DELAY: 2, PAUSED: 1 } });
  expect([waiting.since, waiting.lastHealthySendAt]).toEqual([lastSentAt.toISOString(), lastSentAt.toISOString()]);
  await Recipient.updateOne({ email: "ada@example.test" }, { $set: { nextSendAt: new Date(Date.now() + 60_000) } });
  expect(await status()).toMatchObject({ code: "HEALTHY", breakdown: { HEALTHY: 1, FOLLOW_UP_DELAY: 1, PAUSED: 1 } });
  await Recipient.updateMany({ campaignId }, { $set: { status: "COMPLETED", nextSendAt: null } });
  expect(await status()).toMatchObject({ code: "WAITING_FOR_RECIPIENTS", nextSendAt: null, breakdown: {} });
});
