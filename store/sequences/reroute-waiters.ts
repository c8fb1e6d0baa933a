import { hadOf } from "../../domain/recipients/had.ts";
import { followerOf } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { dropApprovals } from "../campaigns/approvals.ts";
import { isEditedSince } from "../campaigns/gates.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import { releaseBookings } from "../sending/release.ts";

/** Recipients that are looked at in one query, and moved in one transaction. */
const PAGE = 1_000;
const MOVED_AT_ONCE = 100;

type Waiting = Pick<Recipient, "_id" | "had" | "currentStepId" | "lastSentAt" | "nextStepId">;

/**
 * Lets the recipients of an edited sequence wait for the step that comes next now (rules/states 3.4), page by page: bookings of another step
 * are released, and the runs are woken. Where conditions decide, the woken run reads them.
 */
export async function rerouteWaiters(sequence: Sequence): Promise<void> {
  const { workspaceId, campaignId, steps } = sequence;
  const { Recipient } = scoped(workspaceId);
  const waiting = { campaignId, status: trusted({ $in: [...OPEN] }), nextStepId: trusted({ $ne: null }) };
  const select = { had: 1, currentStepId: 1, lastSentAt: 1, nextStepId: 1 } as const;
  for (let after = ""; ; ) {
    const page: Waiting[] = await Recipient.find({ ...waiting, _id: trusted({ $gt: after }) }, { sort: { _id: 1 }, limit: PAGE, select });
    for (const [way, ids] of waysOf(page, steps)) await moveAll(sequence, way, ids);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last._id;
  }
}

/** From which step to which; `to` is null when the sequence has ended, and undefined when conditions decide. */
interface Way {
  from: string;
  to: string | null | undefined;
}

/** Who goes which way. Whoever waits for the right step goes none. */
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
    const known = ways.get(key) ?? { way: { from, to }, ids: [] };
    known.ids.push(_id);
    ways.set(key, known);
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
  // A later edit has its own move, and may have a step for those who would end here
  if (to === null && first !== undefined && (await isEditedSince(sequence, first))) return;
  // What follows an email that is on its way is decided once it has arrived
  const ids = page.map(({ _id }) => _id).filter((id) => !onTheirWay.some(({ recipientId }) => recipientId === id));
  // The runs of the others look again once they have done what they do now
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

/** Resumes recipients that were paused at an APPROVAL step which they wait for no longer, or whose mail of that step nobody has approved yet. */
async function letGo(workspaceId: string, recipientIds: string[], stepId: string): Promise<void> {
  const { StepExecution, Approval, Recipient } = scoped(workspaceId);
  const at = { recipientId: trusted({ $in: recipientIds }), stepId };
  const acts = await StepExecution.find({ ...at, state: "WAITING" }, { select: { recipientId: 1 } });
  const mails = await Approval.find({ ...at, kind: "CAMPAIGN_SEND", status: "PENDING" }, { select: { recipientId: 1 } });
  // Who comes to the step again is asked again
  await StepExecution.deleteMany({ ...at, state: "WAITING" });
  await dropApprovals(workspaceId, recipientIds);
  const parked = [...acts, ...mails].map(({ recipientId }) => recipientId);
  if (parked.length === 0) return;
  const status = { $cond: [{ $eq: ["$sentCount", 0] }, "PENDING", "IN_PROGRESS"] };
  await Recipient.updateMany({ _id: trusted({ $in: parked }), status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" }, [
    { $set: { status, pauseReason: null, nextSendAt: "$$NOW" } },
  ]);
}
