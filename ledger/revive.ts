import { nextUnsent } from "../domain/next-unsent.ts";
import type { Step } from "../domain/sequence.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import { nudge } from "./events.ts";

/**
 * Lets a recipient go on who was paused, ended or removed, at its next unsent step: who was never mailed waits for admission
 * again. A step that failed for good gets a new attempt; one whose outcome is unknown does not (behaviours 3). False when no
 * step is left. Call it in a transaction.
 */
export async function reviveRecipient(workspaceId: string, recipient: Recipient, steps: readonly Step[]): Promise<boolean> {
  const { Recipient, Send } = scoped(workspaceId);
  const { _id: recipientId, campaignId } = recipient;
  const sends = await Send.find({ recipientId }, { select: { stepId: 1, state: 1 } });
  const isWaiting = steps.some(({ stepId }) => stepId === recipient.nextStepId);
  const nextStepId = isWaiting ? recipient.nextStepId : nextUnsent(steps, recipient.currentStepId, sends);
  if (nextStepId === null) return false;
  const failed = { recipientId, stepId: nextStepId, state: "FAILED" };
  await Send.updateMany(failed, {
    $set: { state: "RELEASED", slotAt: null, day: null, attempts: 0, failure: null },
    $inc: { generation: 1 },
  });
  const isNew = recipient.sentCount === 0 && nextStepId === steps[0]?.stepId;
  const now = new Date();
  const going = isNew
    ? { status: "PENDING" as const, nextStepId: null, nextSendAt: null, admittedAt: null }
    : { status: "IN_PROGRESS" as const, nextStepId, nextSendAt: now, admittedAt: now };
  await Recipient.updateOne(
    { _id: recipientId },
    { $set: { ...going, stopReason: null, pauseReason: null, pausedUntil: null, parkedEpoch: null } },
  );
  if (!isNew) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return true;
}
