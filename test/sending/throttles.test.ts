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

/** A whole hour, far enough for no clock to matter. */
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
    const request = { campaign, settings: known, recipient, mailbox: sender, calendar, stepId: "stp_1", isNewLead: true };
    return inTransaction(() => bookStep({ ...request, earliest: START, latest }));
  };
  /** In which hour from the start each of them is booked. */
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

test("so many mails an hour to one domain, and the next ones an hour later; others are not held up", async () => {
  const { hours } = await throttled({ recipientDomainHourlyLimit: 2 });
  expect(await hours(people(5, "a.test"))).toEqual([0, 0, 1, 1, 2]);
  expect(await hours(people(2, "b.test"))).toEqual([0, 0]);
});

test("so many mails an hour from one sending domain, whoever they are to", async () => {
  const { hours } = await throttled({ senderDomainHourlyLimit: 2 });
  expect(await hours(["x@a.test", "x@b.test", "x@c.test"])).toEqual([0, 0, 1]);
});

test("so many mails a day to one company, over its sub-domains and the campaigns of the workspace", async () => {
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

test("a booking that is given back makes room again, and one that finds none counts nowhere", async () => {
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

test("a mail that went out stays counted, also when its slot is freed", async () => {
  const { book, hours } = await throttled({ recipientDomainHourlyLimit: 1, maxNewLeadsPerDay: 1 });
  const first = await book("a@a.test");
  if (first === null) throw new Error("It was not booked");
  await inTransaction(() => freeSlot({ ...first.send, sentAt: new Date() }));
  expect((await hours(["b@a.test"]))[0]).toBeGreaterThan(0);
});

test("new leads of a day are counted back when their booking is", async () => {
  const { book, hours, workspaceId } = await throttled({ maxNewLeadsPerDay: 1 });
  const first = await book("a@a.test");
  const send = first === null ? null : await scoped(workspaceId).Send.get(first.send._id);
  if (send !== null) await inTransaction(() => releaseBooking(send));
  expect(await hours(["b@a.test"])).toEqual([0]);
  expect((await hours(["c@a.test"]))[0]).toBeGreaterThan(0);
});

test("without a throttle nothing is counted", async () => {
  const { hours, ThrottleCount } = await throttled({});
  await hours(["a@a.test"]);
  expect(await ThrottleCount.count()).toBe(0);
});
