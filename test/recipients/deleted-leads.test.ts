import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { enrol } from "../../store/recipients/enrol.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A campaign without recipients, two leads, and the enrolment of both. */
async function twoLeads() {
  const { rest, workspaceId } = await world.workspace();
  const { campaignId } = await readyCampaign(rest, workspaceId, []);
  for (const email of ["ada@x.test", "grace@x.test"]) await rest.post("/leads", { email });
  const { Campaign, Lead, Recipient } = scoped(workspaceId);
  const [ada, grace] = await Lead.find({}, { sort: { email: 1 } });
  const campaign = await Campaign.get(campaignId);
  if (ada === undefined || grace === undefined || campaign === null) throw new Error("not made");
  const settings = settingsOf(campaign.settings);
  const join = () => enrol({ campaign, settings, leads: [ada, grace], workspaceZone: "UTC", actor: null });
  const remove = () => rest.post("/leads/manage", { action: "delete", leadId: ada._id });
  const read = async () => ({
    leads: (await Lead.find({})).map(({ email }) => email),
    open: (await Recipient.find({ status: "PENDING" })).map(({ email }) => email),
  });
  return { join, remove, read };
}

/** How many transactions ended without a commit: conflicts, in this test. */
async function countAborted(): Promise<number> {
  const status = await mongoose.connection.db?.admin().serverStatus();
  return status?.["transactions"].totalAborted;
}

test("a lead that was deleted after its list was read does not become a recipient", async () => {
  const { join, remove, read } = await twoLeads();
  expect((await remove()).status).toBe(200);
  expect(await inTransaction(join)).toEqual({ added: 1, alreadyPresent: 0 });
  expect(await read()).toEqual({ leads: ["grace@x.test"], open: ["grace@x.test"] });
});

test("a lead that is deleted while it is added to a campaign leaves no open recipient", async () => {
  const { join, remove, read } = await twoLeads();
  const before = await countAborted();
  let removing: ReturnType<typeof remove> | undefined;
  await inTransaction(async () => {
    await join();
    let isRemoved = false;
    removing ??= remove().finally(() => {
      isRemoved = true;
    });
    await until(async () => isRemoved || (await countAborted()) > before, {
      deadlineMs: 300_000,
      what: "the deletion to meet the addition",
    });
  });
  expect((await removing)?.status).toBe(200);
  expect(await read()).toEqual({ leads: ["grace@x.test"], open: ["grace@x.test"] });
});
