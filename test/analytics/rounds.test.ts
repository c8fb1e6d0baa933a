import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { dayAt } from "../../domain/time/zone.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { newId } from "../../mongo/ids.ts";
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
const round = () => client().workflow.execute("countDays", { taskQueue: "engine", workflowId: newId("tst"), args: [] });

test("every hour at ten past a round counts the days of every workspace", async () => {
  await ensureSchedules(client());
  const described = await client().schedule.getHandle("day-counts").describe();
  expect(described.action).toMatchObject({ workflowType: "countDays", workflowId: "schedule/day-counts" });
  expect(described.spec.calendars).toMatchObject([{ minute: [{ start: 10, end: 10 }], hour: [{ start: 0, end: 23 }] }]);

  const [one, other] = [await startInbox(world), await startInbox(world)];
  const ada = await writtenTo(one, "ada@b.test");
  await writtenTo(other, "bob@c.test");
  expect(await round()).toMatchObject({ days: expect.any(Number) });
  for (const { workspaceId } of [one, other]) {
    expect(await scoped(workspaceId).ReportDay.count()).toBeGreaterThan(0);
    await expectRecounted(workspaceId);
  }
  await one.arrive(answerOf(ada, "Tell me more."), { receivedAt: new Date("2026-10-26T10:00:00Z") });
  expect(await scoped(one.workspaceId).ChangedDay.count()).toBe(1);
  expect(await round()).toEqual({ days: 1 });
  expect(await scoped(one.workspaceId).ChangedDay.count()).toBe(0);
  await expectRecounted(one.workspaceId);
}, 120_000);

test("a day is counted once it has ended and settled, in the workspace's own zone, and today never", async () => {
  const inbox = await startInbox(world);
  await writtenTo(inbox, "ada@b.test");
  await rollUpAll(inbox.workspaceId);
  const [days] = await scoped(inbox.workspaceId).ReportedDays.find();
  const settled = dayAt("UTC", Date.now() - 10 * MINUTE_MS) - 1;
  expect([settled - 1, settled]).toContain(days?.last);
  // On the other side of the date line, where it is another day half of the time
  await Workspace.updateOne({ _id: inbox.workspaceId }, { $set: { timezone: "Pacific/Kiritimati" } });
  await rollUpAll(inbox.workspaceId);
  const [moved] = await scoped(inbox.workspaceId).ReportedDays.find();
  expect(moved).toMatchObject({ zone: "Pacific/Kiritimati", hasOthers: false });
  expect((moved?.last ?? 0) - dayAt("Pacific/Kiritimati", Date.now())).toBeLessThan(0);
  expect(await scoped(inbox.workspaceId).ReportDay.count({ zone: "UTC" })).toBe(0);
  await expectRecounted(inbox.workspaceId);
});

test("two rounds at once count a campaign as one would", async () => {
  const inbox = await startInbox(world);
  const ada = await writtenTo(inbox, "ada@b.test");
  await rollUpAll(inbox.workspaceId);
  await inbox.arrive(answerOf(ada, "Tell me more."), { receivedAt: new Date("2026-10-26T10:00:00Z") });
  await Promise.all([rollUpAll(inbox.workspaceId), rollUpAll(inbox.workspaceId), rollUpAll(inbox.workspaceId)]);
  await expectRecounted(inbox.workspaceId);
  expect(await scoped(inbox.workspaceId).ReportDay.count()).toBe(2);
}, 60_000);
