import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ worker: realWorker() });
}, 60_000);
afterAll(() => world.close());

const SCHEDULE = "audience-refresh";

function client() {
  if (world.temporal === null) throw new Error("This world has an engine");
  return world.temporal.client;
}

function scheduled() {
  const describe = () => client().schedule.getHandle(SCHEDULE).describe();
  return until(() => describe().catch(() => null), { deadlineMs: 30_000, what: "the schedule" });
}

async function campaignWithList(filterRules?: object) {
  const { rest, workspaceId } = await world.workspace();
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const { body: list } = await rest.post("/lead-lists", { name: "Audience", ...(filterRules && { filterRules }) });
  const act = (body: object) => rest.post(`/campaigns/${campaign.id}/recipients`, body);
  return { rest, workspaceId, campaignId: campaign.id, list, act };
}

test("the worker keeps one schedule that refreshes audiences every 15 minutes, and skips a run while the last one still runs", async () => {
  const described = await scheduled();
  expect(described).toMatchObject({ policies: { overlap: "SKIP" }, spec: { intervals: [{ every: 900_000 }] } });
  expect(described?.action).toMatchObject({
    workflowType: "refreshAudiences",
    workflowId: "schedule/audience-refresh",
  });
});

test("an audience refresh counts DYNAMIC lists, adds new members to campaigns that refresh their audience, and reopens completed campaigns", async () => {
  const { rest, workspaceId, campaignId, list, act } = await campaignWithList({ company: "acme" });
  await rest.post("/leads", { email: "first@x.example", company: "Acme" });
  expect((await act({ action: "addFromList", leadListId: list.id })).body).toMatchObject({ added: 1, total: 1 });
  const idle = await campaignWithList({});
  await idle.act({ action: "addFromList", leadListId: idle.list.id });
  await idle.rest.post("/leads", { email: "nobody@x.example" });
  const { Campaign, LeadList, Recipient } = scoped(workspaceId);
  await rest.patch(`/campaigns/${campaignId}/settings`, { autoRefreshAudience: true });
  const [removed] = await Recipient.find({ campaignId });
  await act({ action: "bulkRemove", recipientIds: [removed?._id] });
  await Campaign.updateOne({ _id: campaignId }, { $set: { status: "COMPLETED", completedReason: "FINISHED" } });
  await rest.post("/leads", { email: "second@x.example", company: "ACME" });
  await scheduled();
  await client().schedule.getHandle(SCHEDULE).trigger();
  await until(async () => (await LeadList.get(list.id))?.memberCount === 2, {
    deadlineMs: 30_000,
    what: "the list to be counted",
  });
  const again = { deadlineMs: 30_000, what: "the campaign to be opened again" };
  const campaign = await until(() => Campaign.findOne({ _id: campaignId, status: "ACTIVE" }), again);
  expect(campaign).toMatchObject({ recipientCount: 1, completedReason: null });
  const open = await Recipient.find({ campaignId, status: trusted({ $ne: "SKIPPED" }) });
  expect(open.map(({ email }) => email)).toEqual(["second@x.example"]);
  expect((await idle.rest.get(`/campaigns/${idle.campaignId}/recipients`)).body.total).toBe(0);
});
