import type { ChangedDelay } from "../../domain/sequences/edit.ts";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadSequence } from "../campaigns/load.ts";
import { nudge } from "../outbox.ts";
import { isPutOff } from "../recipients/eligibility.ts";
import { releaseBookings } from "../sending/release.ts";
import { rerouteWaiters } from "./reroute-waiters.ts";

/** Recipients that are moved in one transaction. */
const AT_ONCE = 100;
/** Who waits for admission again has waited for the first step's delay already. */
const HAS_BEGUN = { $or: [{ admittedAt: trusted({ $ne: null }) }, { sentCount: trusted({ $gt: 0 }) }] };

/**
 * Carries out what an edit of the sequence means for the recipients who wait: another step may come next for them, or the delay of their
 * step has changed (rules/states 3.4). It may be repeated, so it continues after a process was killed in the middle of it.
 */
export async function settleEdit(workspaceId: string, campaignId: string): Promise<void> {
  const { Campaign } = scoped(workspaceId);
  const unsettled = (await Campaign.get(campaignId))?.unsettled ?? null;
  if (unsettled === null) return;
  const sequence = await loadSequence(workspaceId, campaignId);
  if (unsettled.isMoving) await rerouteWaiters(sequence);
  for (const change of unsettled.delays) await settleDelay(workspaceId, campaignId, change);
  const isFreed = unsettled.delays.some(({ how }) => how === "SHORTEN");
  await inTransaction(async () => {
    // Bookings that may be earlier now are reviewed in the order of their slots
    const done = { unsettled: null, ...(isFreed && { freedAt: new Date() }) };
    const settled = { _id: campaignId, "unsettled.version": unsettled.version };
    if ((await Campaign.updateOne(settled, { $set: done })) > 0 && isFreed) await nudge(workspaceId, "CAMPAIGN", { campaignId });
  });
}

async function settleDelay(workspaceId: string, campaignId: string, change: ChangedDelay): Promise<void> {
  const { Recipient } = scoped(workspaceId);
  const waiting = { campaignId, nextStepId: change.stepId, status: trusted({ $in: [...OPEN] }), ...HAS_BEGUN };
  for (let after = ""; ; ) {
    const page = await Recipient.find(
      { ...waiting, _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: AT_ONCE, select: { due: 1, nextSendAt: 1 } },
    );
    const last = page.at(-1);
    if (last === undefined) return;
    await inTransaction(() => settleSome({ workspaceId, campaignId, change }, page));
    after = last._id;
  }
}

interface Settling {
  workspaceId: string;
  campaignId: string;
  change: ChangedDelay;
}

/** Keeps the instants of some recipients, or has them wait by the new delay. An email that was refused, or that is on its way, stays as it is. */
async function settleSome({ workspaceId, campaignId, change }: Settling, some: readonly Recipient[]): Promise<void> {
  const { Recipient, Send } = scoped(workspaceId);
  const { stepId, how } = change;
  const ids = some.map(({ _id }) => _id);
  if (how === "KEEP") {
    const instant = { $cond: [{ $eq: ["$due.stepId", stepId] }, "$due", { stepId, at: "$nextSendAt" }] };
    const booked = { _id: trusted({ $in: ids }), nextStepId: stepId, nextSendAt: trusted({ $ne: null }) };
    await Recipient.updateMany(booked, [{ $set: { due: instant } }]);
    return;
  }
  const sends = await Send.find(
    { recipientId: trusted({ $in: ids }), stepId },
    { select: { recipientId: 1, state: 1, policyRefusals: 1, softFailures: 1 } },
  );
  const staying = sends.filter((send) => isPutOff(send) || send.state === "SENDING" || send.state === "UNKNOWN");
  const moved = ids.filter((id) => !staying.some(({ recipientId }) => recipientId === id));
  await Recipient.updateMany({ _id: trusted({ $in: moved }), "due.stepId": stepId }, { $set: { due: null } });
  if (how === "BOOK_ANEW") await releaseBookings(workspaceId, moved);
  const booked = new Set(sends.filter(({ state }) => how === "SHORTEN" && state === "RESERVED").map(({ recipientId }) => recipientId));
  for (const recipientId of moved) {
    if (!booked.has(recipientId)) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  }
}
