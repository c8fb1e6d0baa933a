import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const STEPS = [
  {
    stepId: "first",
    subject: null,
    variants: [
      { variantId: "a", subject: "Hi", bodyText: "One" },
      { variantId: "b", subject: "Hello", bodyText: "Two" },
    ],
    winner: { mode: "AUTO", winnerVariantId: "b" },
    note: "kept",
  },
  { subject: "", body: "<p>Still there?</p>", delay: { value: 2, unit: "HOURS" } },
];

test("a duplicate is a draft with the same options and sequence under new ids, without recipients or lists", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId);
  await rest.patch(path, { description: "d", goal: "g", clientId: "42" });
  await rest.patch(`${path}/settings`, { dailyLimit: 7, invented: { by: "caller" } });
  await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: STEPS.map(({ subject, ...step }) => ({ ...step, ...(subject !== null && { subject }) })),
  });
  await rest.post(`${path}/control`, { action: "launch" });
  const { body: original } = await rest.get(path);
  const copied = await rest.post(`${path}/duplicate`, {});
  expect(copied).toMatchObject({
    status: 201,
    body: {
      name: "Spring (copy)",
      description: "d",
      goal: "g",
      clientId: "42",
      type: "SEQUENCE",
      status: "DRAFT",
      version: 1,
      launchedAt: null,
      recipientCount: 0,
      audienceListIds: [],
      settings: original.settings,
      metrics: { recipients: 0 },
    },
  });
  const idsOf = (campaign: typeof original): string[] => [
    campaign.id,
    campaign.sequenceId,
    ...campaign.sequence.steps.flatMap((step: { stepId: string; variants: { variantId: string }[] }) => [
      step.stepId,
      ...step.variants.map(({ variantId }) => variantId),
    ]),
  ];
  const ids = idsOf(copied.body);
  expect(new Set([...ids, ...idsOf(original)]).size).toBe(ids.length * 2);
  const [first, second] = copied.body.sequence.steps;
  expect(first).toMatchObject({ note: "kept", winner: { mode: "AUTO", winnerVariantId: first.variants[1].variantId } });
  expect(second).toMatchObject({ threadMode: "SAME_THREAD", delay: { value: 2, unit: "HOURS" } });
  expect(await scoped(workspaceId).Gate.count({ ownerId: copied.body.id, isOpen: false })).toBe(16);

  // A change of the copy does not reach the original
  await rest.put(`/campaigns/${copied.body.id}/sequence`, { action: "replaceSteps", steps: [] });
  expect((await rest.get(`/campaigns/${campaignId}`)).body.sequence.steps).toHaveLength(2);
});

test("a copy can be given a name, an archived campaign can be copied, and a name that is too long is cut", async () => {
  const { rest } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "x".repeat(200) });
  await rest.post(`/campaigns/${body.id}/archive`, {});
  expect((await rest.post(`/campaigns/${body.id}/duplicate`, { newName: "Mine" })).body).toMatchObject({
    name: "Mine",
    status: "DRAFT",
  });
  const long = await rest.post(`/campaigns/${body.id}/duplicate`, {});
  expect(long.body.name).toHaveLength(200);
  expect(long.body.name).toMatch(/x \(copy\)$/);
  expect(await rest.post(`/campaigns/${body.id}/duplicate`, { newName: "" })).toMatchObject({ status: 400 });
});

test("a campaign of another workspace can be neither copied nor archived", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body } = await other.rest.post("/campaigns", { name: "Theirs" });
  for (const id of [body.id, "cmp_00000000000000000000000000"]) {
    for (const verb of ["duplicate", "archive"]) {
      expect(await rest.post(`/campaigns/${id}/${verb}`, {})).toMatchObject({
        status: 404,
        body: { code: "CAMPAIGN_NOT_FOUND" },
      });
    }
  }
  expect((await other.rest.get("/campaigns")).body).toMatchObject({ total: 1, items: [{ status: "DRAFT" }] });
});
