import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { WorkflowNotFoundError } from "@temporalio/client";
import { replyWorkflowId } from "../../domain/inbox/reply.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { createLog } from "../../runtime/log.ts";
import * as ids from "../../temporal/run.ts";
import { startReconciler } from "../../worker/reconciler.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { wholeShare } from "../support/shares.ts";
import { startWorld, type World } from "../support/world.ts";

const [LONG_AGO, JUST_NOW] = [2 * MINUTE_MS, 0];
const STEADY = { timestamps: false, acrossWorkspaces: true } as const;

let world: World;
let workspaceId: string;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
});
beforeEach(async () => {
  ({ workspaceId } = await world.workspace());
});
afterAll(() => world.close());

/** One round over the whole ledger; no worker acts on the runs that it starts. */
async function reconciled(share = wholeShare()): Promise<void> {
  const complaints: string[] = [];
  const log = createLog("warn", { write: (line) => void complaints.push(line) });
  await startReconciler(() => world.temporal?.client ?? null, log, share).stop();
  expect(complaints).toEqual([]);
}

async function runs(...workflowIds: string[]): Promise<boolean[]> {
  const isThere = async (workflowId: string) => {
    try {
      await world.temporal?.client.workflow.getHandle(workflowId).describe();
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
  return Promise.all(workflowIds.map(isThere));
}

const ago = (ms: number) => new Date(Date.now() - ms);

/** An answer of the inbox as its caller left it; answers the id of the run that sends it. */
async function answer(ms: number, fields: Partial<Send> = {}): Promise<string> {
  const sendKey = randomUUID();
  const row = {
    kind: "REPLY" as const,
    threadId: newId("thr"),
    mailboxId: newId("mbx"),
    to: "bob@b.test",
    sendKey,
    ...fields,
  };
  const { _id } = await scoped(workspaceId).Send.insert({ _id: newId("snd"), ...row });
  await Send.updateOne({ _id }, { $set: { updatedAt: ago(ms) } }, STEADY);
  return replyWorkflowId(workspaceId, sendKey);
}

async function scheduled(sendAt: Date, status: "PENDING" | "SENDING" | "CANCELLED" = "PENDING"): Promise<string> {
  const asked = {
    idempotencyKey: randomUUID(),
    argumentHash: "hash",
    inReplyToMessageId: newId("msg"),
    createdBy: "key",
  };
  const place = { threadId: newId("thr"), mailboxId: newId("mbx"), to: "bob@b.test" };
  const { _id } = await scoped(workspaceId).ScheduledReply.insert({
    _id: newId("srp"),
    ...asked,
    ...place,
    sendAt,
    status,
  });
  return ids.scheduledReplyWorkflowId(_id);
}

test("the reconciler starts the sending run of an inbox reply reserved over a minute ago, and of no other email", async () => {
  const forgotten = await answer(LONG_AGO);
  const others = [
    await answer(JUST_NOW),
    await answer(LONG_AGO, { state: "UNKNOWN" }),
    await answer(LONG_AGO, { state: "SENT" }),
    await answer(LONG_AGO, { kind: "TEST", threadId: null }),
  ];
  await reconciled();
  expect(await runs(forgotten, ...others)).toEqual([true, false, false, false, false]);
});

test("a reconciler whose lease is over starts nothing, also when nothing has told it yet", async () => {
  const forgotten = await answer(LONG_AGO);
  await reconciled(wholeShare(1, { isHeld: () => false }));
  expect(await runs(forgotten)).toEqual([false]);
  await reconciled();
  expect(await runs(forgotten)).toEqual([true]);
});

test("the reconciler restarts the run of an overdue scheduled reply, pending or sending, but not of a cancelled or future one", async () => {
  const overdue = [await scheduled(ago(LONG_AGO)), await scheduled(ago(LONG_AGO), "SENDING")];
  const others = [await scheduled(ago(LONG_AGO), "CANCELLED"), await scheduled(ago(-LONG_AGO))];
  await reconciled();
  expect(await runs(...overdue, ...others)).toEqual([true, true, false, false]);
});

test("after Temporal lost all runs, the reconciler restarts those of mailboxes, Sent folder checks, stuck jobs and deliveries", async () => {
  const { SentFolderCheck, Job: Jobs, WebhookDelivery } = scoped(workspaceId);
  const { _id: watched } = await storedMailbox(workspaceId);
  const { _id: refused } = await storedMailbox(workspaceId, { status: "RECONNECT_REQUIRED" });
  const { _id: gone } = await storedMailbox(workspaceId, { status: "DISCONNECTED" });
  await SentFolderCheck.insert({ _id: gone, since: ago(LONG_AGO), giveUpAt: ago(-LONG_AGO) });
  const [stuck, moving] = [newId("job"), newId("job")];
  for (const _id of [stuck, moving]) await Jobs.insert({ _id, status: "RUNNING", chunkCount: 1 });
  await Job.updateOne({ _id: stuck }, { $set: { updatedAt: ago(LONG_AGO) } }, STEADY);
  const delivery = {
    subscriptionId: "whs_1",
    event: "SENT",
    eventId: "evt_1",
    body: Buffer.from("{}"),
    host: "b.test",
  };
  const { _id: posted } = await WebhookDelivery.insert({
    _id: newId("whd"),
    ...delivery,
    nextAttemptAt: ago(10 * MINUTE_MS),
  });
  const waiting = { ...delivery, subscriptionId: "whs_2", waitsFor: "whs_2" };
  await WebhookDelivery.insert({ _id: newId("whd"), ...waiting });
  await reconciled();
  expect(await runs(...["whs_1", "whs_2"].map(ids.webhookFeedWorkflowId))).toEqual([false, true]);
  const mailboxes = [watched, refused, gone].map(ids.mailboxSyncWorkflowId);
  expect(await runs(...mailboxes)).toEqual([true, false, true]);
  expect(await runs(...[stuck, moving].map(ids.jobWorkflowId), ids.webhookDeliveryWorkflowId(posted))).toEqual([
    true,
    false,
    true,
  ]);
});
