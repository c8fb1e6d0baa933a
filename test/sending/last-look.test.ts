import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { allowanceOf, ENTERS_WITHIN_MS } from "../../domain/sending/last-look.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { gateId, shardOf } from "../../store/campaigns/gates.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { earlyLook, lastLook, mayFollow } from "../../store/sending/last-look.ts";
import { recordUnknown } from "../../store/sending/record.ts";
import { sendTransactions } from "../../store/sending/transaction-times.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { until } from "../fakes/wait.ts";
import { type Claimed, claimed, domainOf, rest, useSetup, workspaceId } from "./last-look-setup.ts";

useSetup();

/** Each document that a stop writes, written alone, so that it ends no lease. */
const WRITES: Record<
  string,
  { write(claimed: Claimed): Promise<unknown>; undo?(claimed: Claimed): Promise<unknown>; refusal: object }
> = {
  "the gate, closed": {
    write: ({ campaignId, recipientId }) =>
      scoped(workspaceId).Gate.updateOne(
        { _id: gateId(campaignId, shardOf(recipientId)) },
        { $set: { isOpen: false } },
      ),
    refusal: { kind: "parked" },
  },
  "the gate's fence": {
    write: ({ campaignId, recipientId }) =>
      scoped(workspaceId).Gate.updateOne({ _id: gateId(campaignId, shardOf(recipientId)) }, { $inc: { fence: 2 } }),
    refusal: { kind: "parked" },
  },
  "the mailbox, paused": {
    write: ({ mailboxId }) => scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { status: "PAUSED" } }),
    undo: ({ mailboxId }) =>
      scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { status: "CONNECTED" } }),
    refusal: { kind: "replan", by: "mailbox" },
  },
  "the guard of the address": {
    write: ({ email }) =>
      scoped(workspaceId).AddressGuard.updateOne(
        { _id: guardId(workspaceId, email) },
        { $set: { reasons: ["MANUAL"] } },
      ),
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
    write: ({ recipientId }) =>
      scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { status: "REPLIED" } }),
    refusal: { kind: "stopped", by: "recipient", reasons: [] },
  },
  "the recipient, at another step": {
    write: ({ recipientId }) =>
      scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { nextStepId: "stp_2" } }),
    refusal: { kind: "stopped", by: "recipient", reasons: [] },
  },
  "the lease, over": {
    write: ({ request }) =>
      scoped(workspaceId).Send.updateOne({ _id: request.send._id }, { $set: { leaseUntil: new Date(Date.now() - 1) } }),
    refusal: { kind: "replan", by: "send" },
  },
  "the attempt, another's": {
    write: ({ request }) =>
      scoped(workspaceId).Send.updateOne({ _id: request.send._id }, { $set: { attemptId: randomUUID() } }),
    refusal: { kind: "replan", by: "send" },
  },
};

test.each(Object.keys(WRITES))("the last check before DATA withdraws the email after this change: %s", async (name) => {
  const { write, undo, refusal } = WRITES[name] ?? never();
  const mail = await claimed();
  await write(mail);
  expect(await lastLook(mail.request)).toEqual(refusal);
  expect(await scoped(workspaceId).Send.get(mail.request.send._id)).toMatchObject({ phase: "CLAIMED", dataAt: null });
  await undo?.(mail);
});

test.each(["the gate, closed", "the mailbox, paused", "the guard of the address", "a parent of the domain, blocked"])(
  "a Cc copy is withheld after this change: %s",
  async (name) => {
    const { write, undo } = WRITES[name] ?? never();
    const mail = await claimed();
    expect(await mayFollow(mail.request, [mail.email])).toBe(true);
    await write(mail);
    expect(await mayFollow(mail.request, [mail.email])).toBe(false);
    await undo?.(mail);
  },
);

/** Stops that are undone at once, so that everything they wrote is as before, except the lease. */
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
    await scoped(workspaceId).Gate.updateOne(
      { _id: gateId(campaignId, shardOf(recipientId)) },
      { $set: { isOpen: true, fence } },
    );
  },
};

test.each(Object.keys(TAKEN_BACK))(
  "a claim that was revoked by %s stays revoked after the stop is undone",
  async (name) => {
    const mail = await claimed();
    const other = await claimed(1);
    await (TAKEN_BACK[name] ?? never())(mail);
    expect(await lastLook(mail.request)).toEqual({ kind: "replan", by: "send" });
    // The email to a recipient whom the stop does not concern still goes out
    expect(await lastLook(other.request)).toBeNull();
  },
);

test("a stop waits for an email in DATA until the email ends or the time limit for beginning the content passes", async () => {
  const { request, email } = await claimed();
  // After a slow claim the look has time enough for this test on a busy machine
  expect(await lastLook(request, { begunAt: performance.now(), tookMs: 5_000 })).toBeNull();
  const order: string[] = [];
  const stopping = suppressAddress(workspaceId, email, "MANUAL").then(() => order.push("answered"));
  await until(() => isGuarded(email), GUARDED);
  await sleep(50);
  await recordUnknown(request.send, request.attemptId);
  order.push("ended");
  await stopping;
  expect(order).toEqual(["ended", "answered"]);

  // A server that is slow to accept content that has begun keeps no stop waiting
  const slow = await claimed();
  expect(await lastLook(slow.request)).toBeNull();
  await suppressAddress(workspaceId, slow.email, "MANUAL");
  expect(await scoped(workspaceId).Send.get(slow.request.send._id)).toMatchObject({ state: "SENDING", phase: "DATA" });
});

const GUARDED = { deadlineMs: 30_000, what: "the suppression to commit" };

test("an email whose last check takes longer than a stop would wait is withdrawn", async () => {
  const { request } = await claimed();
  const session = await mongoose.connection.startSession();
  session.startTransaction();
  // This open transaction has written the row, so the look has to wait before it can write it
  await mongoose.connection
    .collection("sends")
    .updateOne({ _id: request.send._id as never }, { $set: { response: "held" } }, { session });
  const allowanceMs = allowanceOf(sendTransactions.p95(performance.now()), 0) ?? never();
  const looking = lastLook(request);
  await sleep(allowanceMs + 50);
  await session.commitTransaction();
  await session.endSession();
  expect(await looking).toEqual({ kind: "late" });
});

test("a stop waits as long as the last check of an email in DATA may take, and no longer", async () => {
  const quick = await claimed();
  const slow = await claimed(1);
  expect(await lastLook(quick.request)).toBeNull();
  // The claim of this one took three seconds, so its look may take six
  expect(await lastLook(slow.request, { begunAt: performance.now(), tookMs: 3_000.3 })).toBeNull();
  const [quickMs, slowMs] = await Promise.all(
    [quick, slow].map(({ email }) => msOf(() => suppressAddress(workspaceId, email, "MANUAL"))),
  );
  expect(quickMs).toBeLessThan(6_000);
  expect(slowMs).toBeGreaterThan(5_500);
}, 60_000);

test("a stop that waits for an email in DATA is acknowledged as soon as the email is recorded as sent", async () => {
  const { email, request } = await claimed();
  const { Send } = scoped(workspaceId);
  const { _id } = request.send;
  expect(await lastLook(request, { begunAt: performance.now(), tookMs: 3_000 })).toBeNull();
  await Send.updateOne({ _id }, { $set: { entersWithinMs: 6_000.6 } });
  const stopping = msOf(() => suppressAddress(workspaceId, email, "MANUAL"));
  await sleep(1_000);
  await Send.updateOne({ _id }, { $set: { state: "SENT", phase: null } });
  const ms = await stopping;
  expect(ms).toBeGreaterThan(900);
  expect(ms).toBeLessThan(5_000);
}, 60_000);

test("an email whose last check would come too late does not enter DATA", async () => {
  const { request } = await claimed();
  const slow = { begunAt: performance.now(), tookMs: 60_000 };
  expect(await earlyLook(request, slow)).toEqual({ kind: "late" });
  expect(await lastLook(request, slow)).toEqual({ kind: "late" });
  expect(await scoped(workspaceId).Send.get(request.send._id)).toMatchObject({ phase: "CLAIMED", dataAt: null });
});

test("the early check after a slow claim withdraws a stopped email and lets other emails continue", async () => {
  const mail = await claimed();
  const other = await claimed(1);
  const slow = { begunAt: performance.now() - ENTERS_WITHIN_MS, tookMs: ENTERS_WITHIN_MS };
  await suppressAddress(workspaceId, mail.email, "MANUAL");
  expect(await earlyLook(mail.request, slow)).toEqual({ kind: "replan", by: "send" });
  expect(await earlyLook(other.request, slow)).toBeNull();
});

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt;
}

async function isGuarded(email: string): Promise<boolean> {
  return ((await scoped(workspaceId).AddressGuard.get(guardId(workspaceId, email)))?.reasons.length ?? 0) > 0;
}

function never(): never {
  throw new Error("There is none of that name");
}
