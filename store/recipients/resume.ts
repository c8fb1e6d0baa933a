import { nextUnsent } from "../../domain/recipients/next-unsent.ts";
import { followerOf } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { approveMail } from "../campaigns/approvals.ts";
import { nudge } from "../outbox.ts";

/**
 * Resumes a recipient that was paused, ended, removed or had finished, at its next unsent step; one that was never mailed waits for admission again. A
 * step that failed for good gets a new attempt; a step with an unknown outcome does not (rules/states 3.3). If its next mail waits for an
 * approval, `decidedBy` gives the approval: the mail is sent as it was shown, when its pacing allows, from the mailbox it was written for.
 * False when no step is left. Call it in a transaction.
 */
export async function resumeRecipient(
  workspaceId: string,
  recipient: Recipient,
  steps: readonly Step[],
  decidedBy: string | null = null,
): Promise<boolean> {
  const { StepExecution, Recipient, Send } = scoped(workspaceId);
  const { _id: recipientId, campaignId } = recipient;
  const sends = await Send.find({ recipientId }, { select: { stepId: 1, state: 1, failure: 1 } });
  const next = positionOf(recipient, steps, sends);
  if (next === null) return false;
  const { stepId: nextStepId } = next;
  // To resume by hand is to approve by hand, where an APPROVAL step had asked
  const wasAsked = recipient.pauseReason === "APPROVAL_REQUIRED" && nextStepId !== null;
  if (wasAsked) await StepExecution.updateOne({ recipientId, stepId: nextStepId, state: "WAITING" }, { $set: { state: "APPROVED" } });
  const isApproved = wasAsked && decidedBy !== null && (await approveMail(workspaceId, recipientId, nextStepId, decidedBy));
  const again = sends.filter(({ stepId, failure }) => (recipient.passed !== null || stepId === nextStepId) && mayRetry(failure));
  const failed = { _id: trusted({ $in: again.map(({ _id }) => _id) }), state: "FAILED" };
  await Send.updateMany(failed, {
    $set: { state: "RELEASED", slotAt: null, day: null, attempts: 0, failure: null, policyRefusals: 0, triedAfterRest: null },
    $inc: { generation: 1 },
  });
  const isNew = recipient.sentCount === 0 && nextStepId === steps[0]?.stepId && !isApproved;
  const now = new Date();
  const goesOn = { nextStepId, nextSendAt: now, admittedAt: isApproved ? (recipient.admittedAt ?? now) : now };
  const going = isNew
    ? { status: "PENDING" as const, nextStepId: null, nextSendAt: null, admittedAt: null }
    : { status: isApproved && recipient.sentCount === 0 ? ("PENDING" as const) : ("IN_PROGRESS" as const), ...goesOn };
  await Recipient.updateOne(
    { _id: recipientId },
    {
      $set: {
        ...going,
        stopReason: null,
        pauseReason: null,
        missingVariables: [],
        pausedUntil: null,
        parkedEpoch: null,
        awaitedMailboxId: null,
      },
    },
  );
  if (!isNew) await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  return true;
}

/**
 * The step where it goes on; in VISUAL mode the conditions of the last passed step decide, so the step's id may still be null. Whoever had
 * finished has a mail that failed behind them too (rules/states 3.7).
 */
export function positionOf(recipient: Recipient, steps: readonly Step[], sends: readonly Send[]): { stepId: string | null } | null {
  const { status, nextStepId, currentStepId, passed, variantByStep } = recipient;
  if (steps.some(({ stepId }) => stepId === nextStepId)) return { stepId: nextStepId };
  if (passed !== null && steps.some(({ stepId }) => stepId === passed.stepId)) return followerOf(steps, passed.stepId, variantByStep);
  const isBehind = ({ state, failure }: Send) => state === "FAILED" && (status === "COMPLETED" || failure?.reason === "SEND_UNKNOWN");
  const known = sends.map((send) => ({ stepId: send.stepId, state: isBehind(send) ? "UNKNOWN" : send.state }) as const);
  const stepId = nextUnsent(steps, currentStepId, known);
  return stepId === null ? null : { stepId };
}

/** A mail that may have been sent is not repeated, and a step that was skipped on purpose is not taken up again. */
function mayRetry(failure: Send["failure"]): boolean {
  return failure === null || (failure.reason !== "SEND_UNKNOWN" && failure.reason !== "MISSING_VARIABLE");
}
