import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { bookStep } from "../../store/sending/book.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { claim } from "../../store/sending/claim.ts";
import { ALWAYS, readyCampaign } from "../campaigns/campaign-parts.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());
// The day is the same from the first line of a test to its last
beforeEach(() => dayGoesOn(30_000));

const PEOPLE = ["ada@x.test", "bob@x.test", "cid@x.test"];

/** A launched campaign without gap or limit, from one mailbox without a limit of its own. */
async function sending(provider: Mailbox["provider"], domain: string) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, PEOPLE);
  const { Campaign, Mailbox, MailboxDay, Recipient, Send, Sequence } = scoped(workspaceId);
  const own = { provider, email: `${mailbox._id.toLowerCase()}@${domain}`, dailySendLimit: 0 };
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: own });
  await rest.patch(`${path}/settings`, {
    windows: ALWAYS,
    minGapSeconds: 0,
    maxGapSeconds: 0,
    perMailboxDailyLimit: 0,
  });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  const [campaign, sender, sequence] = [
    await Campaign.get(campaignId),
    await Mailbox.get(mailbox._id),
    await Sequence.findOne({ campaignId }),
  ];
  const stepId = sequence?.steps[0]?.stepId;
  if (campaign === null || sender === null || stepId === undefined) throw new Error("it is gone");
  const settings = settingsOf(campaign.settings);
  const today = utcDay(Date.now());
  const recipients = await Recipient.find({ campaignId }, { sort: { _id: 1 } });

  const book = async (index: number): Promise<Send> => {
    const recipient = recipients[index];
    if (recipient === undefined) throw new Error("there are no more");
    const now = Date.now();
    const calendar = await calendarOf(settings, sender, null, null, now);
    const request = { campaign, settings, recipient, mailbox: sender, calendar, stepId, isNewLead: true };
    const booked = await inTransaction(() => bookStep({ ...request, earliest: now, latest: now + 3 * DAY_MS }));
    if (booked === null) throw new Error("there is no place");
    await Recipient.updateOne({ _id: recipient._id }, { $set: { nextStepId: stepId, mailboxId: mailbox._id } });
    return booked.send;
  };

  /** Claims a send: for the campaign if it has a recipient, otherwise as an email that a user has written. */
  const claimOf = async (send: Send): Promise<string> => {
    const recipient = recipients.find(({ _id }) => _id === send.recipientId);
    const of = { campaignId, fence: campaign.fence, settings, shard: recipient?.shard ?? 0 };
    const mail = {
      messageId: `<${randomUUID()}@a.test>`,
      bytesHash: "0",
      mailRef: send._id,
      subject: "Hi",
      variantId: null,
      checks: {},
    };
    const result = await claim({
      send,
      mailbox: sender,
      campaign: recipient === undefined ? null : of,
      attemptId: randomUUID(),
      ...mail,
      content: { text: "Hi", html: null },
      tracking: null,
    });
    return result.kind === "replan" ? result.by : result.kind;
  };

  const due = (send: Send) => Send.updateOne({ _id: send._id }, { $set: { slotAt: new Date(Date.now() - 1_000) } });
  const rested = () => Mailbox.updateOne({ _id: mailbox._id }, { $set: { nextAt: null, paceAt: null } });
  const written = () =>
    Send.insert({ _id: newId("snd"), kind: "TEST", to: "me@x.test", state: "RESERVED", mailboxId: mailbox._id });
  const used = (sent: number) =>
    MailboxDay.insert({ _id: `${mailbox._id}:${today}`, mailboxId: mailbox._id, day: today, sent });
  const explain = async (index: number) =>
    (await rest.get(`${path}/recipients/${recipients[index]?._id}/explain`)).body;
  return { rest, path, today, book, claimOf, due, rested, written, used, explain };
}

test.each<[Mailbox["provider"], string, number]>([
  ["PROVIDERA", "gmail.com", 500],
  ["PROVIDERA", "sender.test", 2_000],
  ["PROVIDERB", "sender.test", 10_000],
])("a mailbox without its own limit at %s (%s) sends at most %i emails a day", async (provider, domain, limit) => {
  const { rest, path, today, book, claimOf, due, rested, written, used, explain } = await sending(provider, domain);
  await used(limit - 2);
  const [last, beyond] = [await book(0), await book(1)];
  expect([last.day, beyond.day]).toEqual([today, today]);
  // The day is full of bookings: the next slot is tomorrow, and "explain" says why
  expect((await rest.get(path)).body.sendingStatus.code).toBe("MAILBOX_DAILY_LIMIT");
  expect((await explain(2)).rules).toContainEqual(
    expect.objectContaining({
      code: "PROVIDER_DAILY_LIMIT",
      values: expect.objectContaining({ used: limit, limit }),
    }),
  );
  expect((await book(2)).day).toBe(utcDay(Date.now() + DAY_MS));
  // An email that a user has written counts like any other
  expect(await claimOf(await written())).toBe("claimed");
  await rested();
  for (const send of [last, beyond]) await due(send);
  expect(await claimOf(last)).toBe("claimed");
  await rested();
  expect(await claimOf(beyond)).toBe("day");
  expect(await claimOf(await written())).toBe("day");
});

test("a mailbox of a provider without a known limit has no daily limit", async () => {
  const { today, book, claimOf, due, used } = await sending("SMTP", "gmail.com");
  await used(50_000);
  const send = await book(0);
  await due(send);
  expect([send.day, await claimOf(send)]).toEqual([today, "claimed"]);
});

test("a mailbox at provider B sends at most one email every two seconds, whether a campaign or a user sends it", async () => {
  const { book, claimOf, due, rested, written } = await sending("PROVIDERB", "sender.test");
  const slots = [await book(0), await book(1), await book(2)];
  const [first = 0, second = 0, third = 0] = slots.map(({ slotAt }) => slotAt?.getTime());
  expect([second - first, third - second]).toEqual([2_000, 2_000]);
  for (const send of slots) await due(send);
  const [one, two] = slots;
  if (one === undefined || two === undefined) throw new Error("nothing is booked");
  const [by, hand] = [await written(), await written()];
  // One email of a campaign, then one by hand, then one of a campaign again
  expect([await claimOf(one), await claimOf(by)]).toEqual(["claimed", "mailbox"]);
  await rested();
  expect([await claimOf(by), await claimOf(hand), await claimOf(two)]).toEqual(["claimed", "mailbox", "mailbox"]);
  await rested();
  expect([await claimOf(two), await claimOf(hand)]).toEqual(["claimed", "mailbox"]);
});

test.each<[Mailbox["provider"], string, number]>([
  ["PROVIDERA", "gmail.com", 500],
  ["PROVIDERA", "sender.test", 2_000],
  ["PROVIDERB", "sender.test", 10_000],
])("the check before a launch from %s (%s) assumes a daily capacity of %i emails", async (provider, domain, limit) => {
  const { rest, path } = await sending(provider, domain);
  expect((await rest.get(`${path}/validate`)).body.summary).toMatchObject({ dailyCapacity: limit });
});
