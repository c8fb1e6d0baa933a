import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { dayAt } from "../../domain/time/zone.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { rollUp, settledAt } from "../../store/analytics/roll-up.ts";
import { ensureSchedules } from "../../temporal/schedules.ts";
import { answerOf, startInbox } from "../inbox/inbox-parts.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { expectRecounted, rollUpAll, writtenTo } from "./reported.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ temporal: true, worker: realWorker() });
});
afterAll(() => world.close());

const client = () => {
  if (world.temporal === null) throw new Error("There is no engine");
  return world.temporal.client;
};
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const round = () => client().workflow.execute("countDays", { taskQueue: "engine", workflowId: newId("tst"), args: [] });

test("every hour at ten past, a round counts the days of every workspace", async () => {
  await ensureSchedules(client());
  const described = await client().schedule.getHandle("day-counts").describe();
  expect(described.action).toMatchObject({ workflowType: "countDays", workflowId: "schedule/day-counts" });
  expect(described.spec.calendars).toMatchObject([{ minute: [{ start: 10, end: 10 }], hour: [{ start: 0, end: 23 }] }]);

  const [one, other] = [await startInbox(world), await startInbox(world)];
  const ada = await writtenTo(one, "ada@b.test", daysAgo(3));
  await writtenTo(other, "bob@c.test", daysAgo(2));
  expect(await round()).toMatchObject({ days: expect.any(Number) });
  for (const { workspaceId } of [one, other]) {
    expect(await scoped(workspaceId).ReportDay.count()).toBeGreaterThan(0);
    await expectRecounted(workspaceId);
  }
  await one.arrive(answerOf(ada, "Tell me more."), { receivedAt: daysAgo(2) });
  expect(await scoped(one.workspaceId).ChangedDay.count()).toBe(1);
  // An hour may have passed since, which is another day for each
  expect((await round()).days).toBeGreaterThanOrEqual(1);
  expect(await scoped(one.workspaceId).ChangedDay.count()).toBe(0);
  await expectRecounted(one.workspaceId);
}, 120_000);

test("all is counted up to the last full hour that has settled, in the workspace's time zone, and later events are read live", async () => {
  const inbox = await startInbox(world);
  await writtenTo(inbox, "ada@b.test", daysAgo(3));
  const now = new Date();
  await writtenTo(inbox, "bob@c.test", now);
  await rollUpAll(inbox.workspaceId, settledAt(now.getTime()));
  const reported = await scoped(inbox.workspaceId).ReportedDays.find();
  for (const { until } of reported) expect([until < now, until.getTime() % HOUR_MS]).toEqual([true, 0]);
  await expectRecounted(inbox.workspaceId);
  // Where it is another day for half of the time, and hours begin at a quarter
  await Workspace.updateOne({ _id: inbox.workspaceId }, { $set: { timezone: "Pacific/Chatham" } });
  await rollUpAll(inbox.workspaceId, settledAt(now.getTime()));
  expect(await scoped(inbox.workspaceId).ReportedDays.find()).toMatchObject([
    { zone: "Pacific/Chatham", hasOthers: false },
    { zone: "Pacific/Chatham", hasOthers: false },
  ]);
  expect(await scoped(inbox.workspaceId).ReportDay.count({ zone: "UTC" })).toBe(0);
  await expectRecounted(inbox.workspaceId);
});

test("a day that has not ended is counted again every hour, and a late round does not lower the counts", async () => {
  const inbox = await startInbox(world);
  const ada = await writtenTo(inbox, "ada@b.test");
  const campaign = await scoped(inbox.workspaceId).Campaign.get(ada.recipient.campaignId);
  if (campaign === null) throw new Error("The campaign is gone");
  const roll = (until: string) => rollUp(campaign, "UTC", new Date(until), () => {});
  const replied = new Date("2026-10-26T10:30:00Z");
  await inbox.arrive(answerOf(ada, "Tell me more."), { receivedAt: replied });
  for (const until of [
    "2026-10-26T10:00:00Z",
    "2026-10-26T11:00:00Z",
    "2026-10-26T10:00:00Z",
    "2026-10-27T00:00:00Z",
    "2026-10-28T01:00:00Z",
  ]) {
    // An event that became known late, so that even an older round counts the day
    await inbox.arrive(answerOf(ada, "And more."), { receivedAt: new Date("2026-10-26T10:40:00Z") });
    await roll(until);
    await expectRecounted(inbox.workspaceId);
  }
  const day = await scoped(inbox.workspaceId).ReportDay.findOne({ day: dayAt("UTC", replied.getTime()) });
  expect(day?.lists["total"]).toMatchObject([{ counts: { replied: 1 } }]);
  expect(await roll("2026-10-28T01:00:00Z")).toBe(0);
});

test("several simultaneous rounds count a campaign like a single round", async () => {
  const inbox = await startInbox(world);
  const ada = await writtenTo(inbox, "ada@b.test");
  await rollUpAll(inbox.workspaceId);
  await inbox.arrive(answerOf(ada, "Tell me more."), { receivedAt: new Date("2026-10-26T10:00:00Z") });
  await Promise.all([rollUpAll(inbox.workspaceId), rollUpAll(inbox.workspaceId), rollUpAll(inbox.workspaceId)]);
  await expectRecounted(inbox.workspaceId);
  expect(await scoped(inbox.workspaceId).ReportDay.count()).toBe(2);
}, 60_000);
