import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { useSlowDatabase } from "../support/slow-database.ts";
import { readyCampaign } from "./campaign-parts.ts";

const database = useSlowDatabase();

test("a list of campaigns answers with null and `partial` for figures that take too long", async () => {
  const { rest, workspaceId } = await database.world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, ["ann@example.test"]);
  const listed = async () => (await rest.get("/campaigns?include=metrics,sendingStatus")).body.items[0];
  const whole = await listed();
  expect(whole).toMatchObject({ partial: false, metrics: { recipients: 1 }, sendingStatus: { code: "DRAFT" } });
  await database.expire("campaign_counters");
  expect(await listed()).toEqual({ ...whole, metrics: null, partial: true });
  expect((await rest.get(path)).body).toMatchObject({ id: campaignId, metrics: null, partial: true });
  await database.expire("recipients");
  expect(await listed()).toEqual({ ...whole, sendingStatus: null, partial: true });
  await database.expire(null);
  await scoped(workspaceId).CampaignCounter.deleteMany({ campaignId });
  await database.expire("recipients");
  expect(await listed()).toEqual({ ...whole, metrics: null, sendingStatus: null, partial: true });
  await database.expire(null);
  expect(await listed()).toEqual(whole);
});
