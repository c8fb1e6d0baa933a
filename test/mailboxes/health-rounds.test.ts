import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { ensureSchedules } from "../../temporal/schedules.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { healthIn, tellFacts } from "./health-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ temporal: true, worker: realWorker() });
});
afterAll(() => world.close());

const client = () => {
  if (world.temporal === null) throw new Error("There is no engine");
  return world.temporal.client;
};
const round = () =>
  client().workflow.execute("judgeMailboxes", { taskQueue: "engine", workflowId: newId("tst"), args: [] });

test("every hour at minute 25 a round judges the mailboxes of every workspace and updates their alerts", async () => {
  await ensureSchedules(client());
  const described = await client().schedule.getHandle("mailbox-health").describe();
  expect(described.action).toMatchObject({ workflowType: "judgeMailboxes", workflowId: "schedule/mailbox-health" });
  expect(described.spec.calendars).toMatchObject([{ minute: [{ start: 25, end: 25 }], hour: [{ start: 0, end: 23 }] }]);

  const places = [await world.workspace(), await world.workspace()];
  const bad = await Promise.all(places.map(({ workspaceId }) => storedMailbox(workspaceId)));
  for (const { workspaceId, _id } of bad) await tellFacts(workspaceId, _id, { sent: 100, bounced: 6 });
  expect((await round()).changes).toBeGreaterThanOrEqual(2);
  for (const [index, { rest }] of places.entries()) {
    const mailboxId = bad[index]?._id;
    expect((await rest.get(`/mailboxes/${mailboxId}`)).body.health).toMatchObject({ band: "QUARANTINED" });
    const { items } = (await rest.get("/deliverability/alerts")).body;
    expect(items).toMatchObject([
      { type: "MAILBOX_BAND", status: "OPEN", subjectId: mailboxId, numbers: { numerator: 6, denominator: 100 } },
    ]);
  }
  // Nothing new, and no review is due
  expect(await round()).toEqual({ changes: 0 });
}, 180_000);

test("a health round judges only mailboxes with new facts or a due review", async () => {
  const { workspaceId } = await world.workspace();
  const { Mailbox } = scoped(workspaceId);
  const reviewedAt = new Date(Date.now() - 3 * HOUR_MS);
  const [ago, ahead] = [new Date(Date.now() - HOUR_MS), new Date(Date.now() + 3 * HOUR_MS)];
  const health = (nextReviewAt: Date) => healthIn("HEALTHY", { reviewedAt, nextReviewAt });
  const due = await storedMailbox(workspaceId, { health: health(ago) });
  const resting = await storedMailbox(workspaceId, { health: health(ahead) });
  const told = await storedMailbox(workspaceId, { health: health(ahead) });
  const fresh = await storedMailbox(workspaceId);
  await tellFacts(workspaceId, told._id, { seen: 1 });
  await round();
  const judged = async ({ _id }: { _id: string }) =>
    (await Mailbox.get(_id))?.health?.reviewedAt.getTime() !== reviewedAt.getTime();
  expect(await Promise.all([due, told, fresh, resting].map(judged))).toEqual([true, true, true, false]);
}, 120_000);
