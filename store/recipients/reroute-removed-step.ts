import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { dropApprovals } from "../campaigns/approvals.ts";
import { nudge } from "../outbox.ts";
import { releaseBookings } from "../sending/release.ts";
import { endRecipient } from "./stop.ts";

const PAGE = 100;

/**
 * Moves recipients that wait for a removed step on to the next one (rules/states 3.4), page by page: their bookings are released and their
 * runs are
 * woken.
 */
export async function moveWaiters(workspaceId: string, campaignId: string, moved: ReadonlyMap<string, string | null>): Promise<void> {
  for (const [stepId, nextStepId] of moved) {
    for (let count = PAGE; count === PAGE; ) {
      count = await inTransaction(() => movePage(workspaceId, campaignId, stepId, nextStepId));
    }
  }
}

async function movePage(workspaceId: string, campaignId: string, stepId: string, nextStepId: string | null): Promise<number> {
  const { Recipient } = scoped(workspaceId);
  const waiting = { campaignId, nextStepId: stepId, status: trusted({ $in: [...OPEN] }) };
  const page = await Recipient.find(waiting, { sort: { _id: 1 }, limit: PAGE, select: { _id: 1 } });
  const ids = page.map(({ _id }) => _id);
  if (nextStepId === null) {
    for (const id of ids) await endRecipient(workspaceId, id, { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED" });
    if (ids.length > 0) await nudge(workspaceId, "CAMPAIGN", { campaignId });
    return ids.length;
  }
  await releaseBookings(workspaceId, ids);
  await Recipient.updateMany({ _id: trusted({ $in: ids }) }, { $set: { nextStepId } });
  await letGo(workspaceId, ids, stepId);
  for (const recipientId of ids) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return ids.length;
}

/** Resumes recipients that were paused at a removed APPROVAL step, or whose mail of the removed step nobody has approved yet. */
async function letGo(workspaceId: string, recipientIds: string[], stepId: string): Promise<void> {
  const { StepExecution, Approval, Recipient } = scoped(workspaceId);
  const at = { recipientId: trusted({ $in: recipientIds }), stepId };
  const acts = await StepExecution.find({ ...at, state: "WAITING" }, { select: { recipientId: 1 } });
  const mails = await Approval.find({ ...at, kind: "CAMPAIGN_SEND", status: "PENDING" }, { select: { recipientId: 1 } });
  await dropApprovals(workspaceId, recipientIds);
  const parked = [...acts, ...mails].map(({ recipientId }) => recipientId);
  if (parked.length === 0) return;
  const status = { $cond: [{ $eq: ["$sentCount", 0] }, "PENDING", "IN_PROGRESS"] };
  await Recipient.updateMany({ _id: trusted({ $in: parked }), status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" }, [
    { $set: { status, pauseReason: null, nextSendAt: "$$NOW" } },
  ]);
}
