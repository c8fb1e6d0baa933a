import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function created() {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${body.id}`;
  return { rest, workspaceId, path, settings: `${path}/settings` };
}

test("settings that were never set are returned with their defaults", async () => {
  const { rest, settings } = await created();
  expect(await rest.get(settings)).toMatchObject({ status: 200, body: DEFAULT_SETTINGS });
});

test("a patch merges objects, replaces arrays, restores defaults for null at every depth, and keeps unknown keys", async () => {
  const { rest, path, settings } = await created();
  const patch = {
    dailyLimit: 40,
    bounceGuard: { rate: 0.05, minSends: 10 },
    customHolidays: ["2026-12-24"],
    variableFallbacks: { firstName: "there" },
    colour: "red",
  };
  expect((await rest.patch(settings, patch)).body).toMatchObject({
    dailyLimit: 40,
    bounceGuard: { enabled: true, rate: 0.05, minSends: 10, windowDays: 7 },
    colour: "red",
  });
  const second = {
    dailyLimit: null,
    bounceGuard: { rate: null },
    customHolidays: [],
    variableFallbacks: { firstName: null, city: "town" },
  };
  const { body } = await rest.patch(settings, second);
  expect(body).toMatchObject({
    dailyLimit: null,
    bounceGuard: { rate: 0.03, minSends: 10 },
    customHolidays: [],
    variableFallbacks: { city: "town" },
    colour: "red",
  });
  expect(body.variableFallbacks).toEqual({ city: "town" });
  expect((await rest.get(settings)).body).toEqual(body);
  expect((await rest.get(path)).body).toMatchObject({ version: 3, settings: { colour: "red" } });
  const { warnings } = (await rest.get(`${path}/validate`)).body;
  expect(warnings).toContainEqual(expect.objectContaining({ code: "UNKNOWN_SETTING", path: "settings.colour" }));
});

test.each([
  [{ timezone: "Mars/Olympus" }, "timezone"],
  [{ windows: [{ days: [1], from: "17:00", to: "09:00" }] }, "windows.0"],
  [{ windows: [{ days: [8], from: "09:00", to: "17:00" }] }, "windows.0.days.0"],
  [{ dailyLimit: 0 }, "dailyLimit"],
  [{ bounceGuard: { rate: 2 } }, "bounceGuard.rate"],
  [{ bounceGuard: { colour: 2 } }, "bounceGuard.colour"],
  [{ minGapSeconds: 900 }, "minGapSeconds"],
  [{ rotation: "RANDOM" }, "rotation"],
  [{ holidayCountry: "Germany" }, "holidayCountry"],
  [{ colour: { $where: "1" } }, "colour.$where"],
  [{ constructor: 1 }, "constructor"],
])("the patch %j is refused, and nothing of it is stored", async (patch, path) => {
  const { rest, settings } = await created();
  const refused = await rest.patch(settings, { trackOpens: true, ...patch });
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ path }] } } });
  expect((await rest.get(settings)).body.trackOpens).toBe(false);
});

test("a campaign accepts only mailboxes of its own workspace", async () => {
  const { rest, workspaceId, settings } = await created();
  const other = await world.workspace();
  const mine = await storedMailbox(workspaceId);
  const theirs = await storedMailbox(other.workspaceId);
  expect(await rest.patch(settings, { mailboxIds: [mine._id] })).toMatchObject({
    status: 200,
    body: { mailboxIds: [mine._id] },
  });
  expect(await rest.patch(settings, { mailboxIds: [mine._id, theirs._id] })).toMatchObject({
    status: 404,
    body: { code: "MAILBOX_NOT_FOUND" },
  });
});

test("a patch that would grow the settings beyond 100 kB is refused", async () => {
  const { rest, settings } = await created();
  const patches = [1, 2, 3].map((number) => ({ [`note${number}`]: "x".repeat(40_000) }));
  const statuses = [];
  for (const patch of patches) statuses.push((await rest.patch(settings, patch)).status);
  expect(statuses).toEqual([200, 200, 422]);
});
