import { hadOf } from "../../domain/recipients/had.ts";
import type { ChangedDelay } from "../../domain/sequences/edit.ts";
import { followerOf } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { dropApprovals } from "../campaigns/approvals.ts";
import { isEditedSince } from "../campaigns/gates.ts";
import { loadSequence } from "../campaigns/load.ts";
import { nudge } from "../outbox.ts";
import { isPutOff } from "../recipients/eligibility.ts";
import { endRecipient } from "../recipients/stop.ts";
import { releaseBookings } from "../sending/release.ts";

/** How many recipients are moved in one transaction. */
const AT_ONCE = 100;
/**
 * Recipients whose first delay has begun. A recipient that waits for admission again has already waited for the delay.
 */
const HAS_BEGUN = { $or: [{ admittedAt: trusted({ $ne: null }) }, { sentCount: trusted({ $gt: 0 }) }] };

/**
 * Applies an edit of the sequence to waiting recipients: another step may be next for them, or the delay of their step
 * has changed (rules/states 3.4). It is safe to repeat, so it continues after a process was killed.
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
    if ((await Campaign.updateOne(settled, { $set: done })) > 0 && isFreed)
      await nudge(workspaceId, "CAMPAIGN", { campaignId });
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

/**
 * Keeps the due times of some recipients, or applies the new delay to them. A recipient whose email was refused or is
 * being sent does not change.
 */
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
  const booked = new Set(
    sends.filter(({ state }) => how === "SHORTEN" && state === "RESERVED").map(({ recipientId }) => recipientId),
  );
  for (const recipientId of moved) {
    if (!booked.has(recipientId)) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  }
}

/** The page size of the query, and how many recipients are moved in one transaction. */
const PAGE = 1_000;
const MOVED_AT_ONCE = 100;

type Waiting = Pick<Recipient, "_id" | "had" | "currentStepId" | "lastSentAt" | "nextStepId">;

/**
 * Makes the recipients of an edited sequence wait for the step that is next now (rules/states 3.4), page by page.
 * Bookings of another step are released, and the workflows are woken. Where conditions decide, the woken workflow
 * evaluates them.
 */
async function rerouteWaiters(sequence: Sequence): Promise<void> {
  const { workspaceId, campaignId, steps } = sequence;
  const { Recipient } = scoped(workspaceId);
  const waiting = { campaignId, status: trusted({ $in: [...OPEN] }), nextStepId: trusted({ $ne: null }) };
  const select = { had: 1, currentStepId: 1, lastSentAt: 1, nextStepId: 1 } as const;
  for (let after = ""; ; ) {
    const page: Waiting[] = await Recipient.find(
      { ...waiting, _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: PAGE, select },
    );
    for (const [way, ids] of waysOf(page, steps)) await moveAll(sequence, way, ids);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last._id;
  }
}

/** A move from one step to another. `to` is null when the sequence has ended, and undefined when conditions decide. */
interface Way {
  from: string;
  to: string | null | undefined;
}

/** The recipients of each move. A recipient that already waits for the right step is not moved. */
function waysOf(page: readonly Waiting[], steps: readonly Step[]): Map<Way, string[]> {
  const left = new Set(steps.map(({ stepId }) => stepId));
  const ways = new Map<string, { way: Way; ids: string[] }>();
  for (const recipient of page) {
    const { _id, nextStepId: from } = recipient;
    const next = followerOf(steps, hadOf(recipient));
    if (from === null || (next?.isDecided !== false && next?.stepId === from)) continue;
    const isOpen = next?.isDecided === false;
    const to = isOpen && left.has(from) ? undefined : (next?.stepId ?? (isOpen ? undefined : null));
    const key = JSON.stringify([from, to ?? null, to === undefined]);
    const entry = ways.get(key) ?? { way: { from, to }, ids: [] };
    entry.ids.push(_id);
    ways.set(key, entry);
  }
  return new Map([...ways.values()].map(({ way, ids }) => [way, ids]));
}

async function moveAll(sequence: Sequence, way: Way, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MOVED_AT_ONCE) {
    await inTransaction(() => moveSome(sequence, way, ids.slice(from, from + MOVED_AT_ONCE)));
  }
}

async function moveSome(sequence: Sequence, { from, to }: Way, some: readonly string[]): Promise<void> {
  const { workspaceId, campaignId } = sequence;
  const { Recipient, Send } = scoped(workspaceId);
  const stillWaiting = { _id: trusted({ $in: some }), nextStepId: from, status: trusted({ $in: [...OPEN] }) };
  const onTheirWay = await Send.find(
    { recipientId: trusted({ $in: some }), stepId: from, state: trusted({ $in: ["SENDING", "UNKNOWN"] }) },
    { select: { recipientId: 1 } },
  );
  const page = await Recipient.find(stillWaiting, { select: { _id: 1, shard: 1 } });
  const [first] = page;
  // A later edit has its own moves, and may have added a step for recipients that would end here
  if (to === null && first !== undefined && (await isEditedSince(sequence, first))) return;
  // The step after an email that is being sent is decided when its result is known
  const ids = page.map(({ _id }) => _id).filter((id) => !onTheirWay.some(({ recipientId }) => recipientId === id));
  // The workflows of the others check again after they have finished their current work
  const left = some.filter((id) => !ids.includes(id));
  for (const recipientId of left) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  if (ids.length === 0) return;
  if (to === null) {
    for (const id of ids) await endRecipient(workspaceId, id, { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED" });
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
    return;
  }
  if (to !== undefined) {
    await releaseBookings(workspaceId, ids);
    await Recipient.updateMany({ _id: trusted({ $in: ids }) }, { $set: { nextStepId: to } });
    await letGo(workspaceId, ids, from);
  }
  for (const recipientId of ids) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
}

/**
 * Resumes recipients that were paused at an APPROVAL step for which they no longer wait, or whose email of that step no
 * one has approved yet.
 */
async function letGo(workspaceId: string, recipientIds: string[], stepId: string): Promise<void> {
  const { StepExecution, Approval, Recipient } = scoped(workspaceId);
  const at = { recipientId: trusted({ $in: recipientIds }), stepId };
  const acts = await StepExecution.find({ ...at, state: "WAITING" }, { select: { recipientId: 1 } });
  const mails = await Approval.find(
    { ...at, kind: "CAMPAIGN_SEND", status: "PENDING" },
    { select: { recipientId: 1 } },
  );
  // A recipient that reaches the step again needs a new approval
  await StepExecution.deleteMany({ ...at, state: "WAITING" });
  await dropApprovals(workspaceId, recipientIds);
  const parked = [...acts, ...mails].map(({ recipientId }) => recipientId);
  if (parked.length === 0) return;
  const status = { $cond: [{ $eq: ["$sentCount", 0] }, "PENDING", "IN_PROGRESS"] };
  await Recipient.updateMany({ _id: trusted({ $in: parked }), status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" }, [
    { $set: { status, pauseReason: null, nextSendAt: "$$NOW" } },
  ]);
}
