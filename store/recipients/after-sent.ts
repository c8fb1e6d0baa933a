import { hadOf } from "../../domain/recipients/had.ts";
import { type Follower, followerOf } from "../../domain/sequences/graph.ts";
import { isOpenStatus, leadStatusesBelow } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { settleApproval } from "../campaigns/approvals.ts";
import { isEditedSince } from "../campaigns/gates.ts";
import { fileSent } from "../inbox/threads.ts";
import { emit, nudge } from "../outbox.ts";
import { NOTHING_AHEAD } from "./stop.ts";

/**
 * Books the next step in the same transaction. Returns when the recipient must be checked next; null when it cannot be
 * booked yet.
 */
export type BookNext = (recipient: Recipient, next: Follower) => Promise<Date | null>;

export interface Recorded {
  /** When the recipient's workflow must check it again; null when its sequence has ended. */
  nextAt: Date | null;
}

/**
 * Thrown when the recipient has changed since its email was composed. A booking that was made from the old state is
 * undone, and the recipient is read again.
 */
export class HasChanged extends Error {}

/**
 * Applies a sent email to its recipient, lead, history and subscribers. Call it in the transaction that recorded the
 * send as SENT. If `current` is given, the recipient is not read again, but written on the condition that it still
 * waits for this step. Once the recipient's thread contains a received email, the sent email is added to the thread
 * too.
 * @throws HasChanged when the recipient no longer waits for this step
 */
export async function applySentMail(
  sent: Send,
  sequence: Sequence,
  thread: Recipient["thread"],
  bookNext: BookNext,
  current: Recipient | null = null,
): Promise<Recorded> {
  const { workspaceId, recipientId, campaignId, leadId, stepId, variantId, to } = sent;
  const sentAt = sent.sentAt ?? new Date();
  if (recipientId === null || campaignId === null || stepId === null) return { nextAt: null };
  await emit(workspaceId, {
    type: "SENT",
    at: sentAt,
    leadId,
    campaignId,
    recipientId,
    data: { stepId, variantId },
    webhook: { recipientId, email: to, campaignId },
  });
  await markContacted(workspaceId, leadId, sentAt);
  await settleApproval(sent);
  const { Recipient } = scoped(workspaceId);
  const isWaiting =
    current?.nextStepId === stepId && (current.status === "PENDING" || current.status === "IN_PROGRESS");
  const recipient = isWaiting ? current : await Recipient.get(recipientId);
  if (recipient === null) return { nextAt: null };
  if (recipient.threadId !== null) await fileSent(sent, "CAMPAIGN");
  const facts = {
    currentStepId: stepId,
    lastSentAt: sentAt,
    thread,
    ...(variantId !== null && { [`variantByStep.${stepId}`]: variantId }),
    updatedAt: new Date(),
  };
  const now = { stepId, at: sentAt.getTime() };
  const had = [...hadOf(recipient), now];
  const { status: was, threadId } = recipient;
  const as = isWaiting ? { _id: recipientId, status: was, nextStepId: stepId, threadId } : { _id: recipientId };
  const writeRecipient = async (fields: object) => {
    if (
      !(await Recipient.wrote(as, { $set: { ...facts, ...fields }, $push: { had: now }, $inc: { sentCount: 1 } })) &&
      isWaiting
    )
      throw new HasChanged();
  };
  // If an edit removed the step during transmission, the recipient already waits for another step
  const isMoved = recipient.nextStepId !== null && recipient.nextStepId !== stepId;
  const next = isMoved ? { stepId: recipient.nextStepId, isDecided: true } : followerOf(sequence.steps, had);
  if (!isOpenStatus(recipient.status)) {
    await writeRecipient({});
    return { nextAt: null };
  }
  if (next === null && !(await isEditedSince(sequence, recipient))) {
    await writeRecipient({ status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", ...NOTHING_AHEAD });
    await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "finished" });
    return { nextAt: null };
  }
  const status = recipient.status === "PENDING" ? "IN_PROGRESS" : recipient.status;
  const nextAt =
    status === "PAUSED" ? recipient.pausedUntil : await bookNext({ ...recipient, ...facts, had }, next ?? UNKNOWN);
  await writeRecipient({ status, nextStepId: next?.stepId ?? null, nextSendAt: nextAt });
  return { nextAt };
}

/** After an edit, the next step is determined when the recipient is checked next. */
export const UNKNOWN: Follower = { stepId: null, isDecided: false };

async function markContacted(workspaceId: string, leadId: string | null, at: Date): Promise<void> {
  if (leadId === null) return;
  const { Lead } = scoped(workspaceId);
  await Lead.wrote({ _id: leadId }, [
    {
      $set: {
        updatedAt: "$$NOW",
        lastContactedAt: at,
        status: { $cond: [{ $in: ["$status", leadStatusesBelow("CONTACTED")] }, "CONTACTED", "$status"] },
      },
    },
  ]);
}
