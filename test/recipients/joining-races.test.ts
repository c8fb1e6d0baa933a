import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction, outsideTransaction } from "../../mongo/transaction.ts";
import { membersOf } from "../../store/campaigns/audience.ts";
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
  const rename = (email: string) => rest.post("/leads/manage", { action: "update", leadId: ada._id, patch: { email } });
  const read = async () => ({
    leads: (await Lead.find({}, { sort: { email: 1 } })).map(({ email }) => email),
    open: (await Recipient.find({ status: "PENDING" })).map(({ email }) => email),
  });
  return { join, remove, rename, read };
}

test("a lead whose address was changed after its list was read does not join with the old address", async () => {
  const { join, read, rename } = await twoLeads();
  expect((await rename("new@x.test")).status).toBe(200);
  expect(await inTransaction(join)).toEqual({ added: 1, alreadyPresent: 0 });
  expect(await read()).toEqual({ leads: ["grace@x.test", "new@x.test"], open: ["grace@x.test"] });
});

test("a campaign that is launched while a list is added page by page gets no further page without its effect", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { campaignId, path } = await readyCampaign(rest, workspaceId, []);
  const { body: list } = await rest.post("/lead-lists", { name: "Long" });
  const { Campaign, Lead, Recipient } = scoped(workspaceId);
  const rows = Array.from({ length: 1_200 }, (_, at) => ({
    _id: newId("led"),
    email: `lead${at}@x.test`,
    emailDomain: "x.test",
    listIds: [list.id],
  }));
  await Lead.insertMany(rows);
  const pages: { _id: string }[][] = [];
  for await (const page of membersOf(list)) pages.push(page);
  const held = pages[1]?.[0]?._id ?? "";
  const version = (await Campaign.get(campaignId))?.version;
  const add = () =>
    rest.post(`${path}/recipients`, { action: "addFromList", leadListId: list.id, expectedVersion: version });
  let adding: ReturnType<typeof add> | undefined;
  // The second page has to wait, because this transaction writes a lead of it
  await inTransaction(async () => {
    await Lead.touch(held);
    adding ??= add();
    await until(() => outsideTransaction(async () => (await Recipient.count({ campaignId })) === 1_000), {
      deadlineMs: 300_000,
      what: "the first page",
    });
    await outsideTransaction(() =>
      Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" }, $inc: { version: 1 } }),
    );
  });
  expect(await adding).toMatchObject({ status: 409, body: { code: "VERSION_CONFLICT" } });
  expect(await Recipient.count({ campaignId })).toBe(1_000);
}, 120_000);

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
