import type { SmtpRefusal } from "../../domain/bounces/refusal.ts";
import { dayOwnerOf } from "../../domain/sending/day-use.ts";
import { readRelayId } from "../../domain/sending/relay-id.ts";
import { isOpenStatus } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Bounce, Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { noteLate } from "../changed-days.ts";
import { addDueCopy, type Copied } from "../mailboxes/due-copies.ts";
import { type HeardRefusal, heedRefusal, noteAccepted } from "../mailboxes/refusals.ts";
import { applySentMail, type BookNext, HasChanged, type Recorded } from "../recipients/after-sent.ts";
import { endRecipient } from "../recipients/stop.ts";
import { uncountCapped } from "./caps.ts";
import { releaseBooking } from "./release.ts";

/** The server's response after it accepted an email. */
interface Answer {
  response: string;
  /** The provider's Message-ID, if it replaced ours. */
  serverMessageId: string | null;
  sentAt: Date;
}

export interface Delivered extends Answer {
  send: Send;
  /** The recipient as it was read before the claim. */
  recipient: Recipient;
  attemptId: string;
  thread: { subject: string; ids: string[] };
  sequence: Sequence;
  bookNext: BookNext;
  /** The copy for the Sent folder; null when the mailbox gets none. */
  copied: Copied | null;
}

/**
 * Records a send as SENT, with all consequences, in one transaction (rules/sending 8.3). Null when another attempt owns
 * the send.
 */
export async function recordSent(delivered: Delivered): Promise<Recorded | null> {
  try {
    return await inTransaction(() => writeSent(delivered, delivered.recipient));
  } catch (error) {
    if (!(error instanceof HasChanged)) throw error;
    return inTransaction(() => writeSent(delivered, null));
  }
}

async function writeSent(
  { attemptId, response, serverMessageId, copied, ...follows }: Delivered,
  as: Recipient | null,
): Promise<Recorded | null> {
  const sent = await sentBy(follows.send, attemptId, { response, serverMessageId, sentAt: follows.sentAt });
  if (sent === null) return null;
  if (copied !== null) await addDueCopy(sent, copied, serverMessageId);
  await noteLate(sent.workspaceId, sent.campaignId, [sent.sentAt]);
  await noteAccepted(sent, follows.sentAt);
  return applySentMail(sent, follows.sequence, follows.thread, follows.bookNext, as);
}

/** Records that an email was sent that belongs to no recipient's step. Null when another attempt owns the send. */
export function recordSingleSent(
  send: Send,
  attemptId: string,
  response: string,
  serverMessageId: string | null,
): Promise<Send | null> {
  return sentBy(send, attemptId, { response, serverMessageId, sentAt: new Date() });
}

/** Records the success of an attempt and returns the send after that; null when another attempt owns it. */
async function sentBy(
  send: Send,
  attemptId: string,
  { response, serverMessageId, sentAt }: Answer,
): Promise<Send | null> {
  const theirs = await relayIdsOf(send, response);
  const messageIds = [
    ...new Set([...send.messageIds, ...(serverMessageId === null ? [] : [serverMessageId]), ...theirs.messageIds]),
  ];
  const relayIds = [...new Set([...(send.relayIds ?? []), ...theirs.keys])];
  const facts = {
    sentAt,
    response: response.slice(0, 500),
    messageIds,
    relayIds,
    attempts: 0,
    heldBack: null,
    updatedAt: new Date(),
  };
  return scoped(send.workspaceId).Send.changeOne(
    { _id: send._id, attemptId, state: { $in: ["SENDING", "UNKNOWN"] } },
    { $set: { state: "SENT", phase: null, leaseUntil: null, ...facts } },
  );
}

/**
 * The ids that the relay gave to the email. None if another email has the same id, so that no reply is attributed to
 * the wrong email.
 */
async function relayIdsOf(
  { workspaceId, _id, mailboxId, messageId }: Send,
  response: string,
): Promise<{ keys: string[]; messageIds: string[] }> {
  const named = readRelayId(response);
  if (named === null || mailboxId === null || named.messageId === messageId) return { keys: [], messageIds: [] };
  const { keys } = named;
  const messageIds = named.messageId === null ? [] : [named.messageId];
  const alike = [...messageIds.map((id) => ({ messageIds: id })), ...keys.map((key) => ({ mailboxId, relayIds: key }))];
  const other = await scoped(workspaceId).Send.findOne(
    { _id: trusted({ $ne: _id }), $or: alike },
    { select: { _id: 1 } },
  );
  return other === null ? { keys, messageIds } : { keys: [], messageIds: [] };
}

/**
 * Undoes a claim, because the server refused the email or nothing was transmitted (rules/sending 8.2). The send is
 * RESERVED again, with its old slot and one more attempt. Returns false when another attempt owns the send.
 */
export function recordNotSent(send: Send, attemptId: string, failure: Send["failure"]): Promise<boolean> {
  return inTransaction(async () => {
    const undone = await scoped(send.workspaceId).Send.findOneAndUpdate(
      { _id: send._id, attemptId, state: "SENDING" },
      { $set: { ...UNCLAIMED, failure }, $inc: { attempts: 1 } },
    );
    if (undone !== null) await giveClaimBack(undone);
    return undone !== null;
  });
}

/**
 * Undoes a claim after a server's refusal and stores the refusal as evidence for the mailbox (rules/sending 10.8).
 * Returns the refusal with its effective meaning; null when another attempt owns the send. `triedAfter`: the end of a
 * cooldown, if the email was sent in the trial period after it.
 */
export function recordRefused(
  send: Send,
  attemptId: string,
  failure: Send["failure"],
  refusalEvent: Omit<HeardRefusal, "send">,
  triedAfter: Date | null = null,
): Promise<SmtpRefusal | null> {
  return inTransaction(async () => {
    if (!(await recordNotSent(send, attemptId, failure))) return null;
    if (triedAfter !== null)
      await scoped(send.workspaceId).Send.updateOne({ _id: send._id }, { $set: { triedAfterRest: triedAfter } });
    return heedRefusal({ ...refusalEvent, send });
  });
}

/**
 * Undoes a claim and releases the slot, because a stop or too much time came between the claim and the transmission.
 * The next claim gets another slot. `heldBack` is set when the email was only too late. Returns false when another
 * attempt owns the send.
 */
export function recordWithdrawn(send: Send, attemptId: string, heldBack: Send["heldBack"] = null): Promise<boolean> {
  return inTransaction(async () => {
    const undone = await scoped(send.workspaceId).Send.findOneAndUpdate(
      { _id: send._id, attemptId, state: "SENDING" },
      {
        $set: {
          ...UNCLAIMED,
          heldBack,
          failure: { reason: heldBack === null ? "WITHDRAWN" : "HELD_BACK", code: null, text: null },
        },
      },
    );
    if (undone === null) return false;
    await uncountDay(undone);
    if (undone.recipientId !== null) await releaseBooking(undone);
    return true;
  });
}

/** No draft of the provider has it any more either, so one that is left may be deleted. */
const UNCLAIMED = { state: "RESERVED", phase: null, attemptId: null, leaseUntil: null, draft: null } as const;

/** Undoes a claim whose worker died in phase CLAIMED, so that nothing was transmitted. */
export function takeOver(send: Send): Promise<boolean> {
  return inTransaction(async () => {
    const { Send } = scoped(send.workspaceId);
    const dead = { $lt: ["$leaseUntil", "$$NOW"] };
    const undone = await Send.changeOne(
      { _id: send._id, state: "SENDING", phase: "CLAIMED", attemptId: send.attemptId, $expr: dead },
      { $set: UNCLAIMED },
    );
    if (undone !== null) await giveClaimBack(undone);
    return undone !== null;
  });
}

/** Removes the claim from the day's count. If the recipient has ended, its slot is released too. */
async function giveClaimBack(undone: Send): Promise<void> {
  const { workspaceId, recipientId } = undone;
  await uncountDay(undone);
  if (recipientId === null) return;
  const recipient = await scoped(workspaceId).Recipient.get(recipientId);
  if (recipient === null || !isOpenStatus(recipient.status)) await releaseBooking(undone);
}

async function uncountDay(send: Send): Promise<void> {
  await uncountCapped(send);
  if (send.mailboxId === null || send.day === null) return;
  await scoped(send.workspaceId).MailboxDay.updateOne(
    { _id: `${send.mailboxId}:${send.day}` },
    { $inc: { sent: -1, [`sentBy.${dayOwnerOf(send)}`]: -1 } },
  );
}

/**
 * For how many milliseconds a send stays UNKNOWN while evidence may arrive. After that the recipient ends
 * (rules/sending 9).
 */
export const EVIDENCE_MS = DAY_MS;

/**
 * Records that transmission had begun and no response was read. The send is never repeated automatically, and stays
 * counted in all limits.
 */
export function recordUnknown(send: Send, attemptId: string): Promise<boolean> {
  return inTransaction(async () => {
    const { Send } = scoped(send.workspaceId);
    const unknownAt = new Date();
    const row = await Send.findOneAndUpdate(
      { _id: send._id, attemptId, state: "SENDING", phase: "DATA" },
      { $set: { state: "UNKNOWN", phase: null, leaseUntil: null, unknownAt } },
    );
    if (row === null) return false;
    await awaitEvidence(row);
    return true;
  });
}

/** Makes the recipient of an UNKNOWN send wait for evidence. Call it in the transaction that made the send UNKNOWN. */
export async function awaitEvidence({ workspaceId, recipientId, stepId, unknownAt }: Send): Promise<void> {
  if (recipientId === null || unknownAt === null) return;
  const until = new Date(unknownAt.getTime() + EVIDENCE_MS);
  // The recipient counts as contacted (rules/sending 9)
  const status = { $cond: [{ $eq: ["$status", "PENDING"] }, "IN_PROGRESS", "$status"] };
  const waiting = { _id: recipientId, nextStepId: stepId };
  await scoped(workspaceId).Recipient.updateOne(waiting, [{ $set: { nextSendAt: until, status } }]);
}

/** Records that the step is never sent to this recipient: the send becomes FAILED, and the recipient ends. */
export function recordFailed(
  send: Send,
  ending: Parameters<typeof endRecipient>[2],
  failure: Send["failure"],
): Promise<void> {
  return inTransaction(async () => {
    await scoped(send.workspaceId).Send.updateOne(
      { _id: send._id, state: trusted({ $in: ["RESERVED", "RELEASED", "UNKNOWN"] }) },
      { $set: { state: "FAILED", failure } },
    );
    if (send.recipientId !== null) await endRecipient(send.workspaceId, send.recipientId, ending);
  });
}

/**
 * Ends a recipient whose server refuses the email by policy: it becomes FAILED, without a bounce and without a
 * suppression (rules/sending 10.2). `bounce` contains the server's response; null when it is already stored.
 */
export function recordRefusedByPolicy(send: Send, bounce: Bounce | null): Promise<void> {
  const said = bounce ?? { code: send.failure?.code ?? null, diagnostic: send.failure?.text ?? null };
  const failure = { reason: "REFUSED_BY_POLICY", code: said.code, text: said.diagnostic };
  return inTransaction(async () => {
    if (bounce !== null)
      await scoped(send.workspaceId).Recipient.updateOne({ _id: send.recipientId ?? "" }, { $set: { bounce } });
    await recordFailed(send, { status: "FAILED", stopReason: "REFUSED_BY_POLICY", bySelf: true }, failure);
  });
}

/** Books a send again: releases its old slot, then calls `book` to find the next one. */
export function rebook(send: Send, book: () => Promise<Date | null>): Promise<Date | null> {
  return inTransaction(async () => {
    const row = await scoped(send.workspaceId).Send.get(send._id);
    if (row === null || (row.state !== "RESERVED" && row.state !== "RELEASED")) return null;
    await releaseBooking(row);
    return book();
  });
}
