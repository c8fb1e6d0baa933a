import { followerOf } from "../domain/sequence-graph.ts";
import { leadStatusesBelow } from "../domain/states.ts";
import { trusted } from "../models/collection.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import type { Sequence } from "../models/sequence.ts";
import { inTransaction } from "../models/transaction.ts";
import { emit, nudge } from "./events.ts";
import { releaseBooking } from "./release.ts";
import { endRecipient, NOTHING_AHEAD } from "./stop.ts";

export interface Delivered {
  send: Send;
  /** As it was read before the claim. */
  recipient: Recipient;
  attemptId: string;
  response: string;
  /** The provider's id, where it replaced ours. */
  serverMessageId: string | null;
  sentAt: Date;
  thread: { subject: string; ids: string[] };
  sequence: Sequence;
  /** Books the next step in the same transaction, or says when to look for it; null when nothing can be booked yet. */
  bookNext: (recipient: Recipient, nextStepId: string | null) => Promise<Date | null>;
}

export interface Recorded {
  /** When the recipient's workflow should look again; null when its sequence has ended. */
  nextAt: Date | null;
}

/** SENT, with all that follows from it, in one transaction (security.md 8.4). Null when another attempt owns the row. */
export async function recordSent(delivered: Delivered): Promise<Recorded | null> {
  try {
    return await inTransaction(() => writeSent(delivered, delivered.recipient));
  } catch (error) {
    if (!(error instanceof HasChanged)) throw error;
    return inTransaction(() => writeSent(delivered, null));
  }
}

/** The recipient is not what its mail was sent by: what was booked on that ground is undone, and it is read anew. */
class HasChanged extends Error {}

async function writeSent({ send, attemptId, response, serverMessageId, sentAt, ...follows }: Delivered, as: Recipient | null) {
  const ids = serverMessageId === null ? send.messageIds : [...send.messageIds, serverMessageId];
  const facts = { sentAt, response: response.slice(0, 500), messageIds: ids, attempts: 0, updatedAt: new Date() };
  const sent = await scoped(send.workspaceId).Send.changeOne(
    { _id: send._id, attemptId, state: { $in: ["SENDING", "UNKNOWN"] } },
    { $set: { state: "SENT", phase: null, leaseUntil: null, ...facts } },
  );
  if (sent === null) return null;
  return follow(sent, follows.sequence, follows.thread, follows.bookNext, as);
}

/** A mail of no recipient's step went out. */
export async function recordSingleSent(send: Send, attemptId: string, response: string, serverMessageId: string | null): Promise<void> {
  const ids = serverMessageId === null ? send.messageIds : [...send.messageIds, serverMessageId];
  await scoped(send.workspaceId).Send.updateOne(
    { _id: send._id, attemptId, state: trusted({ $in: ["SENDING", "UNKNOWN"] }) },
    { $set: { state: "SENT", phase: null, leaseUntil: null, sentAt: new Date(), response: response.slice(0, 500), messageIds: ids } },
  );
}

/**
 * What a mail that went out does to recipient, lead, history and subscribers. Call it in the transaction that made it SENT.
 * A recipient that was read before is written on the condition that it still waits for this step, and not read again.
 */
export async function follow(
  sent: Send,
  sequence: Sequence,
  thread: Recipient["thread"],
  bookNext: Delivered["bookNext"],
  known: Recipient | null = null,
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
  await contacted(workspaceId, leadId, sentAt);
  const { Recipient } = scoped(workspaceId);
  const isWaiting = known?.nextStepId === stepId && (known.status === "PENDING" || known.status === "IN_PROGRESS");
  const recipient = isWaiting ? known : await Recipient.get(recipientId);
  if (recipient === null) return { nextAt: null };
  const as = isWaiting ? { _id: recipientId, status: recipient.status, nextStepId: stepId } : { _id: recipientId };
  const write = async (fields: object) => {
    if (!(await Recipient.wrote(as, { $set: { ...facts, ...fields }, $inc: { sentCount: 1 } })) && isWaiting) throw new HasChanged();
  };
  const facts = {
    currentStepId: stepId,
    lastSentAt: sentAt,
    thread,
    ...(sequence.mode === "VISUAL" && { passed: { stepId, at: sentAt.getTime() } }),
    ...(variantId !== null && { [`variantByStep.${stepId}`]: variantId }),
    updatedAt: new Date(),
  };
  const isOpen = recipient.status === "PENDING" || recipient.status === "IN_PROGRESS" || recipient.status === "PAUSED";
  // An edit that removed the step while its mail was under way has moved the recipient on already
  const isMoved = recipient.nextStepId !== null && recipient.nextStepId !== stepId;
  const next = isMoved ? { stepId: recipient.nextStepId } : followerOf(sequence.steps, stepId, recipient.variantByStep);
  if (!isOpen || next === null) {
    await write(isOpen ? { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", ...NOTHING_AHEAD } : {});
    const ended = { recipientId, campaignId, signal: "ended", reason: "SEQUENCE_FINISHED" };
    if (isOpen) await nudge(workspaceId, "RECIPIENT", ended);
    return { nextAt: null };
  }
  const status = recipient.status === "PENDING" ? "IN_PROGRESS" : recipient.status;
  const nextAt = status === "PAUSED" ? recipient.pausedUntil : await bookNext({ ...recipient, ...facts, lastSentAt: sentAt }, next.stepId);
  await write({ status, nextStepId: next.stepId, nextSendAt: nextAt });
  return { nextAt };
}

async function contacted(workspaceId: string, leadId: string | null, at: Date): Promise<void> {
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

/**
 * The server refused, or nothing was transmitted: the claim is undone (mail.md 4.2), the row is RESERVED again with its old slot
 * and one attempt more. False when another attempt owns the row.
 */
export function recordNotSent(send: Send, attemptId: string, failure: Send["failure"], { countsAttempt = true } = {}): Promise<boolean> {
  return inTransaction(async () => {
    const { Send } = scoped(send.workspaceId);
    const undone = await Send.findOneAndUpdate(
      { _id: send._id, attemptId, state: "SENDING" },
      { $set: { state: "RESERVED", phase: null, attemptId: null, leaseUntil: null, failure }, $inc: { attempts: countsAttempt ? 1 : 0 } },
    );
    if (undone === null) return false;
    await uncountDay(send);
    return true;
  });
}

/** A claim whose holder died before DATA: nothing was transmitted. */
export function takeOver(send: Send): Promise<boolean> {
  return inTransaction(async () => {
    const { Send } = scoped(send.workspaceId);
    const dead = { $lt: ["$leaseUntil", "$$NOW"] };
    const undone = await Send.changeOne(
      { _id: send._id, state: "SENDING", phase: "CLAIMED", attemptId: send.attemptId, $expr: dead },
      { $set: { state: "RESERVED", phase: null, attemptId: null, leaseUntil: null } },
    );
    if (undone === null) return false;
    await uncountDay(send);
    return true;
  });
}

async function uncountDay(send: Send): Promise<void> {
  if (send.mailboxId === null || send.day === null) return;
  const owner = send.campaignId ?? "none";
  await scoped(send.workspaceId).MailboxDay.updateOne(
    { _id: `${send.mailboxId}:${send.day}` },
    { $inc: { sent: -1, [`sentBy.${owner}`]: -1 } },
  );
}

/** How long evidence is sought before an unknown outcome ends the recipient (mail.md 4.4). */
export const EVIDENCE_MS = 24 * 3_600_000;

/** Content was under way and no answer was read: never sent again by itself. It stays counted in caps. */
export function recordUnknown(send: Send, attemptId: string): Promise<boolean> {
  return inTransaction(async () => {
    const { Send, Recipient } = scoped(send.workspaceId);
    const unknownAt = new Date();
    const row = await Send.findOneAndUpdate(
      { _id: send._id, attemptId, state: "SENDING", phase: "DATA" },
      { $set: { state: "UNKNOWN", phase: null, leaseUntil: null, unknownAt } },
    );
    if (row === null) return false;
    const until = new Date(unknownAt.getTime() + EVIDENCE_MS);
    if (row.recipientId === null) return true;
    // It counts as contacted (mail.md 4.4)
    const status = { $cond: [{ $eq: ["$status", "PENDING"] }, "IN_PROGRESS", "$status"] };
    await Recipient.updateOne({ _id: row.recipientId, nextStepId: row.stepId }, [{ $set: { nextSendAt: until, status } }]);
    return true;
  });
}

/** The step will never go out to this recipient: the row ends FAILED and the recipient with it. */
export function recordFailed(send: Send, ending: Parameters<typeof endRecipient>[2], failure: Send["failure"]): Promise<void> {
  return inTransaction(async () => {
    await scoped(send.workspaceId).Send.updateOne(
      { _id: send._id, state: trusted({ $in: ["RESERVED", "RELEASED", "UNKNOWN"] }) },
      { $set: { state: "FAILED", failure } },
    );
    if (send.recipientId !== null) await endRecipient(send.workspaceId, send.recipientId, ending);
  });
}

/** Books the row anew: its old slot is free, the booking function finds the next. */
export function rebook(send: Send, book: () => Promise<Date | null>): Promise<Date | null> {
  return inTransaction(async () => {
    const row = await scoped(send.workspaceId).Send.get(send._id);
    if (row === null || (row.state !== "RESERVED" && row.state !== "RELEASED")) return null;
    await releaseBooking(row);
    return book();
  });
}
