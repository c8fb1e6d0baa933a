import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { MOST_VERSIONS } from "../../store/sequences/versions.ts";
import { mail } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function edited() {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}`;
  const first = await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [mail("one", "One"), mail("two", "Two")],
  });
  const [one, two] = first.body.steps;
  const second = await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [
      { ...two, delay: 4 },
      { ...one, variants: [{ ...one.variants[0], subject: "Uno" }] },
      mail("three", "Three"),
    ],
  });
  return { rest, workspaceId, path, campaignId: body.id as string, one, two, first: first.body, second: second.body };
}

test("the version history shows who changed what, newest first, and includes the state before the first edit", async () => {
  const { rest, path, one, two, second } = await edited();
  await rest.patch(`${path}/settings`, { dailyLimit: 40 });
  const { items, total } = (await rest.get(`${path}/versions`)).body;
  expect(total).toBe(4);
  const by = { kind: "API_KEY", id: expect.stringMatching(/^key_/), name: expect.any(String) };
  const three = second.steps[2].stepId;
  expect(items).toMatchObject([
    { version: 4, action: "UPDATE_SETTINGS", by, changes: [{ field: "settings.dailyLimit", before: null, after: 40 }] },
    {
      version: 3,
      action: "REPLACE_STEPS",
      by,
      revertedTo: null,
      changes: [
        { stepId: two.stepId, field: "order", before: 2, after: 1 },
        {
          stepId: two.stepId,
          field: "delay",
          before: { value: 0, unit: "MINUTES" },
          after: { value: 4, unit: "DAYS" },
        },
        { stepId: one.stepId, variantId: null, field: "order", before: 1, after: 2 },
        { stepId: one.stepId, variantId: one.variants[0].variantId, field: "subject", before: "One", after: "Uno" },
        { stepId: three, field: "step", before: null, after: 3 },
      ],
    },
    { version: 2, action: "REPLACE_STEPS", by },
    { version: 1, action: "SNAPSHOT", by: null, changes: [] },
  ]);
  expect(items[0].steps).toBeUndefined();
  expect((await rest.get(`${path}/versions?page=2&pageSize=3`)).body.items).toMatchObject([{ version: 1 }]);
});

test("an edit that changes nothing, is only planned or is refused creates no version", async () => {
  const { rest, path, second } = await edited();
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: second.steps });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [], planOnly: true });
  await rest.put(`${path}/sequence`, { action: "reorder", orderedStepIds: ["none"] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [], expectedVersion: 1 });
  expect((await rest.get(`${path}/versions`)).body.total).toBe(3);
});

test("a version can be read and restored with its step ids, and the versions in between stay in the history", async () => {
  const { rest, path, first } = await edited();
  await rest.patch(`${path}/settings`, { dailyLimit: 40 });
  const then = await rest.get(`${path}/versions/2`);
  expect(then).toMatchObject({ status: 200, body: { version: 2, mode: "DEFAULT", steps: first.steps } });
  // The sequence at a version that changed only settings is the one of the edit before it
  expect((await rest.get(`${path}/versions/4`)).body.version).toBe(3);
  const planned = await rest.put(`${path}/sequence`, { action: "revert", version: 2, planOnly: true });
  expect(planned).toMatchObject({ status: 200, body: { plan: { effect: { kind: "CHANGE" } } } });
  const reverted = await rest.put(`${path}/sequence`, {
    action: "revert",
    version: 2,
    planToken: planned.body.planToken,
  });
  expect(reverted).toMatchObject({ status: 200, body: { version: 5, steps: first.steps } });
  expect((await rest.get(`${path}/versions`)).body.items[0]).toMatchObject({
    version: 5,
    action: "REVERT",
    revertedTo: 2,
  });
  const back = await rest.put(`${path}/sequence`, { action: "revert", version: 3 });
  expect(back.body.steps.map(({ order }: { order: number }) => order)).toEqual([1, 2, 3]);
});

test("an unknown or invalid version, or a version of another workspace, is refused, and nothing changes", async () => {
  const { rest, path } = await edited();
  const stranger = await world.workspace();
  for (const [asked, status, code] of [
    [rest.get(`${path}/versions/99`), 404, "VERSION_NOT_FOUND"],
    [rest.put(`${path}/sequence`, { action: "revert", version: 99 }), 404, "VERSION_NOT_FOUND"],
    [rest.put(`${path}/sequence`, { action: "revert", version: 0 }), 400, "VALIDATION_FAILED"],
    [rest.put(`${path}/sequence`, { action: "revert", version: 1, expectedVersion: 1 }), 409, "VERSION_CONFLICT"],
    [rest.get(`${path}/versions/x`), 400, "VALIDATION_FAILED"],
    [stranger.rest.get(`${path}/versions`), 404, "CAMPAIGN_NOT_FOUND"],
    [stranger.rest.get(`${path}/versions/2`), 404, "CAMPAIGN_NOT_FOUND"],
    [stranger.rest.put(`${path}/sequence`, { action: "revert", version: 1 }), 404, "CAMPAIGN_NOT_FOUND"],
  ] as const) {
    expect(await asked).toMatchObject({ status, body: { code } });
  }
  expect((await rest.get(`${path}/versions`)).body.total).toBe(3);
});

test("only the newest versions of a campaign are kept", async () => {
  const { rest, workspaceId, path, campaignId } = await edited();
  const { CampaignVersion } = scoped(workspaceId);
  for (let version = 4; version < MOST_VERSIONS + 4; version++) {
    await CampaignVersion.insert({
      _id: `cvr_${campaignId}${version}`,
      campaignId,
      version,
      action: "UPDATE_SETTINGS",
      at: new Date(),
    });
  }
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { version: MOST_VERSIONS + 3 } });
  await rest.patch(`${path}/settings`, { dailyLimit: 41 });
  expect((await rest.get(`${path}/versions`)).body.total).toBe(MOST_VERSIONS);
  expect(await rest.get(`${path}/versions/5`)).toMatchObject({ status: 404, body: { code: "VERSION_NOT_FOUND" } });
});
