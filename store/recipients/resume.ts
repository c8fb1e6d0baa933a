import { hadOf } from "../../domain/recipients/had.ts";
import { followerOf, type HadStep } from "../../domain/sequences/graph.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { approveMail } from "../campaigns/approvals.ts";
import { nudge } from "../outbox.ts";
import { isErasedAddress } from "../suppression/guard-id.ts";

/**
 * Resumes a recipient that was paused, ended, removed or finished, at its next unsent step. A recipient that was never
 * contacted waits for admission again. A step that failed permanently gets a new attempt; a step with an unknown
 * outcome does not (rules/states 3.3). If the next email waits for an approval, `decidedBy` approves it: the email is
 * sent as it was shown, from the same mailbox, as soon as the sending limits allow. Returns false when no step is left,
 * or no address. Call it in a transaction.
 */
export async function resumeRecipient(
  workspaceId: string,
  recipient: Recipient,
  steps: readonly Step[],
  decidedBy: string | null = null,
): Promise<boolean> {
  const { StepExecution, Recipient, Send } = scoped(workspaceId);
  const { _id: recipientId, campaignId, email } = recipient;
  // A retention has emptied it, or its lead was deleted
  if (isErasedAddress(email)) return false;
  const sends = await Send.find(
    { recipientId },
    { select: { stepId: 1, state: 1, phase: 1, failure: 1, sentAt: 1, updatedAt: 1 } },
  );
  const had = hadWith(recipient, sends);
  const next = positionOf(recipient, steps, had, sends);
  if (next === null) return false;
  const { stepId: nextStepId } = next;
  // For a recipient that waits at an APPROVAL step, resuming by hand also approves
  const wasAsked = recipient.pauseReason === "APPROVAL_REQUIRED" && nextStepId !== null;
  if (wasAsked)
    await StepExecution.updateOne(
      { recipientId, stepId: nextStepId, state: "WAITING" },
      { $set: { state: "APPROVED" } },
    );
  const isApproved =
    wasAsked && decidedBy !== null && (await approveMail(workspaceId, recipientId, nextStepId, decidedBy));
  const again = sends.filter(({ stepId }) => !had.some((step) => step.stepId === stepId));
  const failed = { _id: trusted({ $in: again.map(({ _id }) => _id) }), state: "FAILED" };
  await Send.updateMany(failed, {
    $set: {
      state: "RELEASED",
      slotAt: null,
      day: null,
      attempts: 0,
      failure: null,
      policyRefusals: 0,
      triedAfterRest: null,
    },
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
        had,
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
 * The step at which the recipient continues: the first one that it has not passed. With branches, or while an email is
 * being sent, it is the step that the recipient already waits for. The id is null when conditions must decide the step
 * first.
 */
export function positionOf(
  { nextStepId }: Recipient,
  steps: readonly Step[],
  had: readonly HadStep[],
  sends: readonly Send[],
): { stepId: string | null } | null {
  const isWaiting =
    steps.some(({ stepId }) => stepId === nextStepId) && !had.some(({ stepId }) => stepId === nextStepId);
  const hasBranches = steps.some(({ conditions }) => conditions.length > 0);
  const isOnItsWay = sends.some(
    ({ stepId, state }) => stepId === nextStepId && (state === "SENDING" || state === "UNKNOWN"),
  );
  return isWaiting && (hasBranches || isOnItsWay) ? { stepId: nextStepId } : followerOf(steps, had);
}

/**
 * The steps that the recipient has passed, plus every step whose email was sent, may have been sent, or is not tried
 * again. For a recipient that had finished, a failed email counts too (rules/states 3.7).
 */
export function hadWith(recipient: Recipient, sends: readonly Send[]): HadStep[] {
  const had = hadOf(recipient);
  const isSpent = ({ state, phase, stepId, failure }: Send) => {
    if (state === "FAILED") return recipient.status === "COMPLETED" || NEVER_AGAIN.includes(failure?.reason ?? "");
    // A send that is only claimed is known to be unsent. For a step that the recipient still waits for, its own attempt
    // decides
    const mayHaveGone =
      (state === "UNKNOWN" || (state === "SENDING" && phase !== "CLAIMED")) && stepId !== recipient.nextStepId;
    return state === "SENT" || state === "BOUNCED" || mayHaveGone;
  };
  const more = sends.flatMap((send): HadStep[] => {
    const { stepId, sentAt, updatedAt } = send;
    if (stepId === null || !isSpent(send) || had.some((step) => step.stepId === stepId)) return [];
    return [{ stepId, at: (sentAt ?? updatedAt).getTime() }];
  });
  return [...had, ...more].sort((one, other) => one.at - other.at);
}

/** Failures after which an email is not tried again: it may have been sent, or the step was skipped on purpose. */
const NEVER_AGAIN: readonly string[] = ["SEND_UNKNOWN", "MISSING_VARIABLE"];
