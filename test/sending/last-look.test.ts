import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { ENTERS_WITHIN_MS } from "../../domain/sending/last-look.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { gateId, shardOf } from "../../store/campaigns/gates.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { lastLook, mayFollow } from "../../store/sending/last-look.ts";
import { recordUnknown } from "../../store/sending/record.ts";
import { guardId, suppressAddress } from "../../store/suppression/suppress.ts";
import { until } from "../fakes/wait.ts";
import { type Claimed, claimed, domainOf, rest, useSetup, workspaceId } from "./last-look-setup.ts";

useSetup();

/** Each document that a stop writes, written alone: no lease is ended by it. */
const WRITES: Record<string, { write(claimed: Claimed): Promise<unknown>; undo?(claimed: Claimed): Promise<unknown>; refusal: object }> = {
  "the gate, closed": {
    write: ({ campaignId, recipientId }) =>
      scoped(workspaceId).Gate.updateOne({ _id: gateId(campaignId, shardOf(recipientId)) }, { $set: { isOpen: false } }),
    refusal: { kind: "parked" },
  },
  "the gate's fence": {
    write: ({ campaignId, recipientId }) =>
      scoped(workspaceId).Gate.updateOne({ _id: gateId(campaignId, shardOf(recipientId)) }, { $inc: { fence: 2 } }),
    refusal: { kind: "parked" },
  },
  "the mailbox, paused": {
    write: ({ mailboxId }) => scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { status: "PAUSED" } }),
    undo: ({ mailboxId }) => scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { status: "CONNECTED" } }),
    refusal: { kind: "replan", by: "mailbox" },
  },
  "the guard of the address": {
    write: ({ email }) =>
      scoped(workspaceId).AddressGuard.updateOne({ _id: guardId(workspaceId, email) }, { $set: { reasons: ["MANUAL"] } }),
    refusal: { kind: "stopped", by: "guard", reasons: ["MANUAL"] },
  },
  "a parent of the domain, blocked": {
    write: ({ email }) =>
      scoped(workspaceId).BlockListEntry.insert({
        _id: newId("blk"),
        value: domainOf(email).split(".").slice(1).join("."),
        type: "DOMAIN",
      }),
    refusal: { kind: "stopped", by: "block-list", reasons: ["BLOCK_LISTED"] },
  },
  "the recipient, ended": {
    write: ({ recipientId }) => scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { status: "REPLIED" } }),
    refusal: { kind: "stopped", by: "recipient", reasons: [] },
  },
  "the recipient, at another step": {
    write: ({ recipientId }) => scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { nextStepId: "stp_2" } }),
    refusal: { kind: "stopped", by: "recipient", reasons: [] },
  },
  "the lease, over": {
    write: ({ request }) =>
      scoped(workspaceId).Send.updateOne({ _id: request.send._id }, { $set: { leaseUntil: new Date(Date.now() - 1) } }),
    refusal: { kind: "replan", by: "send" },
  },
  "the attempt, another's": {
    write: ({ request }) => scoped(workspaceId).Send.updateOne({ _id: request.send._id }, { $set: { attemptId: randomUUID() } }),
    refusal: { kind: "replan", by: "send" },
  },
};

test.each(Object.keys(WRITES))("the last look reads %s, and lets no content go", async (name) => {
  const { write, undo, refusal } = WRITES[name] ?? never();
  const mail = await claimed();
  await write(mail);
  expect(await lastLook(mail.request)).toEqual(refusal);
  expect(await scoped(workspaceId).Send.get(mail.request.send._id)).toMatchObject({ phase: "CLAIMED", dataAt: null });
  await undo?.(mail);
});

test.each(["the gate, closed", "the mailbox, paused", "the guard of the address", "a parent of the domain, blocked"])(
  "no copy is sent of a mail whose last look finds %s",
  async (name) => {
    const { write, undo } = WRITES[name] ?? never();
    const mail = await claimed();
    expect(await mayFollow(mail.request, [mail.email])).toBe(true);
    await write(mail);
    expect(await mayFollow(mail.request, [mail.email])).toBe(false);
    await undo?.(mail);
  },
);

/** Stops that are taken back at once, so that everything they wrote is as before, except the lease. */
const TAKEN_BACK: Record<string, (mail: Claimed) => Promise<unknown>> = {
  "a pause of the mailbox": async ({ mailboxId }) => {
    for (const action of ["pause", "resume"]) await rest.post("/mailboxes/manage", { action, mailboxId });
  },
  "a blocked parent domain": async ({ email }) => {
    const { body } = await rest.post("/block-list", { value: domainOf(email).split(".").slice(1).join(".") });
    await rest.delete(`/block-list/${body.id}`);
  },
  "a closed and opened gate": async ({ campaignId, recipientId, request }) => {
    await inTransaction(() =>
      moveCampaign(workspaceId, campaignId, { from: ["ACTIVE"], to: "PAUSED", pauseReason: "MANUAL", actor: null }),
    );
    const fence = request.campaign?.fence ?? 0;
    await scoped(workspaceId).Gate.updateOne({ _id: gateId(campaignId, shardOf(recipientId)) }, { $set: { isOpen: true, fence } });
  },
};

test.each(Object.keys(TAKEN_BACK))("a claim that was revoked by %s stays revoked after that stop is taken back", async (name) => {
  const mail = await claimed();
  const other = await claimed(1);
  await (TAKEN_BACK[name] ?? never())(mail);
  expect(await lastLook(mail.request)).toEqual({ kind: "replan", by: "send" });
  // The mail of a recipient whom the stop does not concern goes on
  expect(await lastLook(other.request)).toBeNull();
});

test("a stop answers only when every mail that had entered DATA has ended or can no longer begin", async () => {
  const { request, email } = await claimed();
  expect(await lastLook(request)).toBeNull();
  const order: string[] = [];
  const stopping = suppressAddress(workspaceId, email, "MANUAL").then(() => order.push("answered"));
  await until(() => isGuarded(email), GUARDED);
  await sleep(50);
  await recordUnknown(request.send, request.attemptId);
  order.push("ended");
  await stopping;
  expect(order).toEqual(["ended", "answered"]);

  // A server that is slow to accept content which has begun keeps no stop waiting
  const slow = await claimed();
  expect(await lastLook(slow.request)).toBeNull();
  await suppressAddress(workspaceId, slow.email, "MANUAL");
  expect(await scoped(workspaceId).Send.get(slow.request.send._id)).toMatchObject({ state: "SENDING", phase: "DATA" });
});

const GUARDED = { deadlineMs: 30_000, what: "the suppression to commit" };

test("a last look that took so long that a stop may have answered meanwhile lets no content go", async () => {
  const { request } = await claimed();
  const session = await mongoose.connection.startSession();
  session.startTransaction();
  // This open transaction has written the row, so the look has to wait before it can write it
  await mongoose.connection.collection("sends").updateOne({ _id: request.send._id as never }, { $set: { response: "held" } }, { session });
  const looking = lastLook(request);
  await sleep(ENTERS_WITHIN_MS + 50);
  await session.commitTransaction();
  await session.endSession();
  expect(await looking).toEqual({ kind: "replan", by: "send" });
});

async function isGuarded(email: string): Promise<boolean> {
  return ((await scoped(workspaceId).AddressGuard.get(guardId(workspaceId, email)))?.reasons.length ?? 0) > 0;
}

function never(): never {
  throw new Error("There is none of that name");
}
