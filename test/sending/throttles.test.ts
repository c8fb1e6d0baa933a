import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { bookStep } from "../../store/sending/book.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { freeSlot, releaseBooking } from "../../store/sending/release.ts";
import { ALWAYS, readyCampaign } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The start of an hour, so far in the future that no clock matters. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 48 * HOUR_MS;

async function throttled(settings: object, workspace = world.workspace()) {
  const { rest, workspaceId } = await workspace;
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, []);
  const quick = { minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, windows: ALWAYS };
  await rest.patch(`${path}/settings`, { ...quick, ...settings });
  const { Campaign, Mailbox, ThrottleCount } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { dailySendLimit: 0 } });
  const campaign = await Campaign.get(campaignId);
  const sender = await Mailbox.get(mailbox._id);
  if (campaign === null || sender === null) throw new Error("it is gone");
  const known = settingsOf(campaign.settings);
  const calendar = await calendarOf(known, sender, null, null, START);
  const book = (email: string, latest = START + 400 * HOUR_MS) => {
    const recipient = { _id: newId("rcp"), leadId: newId("led"), email };
    const request = {
      campaign,
      settings: known,
      recipient,
      mailbox: sender,
      calendar,
      stepId: "stp_1",
      isNewLead: true,
    };
    return inTransaction(() => bookStep({ ...request, earliest: START, latest }));
  };
  /** Books each address, and returns the hours from the start in which they were booked. */
  const hours = async (emails: string[]) => {
    const booked: (number | null)[] = [];
    for (const email of emails) {
      const place = await book(email);
      booked.push(place === null ? null : Math.floor((place.slotAt.getTime() - START) / HOUR_MS));
    }
    return booked;
  };
  return { rest, workspaceId, path, campaignId, book, hours, ThrottleCount };
}

const people = (count: number, domain: string) => Array.from({ length: count }, (_, index) => `p${index}@${domain}`);

test("a recipient domain gets at most the hourly limit of emails; further emails wait for the next hour, and other domains are not delayed", async () => {
  const { hours } = await throttled({ recipientDomainHourlyLimit: 2 });
  expect(await hours(people(5, "a.test"))).toEqual([0, 0, 1, 1, 2]);
  expect(await hours(people(2, "b.test"))).toEqual([0, 0]);
});

test("a sending domain sends at most the hourly limit of emails, whatever domains they go to", async () => {
  const { hours } = await throttled({ senderDomainHourlyLimit: 2 });
  expect(await hours(["x@a.test", "x@b.test", "x@c.test"])).toEqual([0, 0, 1]);
});

test("a company gets at most the daily limit of emails over all subdomains and campaigns, unless the limit counts per campaign", async () => {
  const workspace = world.workspace();
  const one = await throttled({ companyDailyLimit: 2 }, workspace);
  const other = await throttled({ companyDailyLimit: 2 }, workspace);
  const alone = await throttled({ companyDailyLimit: 2, companyLimitScope: "CAMPAIGN" }, workspace);
  const nextDay = (24 * HOUR_MS - (START % (24 * HOUR_MS))) / HOUR_MS;
  expect(await one.hours(["a@acme.com"])).toEqual([0]);
  expect(await other.hours(["b@eu.acme.com", "c@acme.com"])).toEqual([0, nextDay]);
  expect(await one.hours(["d@acme.com", "free@gmail.com"])).toEqual([nextDay, 0]);
  expect(await alone.hours(["e@acme.com", "f@acme.com"])).toEqual([0, 0]);
});

test("a released booking frees its place in the throttle count, and a booking without room is not counted", async () => {
  const { book, hours, workspaceId, ThrottleCount } = await throttled({ recipientDomainHourlyLimit: 1 });
  const first = await book("a@a.test");
  expect(await book("b@a.test", START + HOUR_MS - 1)).toBeNull();
  expect(await ThrottleCount.find()).toMatchObject([{ count: 1, until: new Date(START + HOUR_MS) }]);
  expect(first?.send.throttled).toMatchObject({ until: new Date(START + HOUR_MS) });
  const send = first === null ? null : await scoped(workspaceId).Send.get(first.send._id);
  if (send !== null) await inTransaction(() => releaseBooking(send));
  expect(await ThrottleCount.find()).toMatchObject([{ count: 0 }]);
  expect(await hours(["c@a.test"])).toEqual([0]);
});

test("a sent email stays in the throttle count even after its slot is freed", async () => {
  const { book, hours } = await throttled({ recipientDomainHourlyLimit: 1, maxNewLeadsPerDay: 1 });
  const first = await book("a@a.test");
  if (first === null) throw new Error("It was not booked");
  await inTransaction(() => freeSlot({ ...first.send, sentAt: new Date() }));
  expect((await hours(["b@a.test"]))[0]).toBeGreaterThan(0);
});

test("a released booking of a new lead no longer counts among the day's new leads", async () => {
  const { book, hours, workspaceId } = await throttled({ maxNewLeadsPerDay: 1 });
  const first = await book("a@a.test");
  const send = first === null ? null : await scoped(workspaceId).Send.get(first.send._id);
  if (send !== null) await inTransaction(() => releaseBooking(send));
  expect(await hours(["b@a.test"])).toEqual([0]);
  expect((await hours(["c@a.test"]))[0]).toBeGreaterThan(0);
});

test("a campaign without throttles stores no throttle counts", async () => {
  const { hours, ThrottleCount } = await throttled({});
  await hours(["a@a.test"]);
  expect(await ThrottleCount.count()).toBe(0);
});
