import { expect, test } from "@jest/globals";
import { commandsOf } from "../support/profiled.ts";
import { readyCampaign } from "./campaign-parts.ts";
import { campaignWith, type Plan, type Row, type StoredStep, useSetup, world } from "./figures-setup.ts";

useSetup();

const WROTE: Plan = {
  mails: [
    { state: "SENT", variant: 0, minutes: 200 },
    { state: "SENT", variant: 1, minutes: 6_000 },
  ],
  after: null,
  replies: [0],
  isPositive: true,
  isAutoReply: false,
  isHard: false,
  unsubscribes: true,
};

test("days are in the campaign's time zone, also across a change of clocks, and no day is left out", async () => {
  const { rest, path } = await campaignWith([WROTE]);
  const { body } = await rest.get(`${path}/metrics`);
  // 23:20 UTC is the next day in Berlin, where the clocks change on the 29th
  expect(body.timezone).toBe("Europe/Berlin");
  const days = body.days.map(({ date, sent, replied }: { date: string } & Row) => [date, sent, replied]);
  expect(days).toEqual([
    ["2026-03-29", 1, 0],
    ["2026-03-30", 0, 0],
    ["2026-03-31", 0, 0],
    ["2026-04-01", 0, 0],
    ["2026-04-02", 1, 1],
  ]);
});

test("figures of a removed step or variant stay, marked as removed", async () => {
  const { rest, path, steps } = await campaignWith([WROTE]);
  const [one, two, three] = (await rest.get(`${path}/sequence`)).body.steps;
  const left = [{ ...two, variants: two.variants.slice(0, 1) }, three];
  expect((await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: left })).status).toBe(200);
  const { body } = await rest.get(`${path}/metrics`);
  expect(
    body.steps.map(
      ({ stepId, order, isRemoved, sent, replied }: StoredStep & Row & { order: number; isRemoved: boolean }) => [
        stepId,
        order,
        isRemoved,
        sent,
        replied,
      ],
    ),
  ).toEqual([
    [two.stepId, 1, false, 1, 0],
    [three.stepId, 2, false, 0, 0],
    [one.stepId, null, true, 1, 1],
  ]);
  expect(body.steps[0].variants).toMatchObject([
    { label: "A", isRemoved: false, sent: 0, unsubscribed: 0 },
    { variantId: steps[1]?.variants[1]?.variantId, label: null, isRemoved: true, sent: 1, unsubscribed: 1 },
  ]);
});

test("a campaign that has sent nothing has zeros for its steps and no days, and null for untracked opens", async () => {
  const { rest, path, workspaceId } = await campaignWith([]);
  const { body } = await rest.get(`${path}/metrics`);
  expect(body).toMatchObject({ totals: { sent: 0, opened: null, clicked: null }, days: [] });
  expect(body.steps).toHaveLength(3);
  expect(body.steps[0]).toMatchObject({ contacted: 0, sent: 0, opened: null, replyRate: 0, isRemoved: false });
  const other = await world.workspace();
  expect(await other.rest.get(`${path}/metrics`)).toMatchObject({ status: 404, body: { code: "CAMPAIGN_NOT_FOUND" } });
  expect(workspaceId).not.toBe(other.workspaceId);
});

test("a list of campaigns includes the requested parts as a single read shows them, and refuses unknown parts", async () => {
  const { rest, path, workspaceId } = await campaignWith([WROTE, { ...WROTE, replies: [] }]);
  const second = await readyCampaign(rest, workspaceId, ["ada@example.test"]);
  await rest.post("/campaigns", { name: "Third" });
  const plain = (await rest.get("/campaigns")).body.items;
  expect(plain.map((one: object) => "metrics" in one || "sendingStatus" in one)).toEqual([false, false, false]);
  const { items } = (await rest.get("/campaigns?include=metrics,sendingStatus")).body;
  expect(items).toHaveLength(3);
  for (const item of items) {
    const { metrics, sendingStatus } = (await rest.get(`/campaigns/${item.id}`)).body;
    expect(item).toMatchObject({ metrics, sendingStatus });
  }
  expect(items.find(({ id }: { id: string }) => path.endsWith(id)).metrics).toMatchObject({ sent: 4, replied: 1 });
  expect(items.find(({ id }: { id: string }) => id === second.campaignId).metrics).toMatchObject({
    recipients: 1,
    sent: 0,
  });
  const [alone] = (await rest.get("/campaigns?include=metrics&pageSize=1")).body.items;
  expect([alone.metrics.sent, "sendingStatus" in alone]).toEqual([0, false]);
  expect(await rest.get("/campaigns?include=metrics,secrets")).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED" },
  });
});

test("the emails of a campaign are counted from an index, without reading any of them", async () => {
  const { rest, path } = await campaignWith(Array.from({ length: 30 }, () => WROTE));
  const ran = await commandsOf(rest, `${path}/metrics`, "sends");
  const grouped = ran.filter(({ planSummary = "" }) => planSummary.includes("variantId: 1"));
  expect(grouped.map(({ docsExamined }) => docsExamined)).toEqual([0]);
});
