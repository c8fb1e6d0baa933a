import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { signToken } from "../../domain/access/tokens.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Restoration } from "../../models/restoration.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createLog } from "../../runtime/log.ts";
import { purgeDeletedWorkspace } from "../../store/purge-workspaces.ts";
import { campaignWorkflowId, recipientWorkflowId } from "../../temporal/run.ts";
import { startCampaign, wakeRecipient } from "../../temporal/starts.ts";
import { endRunsOf, startPurger } from "../../worker/purger.ts";
import { until } from "../fakes/wait.ts";
import { wholeShare } from "../support/shares.ts";
import { startWorld, type World } from "../support/world.ts";
import { titleOf } from "./titles.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true, temporal: true });
}, 60_000);
afterAll(() => world.close());

const DELETE = { action: "delete", confirmName: "Acme" };

/** The day after the one on which everything that is deleted now is purged. */
const later = (ms = 0) => new Date(Date.now() + 31 * DAY_MS + ms);

/** A document with its own value in every field of the schema, and with this workspace where the schema names one. */
function documentFor(model: mongoose.Model<unknown>, workspaceId: string): Record<string, unknown> {
  const fields = Object.entries(model.schema.paths).map(([path, type]): [string, unknown] => {
    if (/workspaceId$/i.test(path) && path !== "parentWorkspaceId") return [path, workspaceId];
    if (type.instance === "Date") return [path, later()];
    return [path, type.instance === "String" ? newId("tst") : type.instance === "Number" ? 0 : null];
  });
  return Object.fromEntries(fields.filter(([path]) => !path.includes(".") && !path.includes("$")));
}

/** The collections that name something anywhere, each with the number of its documents that do. */
async function collectionsNaming(id: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const collection of (await mongoose.connection.db?.collections()) ?? []) {
    for await (const document of collection.find()) {
      if (JSON.stringify(document).includes(id))
        counts[collection.collectionName] = (counts[collection.collectionName] ?? 0) + 1;
    }
  }
  return counts;
}

test("30 days after its deletion a workspace has only audit log and purge record left, and other workspaces keep all documents", async () => {
  const [gone, other] = [await world.workspace(), await world.workspace()];
  const models = mongoose.modelNames().map((name) => mongoose.model<unknown>(name));
  const owned = models.filter(({ schema }) =>
    Object.keys(schema.paths).some((path) => /workspaceId$/i.test(path) && path !== "parentWorkspaceId"),
  );
  expect(owned.length).toBeGreaterThan(75);
  const chains = ["audit_heads", "audit_entries", "audit_deeds"];
  for (const model of owned.filter(({ collection }) => !chains.includes(collection.name))) {
    for (const { workspaceId } of [gone, other])
      await model.collection.insertOne(documentFor(model, workspaceId) as never);
  }
  await Workspace.updateOne({ _id: other.workspaceId }, { $set: { parentWorkspaceId: gone.workspaceId } });
  const before = await collectionsNaming(other.workspaceId);
  expect((await gone.rest.post("/workspace", DELETE)).status).toBe(200);
  expect(await purgeDeletedWorkspace(new Date(Date.now() + 29 * DAY_MS))).toBe(false);
  expect(await purgeDeletedWorkspace(later())).toBe(true);
  expect(Object.keys(await collectionsNaming(gone.workspaceId)).sort()).toEqual([
    "audit_entries",
    "audit_heads",
    "purged_workspaces",
  ]);
  expect(await collectionsNaming(other.workspaceId)).toEqual(before);
  expect(await purgeDeletedWorkspace(later())).toBe(false);
}, 120_000);

test("a purge terminates the workspace's open runs, and the runs of other workspaces continue", async () => {
  const client = world.temporal?.client;
  if (client === undefined) throw new Error("There is no Temporal");
  const [gone, other] = [await world.workspace(), await world.workspace()];
  const runs: Record<string, string[]> = {};
  for (const { workspaceId, rest } of [gone, other]) {
    const campaign = (await rest.post("/campaigns", { name: "Spring" })).body.id;
    const recipientId = newId("rcp");
    const fields = {
      campaignId: campaign,
      leadId: "led_1",
      email: "a@b.test",
      shard: 0,
      cid: newId("rcp"),
      admittedAt: new Date(),
    };
    await scoped(workspaceId).Recipient.insert({ _id: recipientId, ...fields });
    await startCampaign(client, { v: 1, workspaceId, campaignId: campaign });
    await wakeRecipient(client, { v: 1, workspaceId, campaignId: campaign, recipientId }, "replan");
    runs[workspaceId] = [campaignWorkflowId(campaign), recipientWorkflowId(recipientId)];
  }
  await gone.rest.post("/workspace", DELETE);
  expect(
    await purgeDeletedWorkspace(later(), { endRuns: (model, documents) => endRunsOf(client, model, documents) }),
  ).toBe(true);
  const statuses = (workspaceId: string) =>
    Promise.all(
      (runs[workspaceId] ?? []).map(async (id) => (await client.workflow.getHandle(id).describe()).status.name),
    );
  expect(await statuses(gone.workspaceId)).toEqual(["TERMINATED", "TERMINATED"]);
  expect(await statuses(other.workspaceId)).toEqual(["RUNNING", "RUNNING"]);
}, 120_000);

test("an interrupted purge is not repeated immediately, and another process completes the purge an hour later", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/leads", { email: "ada@people.test" });
  await rest.post("/workspace", DELETE);
  const dying = () => Promise.reject(new Error("killed"));
  await expect(purgeDeletedWorkspace(later(), { endRuns: dying })).rejects.toThrow("killed");
  expect(await Workspace.findOne({ _id: workspaceId })).not.toBeNull();
  expect(await purgeDeletedWorkspace(later())).toBe(false);
  expect(await purgeDeletedWorkspace(later(HOUR_MS))).toBe(true);
  expect(await scoped(workspaceId).Lead.count({})).toBe(0);
}, 60_000);

test("documents written during the purge of a workspace are purged too", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/leads", { email: "ada@people.test" });
  await rest.post("/workspace", DELETE);
  let isLate = false;
  // A mailbox that was being read writes a guard, whose collection is empty already
  const endRuns = async (model: string) => {
    if (model !== "Lead" || isLate) return;
    isLate = true;
    await scoped(workspaceId).AddressGuard.insert({ _id: `${workspaceId}:late`, reasons: ["UNSUBSCRIBED"] });
  };
  expect(await purgeDeletedWorkspace(later(), { endRuns })).toBe(true);
  expect(await scoped(workspaceId).AddressGuard.count({})).toBe(0);
  expect(isLate).toBe(true);
});

test("after a purge an unsubscribe link shows that no more emails will come, unless a backup was restored since", async () => {
  const { rest, workspaceId } = await world.workspace();
  const sendId = newId("snd");
  await scoped(workspaceId).Send.insert({ _id: sendId, to: "ada@people.test", state: "SENT" });
  const unsigned = `${world.baseUrl}/u/${signToken(world.services.signing, "u", sendId)}x`;
  const url = `${world.baseUrl}/u/${signToken(world.services.signing, "u", sendId)}`;
  expect(await titleOf(url)).toBe("Unsubscribe");
  await rest.post("/workspace", DELETE);
  expect(await titleOf(url)).toBe("Unsubscribe");
  await purgeDeletedWorkspace(later());
  expect(await titleOf(url)).toBe("You will get no more emails");
  expect(await titleOf(url, { "Accept-Language": "de" })).toBe("Sie erhalten keine E-Mails mehr");
  const click = await fetch(url, { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) });
  expect([click.status, await click.text()]).toEqual([
    200,
    "This sender no longer uses this service. You will get no more emails.\n",
  ]);
  expect(await scoped(workspaceId).AddressGuard.count({})).toBe(0);
  expect(await titleOf(unsigned)).toBe("This link is not valid");
  const never = `${world.baseUrl}/u/${signToken(world.services.signing, "u", newId("snd"))}`;
  expect([await titleOf(never), (await fetch(never, { method: "POST" })).status]).toEqual([
    "This link is not valid",
    404,
  ]);
  // An older backup was restored since: the workspace that sent this may exist and have no row of it
  const backup = new Date(Date.now() - HOUR_MS).toISOString();
  await Restoration.updateOne({ _id: backup }, { $set: { begunAt: new Date() } }, { upsert: true });
  expect(await titleOf(url)).toBe("This link is not valid");
  await Restoration.deleteMany({});
});

test("the worker takes the daily round of a workspace with a retention when it is due", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { Job } = scoped(workspaceId);
  const finished = { type: "LEAD_IMPORT", status: "COMPLETED", chunkCount: 0, parameters: {}, state: {} } as const;
  const { _id } = await Job.insert({ _id: newId("job"), ...finished, finishedAt: new Date(Date.now() - 8 * DAY_MS) });
  await rest.patch("/workspace/retention", { jobs: 7 });
  const purger = startPurger(() => world.temporal?.client ?? null, createLog("silent"), wholeShare(), 50);
  try {
    await Workspace.updateOne({ _id: workspaceId }, { $set: { retentionDueAt: new Date() } });
    await until(async () => (await Job.get(_id)) === null, { deadlineMs: 10_000, what: "the deletion of an old job" });
    const finishedRound = async () => (await rest.get("/workspace/retention")).body.lastRound?.finishedAt ?? null;
    await until(async () => (await finishedRound()) !== null, { deadlineMs: 10_000, what: "the report of the round" });
  } finally {
    await purger.stop();
  }
});
