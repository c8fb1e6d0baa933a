import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Restoration } from "../../models/restoration.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { createLog } from "../../runtime/log.ts";
import { settleRestore } from "../../runtime/restore.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { beginRestore } from "../../store/restore.ts";
import { recipientWorkflowId } from "../../temporal/run.ts";
import { admitRecipient } from "../../temporal/starts.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ apart: true, temporal: true });
});

afterAll(() => world.close());

interface Installed {
  workspaceId: string;
  rest: Rest;
  mailboxId: string;
  campaigns: Record<"ACTIVE" | "SCHEDULED" | "PAUSED" | "DRAFT", string>;
}

async function installed(): Promise<Installed> {
  const { workspaceId, rest } = await world.workspace();
  const { Campaign, Mailbox } = scoped(workspaceId);
  const server = { host: "localhost", port: 1, security: "SSL_TLS" as const };
  const fields = (email: string) => ({ email, username: email, smtp: server, imap: server });
  const { _id: mailboxId } = await Mailbox.insert({ _id: newId("mbx"), ...fields(`${newId("mbx")}@a.test`) });
  await Mailbox.insert({ _id: newId("mbx"), ...fields(`${newId("mbx")}@a.test`), status: "DISCONNECTED" });
  const campaignIn = async (status: keyof Installed["campaigns"]) => {
    const { body } = await rest.post("/campaigns", { name: status });
    await Campaign.updateOne(
      { _id: body.id },
      { $set: { status, ...(status === "PAUSED" && { pauseReason: "MANUAL" }) } },
    );
    return body.id as string;
  };
  const campaigns = {
    ACTIVE: await campaignIn("ACTIVE"),
    SCHEDULED: await campaignIn("SCHEDULED"),
    PAUSED: await campaignIn("PAUSED"),
    DRAFT: await campaignIn("DRAFT"),
  };
  return { workspaceId, rest, mailboxId, campaigns };
}

const statusOf = async ({ rest }: Installed, id: string) => {
  const { status, pauseReason } = (await rest.get(`/campaigns/${id}`)).body;
  return [status, pauseReason];
};

test("a restore pauses active and scheduled campaigns in every workspace, once per backup, even if several processes start at once", async () => {
  const all = [await installed(), await installed()];
  const from = new Date("2026-11-20T08:00:00Z");
  const begun = await Promise.all([beginRestore(from), beginRestore(from), beginRestore(from)]);
  expect(begun.filter((one) => one !== null)).toHaveLength(1);
  for (const one of all) {
    const { workspaceId, mailboxId, campaigns } = one;
    expect(await statusOf(one, campaigns.ACTIVE)).toEqual(["PAUSED", "RESTORED"]);
    expect(await statusOf(one, campaigns.SCHEDULED)).toEqual(["PAUSED", "RESTORED"]);
    expect(await statusOf(one, campaigns.PAUSED)).toEqual(["PAUSED", "MANUAL"]);
    expect(await statusOf(one, campaigns.DRAFT)).toEqual(["DRAFT", null]);
    const gates = await scoped(workspaceId).Gate.find({ ownerId: campaigns.ACTIVE });
    expect(gates.filter(({ isOpen }) => isOpen)).toEqual([]);
    const told = await scoped(workspaceId).ActivityEvent.find({ type: "STATUS_CHANGED" });
    const moves = told.map(({ data }) => data).sort((a, b) => (String(a["from"]) < String(b["from"]) ? -1 : 1));
    const because = { restoredFrom: from.toISOString() };
    expect(moves).toMatchObject(
      ["ACTIVE", "SCHEDULED"].map((was) => ({ from: was, to: "PAUSED", pauseReason: "RESTORED", because })),
    );
    expect(await scoped(workspaceId).SentFolderCheck.find()).toMatchObject([{ _id: mailboxId, since: from }]);
  }
});

test("a restore interrupted while pausing campaigns is completed by the next start", async () => {
  const one = await installed();
  const { workspaceId, mailboxId, campaigns } = one;
  const from = new Date("2026-11-20T08:30:00Z");
  await Restoration.create({ _id: from.toISOString(), steps: 2 });
  await scoped(workspaceId).SentFolderCheck.insert({ _id: mailboxId, since: from, giveUpAt: from });
  await scoped(workspaceId).Campaign.updateOne(
    { _id: campaigns.ACTIVE },
    { $set: { status: "PAUSED", pauseReason: "RESTORED" } },
  );
  expect(await beginRestore(from)).toMatchObject({ campaigns: 1 });
  expect(await statusOf(one, campaigns.SCHEDULED)).toEqual(["PAUSED", "RESTORED"]);
  expect((await scoped(workspaceId).SentFolderCheck.get(mailboxId))?.giveUpAt.getTime()).toBeGreaterThan(Date.now());
  expect(await beginRestore(from)).toBeNull();
});

test("no campaign can be launched or reopened until every mailbox of its workspace has been compared; a later backup starts a new restore", async () => {
  const one = await installed();
  const { workspaceId, rest, mailboxId, campaigns } = one;
  const from = new Date("2026-11-20T09:00:00Z");
  await beginRestore(from);
  const codes = async () => {
    const { body } = await rest.post(`/campaigns/${campaigns.DRAFT}/control`, { action: "launch" });
    expect(body.launched).toBe(false);
    return body.validation.errors.map(({ code }: { code: string }) => code);
  };
  expect(await codes()).toContain("RESTORE_UNFINISHED");
  await scoped(workspaceId).Campaign.updateOne({ _id: campaigns.DRAFT }, { $set: { status: "COMPLETED" } });
  const reopen = () =>
    inTransaction(() =>
      moveCampaign(workspaceId, campaigns.DRAFT, { from: ["COMPLETED", "PAUSED"], to: "ACTIVE", actor: null }),
    );
  await reopen();
  expect(await statusOf(one, campaigns.DRAFT)).toEqual(["PAUSED", "RESTORED"]);
  await scoped(workspaceId).SentFolderCheck.deleteOne({ _id: mailboxId });
  await reopen();
  // A further start with the same value changes nothing
  expect(await beginRestore(from)).toBeNull();
  expect(await statusOf(one, campaigns.DRAFT)).toEqual(["ACTIVE", null]);
  expect(await scoped(workspaceId).SentFolderCheck.count()).toBe(0);
  // A later backup is another restore
  expect(await beginRestore(new Date("2026-11-21T09:00:00Z"))).toMatchObject({ campaigns: 1 });
  expect(await statusOf(one, campaigns.DRAFT)).toEqual(["PAUSED", "RESTORED"]);
});

test("recipient runs that Temporal has from before the restore are terminated once, and later runs continue", async () => {
  const { workspaceId, campaigns } = await installed();
  const client = world.temporal?.client;
  if (client === undefined) throw new Error("This world has an engine");
  const runOf = async () => {
    const recipientId = newId("rcp");
    await admitRecipient(client, { v: 1, workspaceId, campaignId: campaigns.ACTIVE, recipientId }, 0);
    return client.workflow.getHandle(recipientWorkflowId(recipientId));
  };
  const before = [await runOf(), await runOf()];
  const open = async () =>
    (await client.workflow.count("WorkflowType = 'recipient' AND ExecutionStatus = 'Running'")).count;
  await until(async () => (await open()) === 2, { deadlineMs: 20_000, what: "the runs to be listed" });
  const from = new Date("2026-11-22T01:00:00Z");
  const settle = () => settleRestore(from, () => client, createLog("silent"), new AbortController().signal);
  await settle();
  for (const run of before) expect((await run.describe()).status.name).toBe("TERMINATED");
  const after = await runOf();
  await until(async () => (await open()) === 1, { deadlineMs: 20_000, what: "the new run to be listed" });
  await settle();
  expect((await after.describe()).status.name).toBe("RUNNING");
  // A process that was killed before it noted that they were ended
  await Restoration.updateOne({ _id: from.toISOString() }, { $set: { runsEndedAt: null } });
  await settle();
  expect((await after.describe()).status.name).toBe("RUNNING");
});
