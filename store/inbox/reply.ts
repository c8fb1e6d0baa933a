import { type SendFailure, sendErrorOf } from "../../domain/sending/send-error.ts";
import type { OutgoingMail } from "../../models/inbox/outgoing-mail.ts";
import type { ScheduledReply } from "../../models/inbox/scheduled-reply.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { BY_AGENT, failApproval, settleApproval } from "../campaigns/approvals.ts";
import { addDueCopy, type Copied } from "../mailboxes/due-copies.ts";
import { noteAccepted } from "../mailboxes/refusals.ts";
import { nudge } from "../outbox.ts";
import { recordSingleSent, recordUnknown } from "../sending/record.ts";
import { suppressAddress } from "../suppression/suppress.ts";
import { beginAnswer } from "./answering.ts";
import { draftLetter, type Letter } from "./reply-letter.ts";
import { fileSent } from "./threads.ts";

export interface ReplyKey {
  idempotencyKey: string;
  argumentHash: string;
  /** The approval for the reply; null when no approval was needed. */
  approvalId: string | null;
}

/**
 * Creates the send and the content of a reply, once per idempotency key. Null when the key belongs to another request.
 * If the send has certainly failed, the next call with its key replaces it, with the same or a corrected request
 * (rules/security 7.3). Call it in a transaction.
 */
export async function reserveReply(
  workspaceId: string,
  replyKey: ReplyKey,
  letter: Letter,
): Promise<{ send: Send; isNew: boolean } | null> {
  const { ScheduledReply, Send } = scoped(workspaceId);
  const { idempotencyKey, argumentHash, approvalId } = replyKey;
  if ((await ScheduledReply.findOne({ idempotencyKey }, { select: { _id: 1 } })) !== null) return null;
  const existing = await Send.findOne({ sendKey: idempotencyKey });
  if (existing !== null && existing.state !== "FAILED")
    return existing.argumentHash === argumentHash ? { send: existing, isNew: false } : null;
  const sendId = existing?._id ?? newId("snd");
  const fields = { kind: "REPLY" as const, argumentHash, approvalId, ...replySendFields(letter) };
  const send =
    existing === null
      ? await Send.insert({ _id: sendId, sendKey: idempotencyKey, ...fields })
      : await Send.findOneAndUpdate(
          { _id: sendId, state: "FAILED" },
          { $set: { ...fields, state: "RESERVED", failure: null } },
        );
  if (send === null) throw new Error("The row of an answer is gone");
  await beginAnswer(workspaceId, letter.threadId, approvalId);
  await writeDraft(workspaceId, sendId, letter);
  await nudge(workspaceId, "REPLY", { sendId });
  return { send, isNew: true };
}

/**
 * Starts a scheduled reply that is due: moves it from PENDING to SENDING and creates its send. Returns the record after
 * that, or null when it no longer exists. A reply that was cancelled or has already started does not change.
 */
export function beginScheduled(workspaceId: string, scheduledId: string): Promise<ScheduledReply | null> {
  return inTransaction(async () => {
    const { ScheduledReply, Send } = scoped(workspaceId);
    const begun = await ScheduledReply.findOneAndUpdate(
      { _id: scheduledId, status: "PENDING" },
      { $set: { status: "SENDING" } },
    );
    if (begun === null) return ScheduledReply.get(scheduledId);
    const letter = await scheduledLetter(begun);
    if (letter === null) return failScheduled(workspaceId, scheduledId, { reason: "MAILBOX_DISCONNECTED", code: null });
    const sendKey = scheduledKey(scheduledId);
    const { argumentHash, approvalId = null } = begun;
    await beginAnswer(workspaceId, begun.threadId, approvalId);
    await Send.insert({
      _id: scheduledId,
      kind: "SCHEDULED",
      sendKey,
      argumentHash,
      approvalId,
      ...replySendFields(letter),
    });
    await writeDraft(workspaceId, scheduledId, letter);
    return begun;
  });
}

/** The key of a scheduled reply's send; its Message-ID is derived from it. */
export function scheduledKey(scheduledId: string): string {
  return `scheduled-reply/${scheduledId}`;
}

/**
 * Records that a reply was sent: the send becomes SENT, and the reply is added to its thread. Returns false when
 * another attempt owns the send.
 */
export function recordReplySent(
  send: Send,
  attemptId: string,
  response: string,
  serverMessageId: string | null,
  copied: Copied | null,
): Promise<boolean> {
  return inTransaction(async () => {
    const sent = await recordSingleSent(send, attemptId, response, serverMessageId);
    if (sent === null) return false;
    if (copied !== null) await addDueCopy(sent, copied, serverMessageId);
    await noteAccepted(sent);
    await applySentReply(sent);
    return true;
  });
}

/**
 * Applies a sent reply to its thread, its lead and its schedule. Call it in the transaction that recorded the send as
 * SENT.
 */
export async function applySentReply(sent: Send): Promise<void> {
  const { workspaceId, _id, leadId, threadId } = sent;
  await settleApproval(sent);
  if (threadId === null) return;
  const { Approval, OutgoingMail, Lead, ScheduledReply } = scoped(workspaceId);
  const draft = await OutgoingMail.get(_id);
  const more =
    draft === null
      ? {}
      : {
          cc: draft.cc.map(namelessAddress),
          inReplyTo: draft.inReplyTo,
          references: draft.references,
          attachments: draft.attachments ?? [],
        };
  const isAgents = sent.approvalId !== null && (await Approval.get(sent.approvalId))?.decidedBy === BY_AGENT;
  const kind = isAgents ? "AGENT" : sent.kind === "SCHEDULED" ? "SCHEDULED" : "MANUAL";
  const sentMessageId = await fileSent(sent, kind, more);
  if (leadId !== null) await Lead.updateOne({ _id: leadId }, { $max: { lastContactedAt: sent.sentAt ?? new Date() } });
  if (sent.kind === "SCHEDULED")
    await ScheduledReply.updateOne({ _id }, { $set: { status: "SENT", sentMessageId, error: null } });
}

/**
 * Records that a reply was not sent and will not be. If the server refused the recipient permanently, this is a hard
 * bounce (rules/sending 10.1).
 */
export function recordReplyFailed(
  send: Send,
  failure: NonNullable<Send["failure"]>,
  { isHardBounce = false } = {},
): Promise<void> {
  return inTransaction(async () => {
    const { Send } = scoped(send.workspaceId);
    const failed = await Send.updateOne({ _id: send._id, state: "RESERVED" }, { $set: { state: "FAILED", failure } });
    if (failed === 0) return;
    const { code, message } = sendErrorOf(failure);
    await failApproval(send, { code, message });
    if (isHardBounce) await suppressAddress(send.workspaceId, send.to, "HARD_BOUNCE");
    if (send.kind === "SCHEDULED") await failScheduled(send.workspaceId, send._id, failure);
  });
}

/**
 * Records that transmission had begun and no response was read. The reply is never sent again. A later reply or bounce
 * may show whether it was sent (rules/sending 9.1).
 */
export function recordUnclear(send: Send, attemptId: string): Promise<boolean> {
  return inTransaction(async () => {
    const isOurs = await recordUnknown(send, attemptId);
    if (isOurs && send.kind === "SCHEDULED") await failScheduled(send.workspaceId, send._id, UNCLEAR);
    return isOurs;
  });
}

const UNCLEAR: SendFailure = { reason: "SEND_UNKNOWN", code: null };

/**
 * Updates the record of a scheduled reply when the reconciler, not the reply's own workflow run, has ended its send.
 */
export async function settleScheduled(send: Send): Promise<void> {
  if (send.state === "UNKNOWN") await failScheduled(send.workspaceId, send._id, UNCLEAR);
  if (send.state === "FAILED")
    await failScheduled(send.workspaceId, send._id, send.failure ?? { reason: "SEND_FAILED", code: null });
}

function failScheduled(workspaceId: string, _id: string, failure: SendFailure): Promise<ScheduledReply | null> {
  const { code, message } = sendErrorOf(failure);
  const error = { code: failure.reason === "SEND_UNKNOWN" ? failure.reason : code, message };
  return scoped(workspaceId).ScheduledReply.findOneAndUpdate(
    { _id, status: "SENDING" },
    { $set: { status: "FAILED", error } },
  );
}

/** The content of a scheduled reply as it would be sent now; null when its mailbox or its thread no longer exists. */
async function scheduledLetter({
  workspaceId,
  threadId,
  mailboxId,
  inReplyToMessageId,
  to,
  ...scheduled
}: ScheduledReply) {
  const { Mailbox, Message, Thread } = scoped(workspaceId);
  const thread = await Thread.get(threadId);
  const answered = await Message.get(inReplyToMessageId);
  const mailbox = await Mailbox.get(mailboxId);
  if (thread === null || answered === null || mailbox === null) return null;
  const { bodyText: text, bodyHtml: html, subject, cc, bcc, attachments = [] } = scheduled;
  const letter = await draftLetter(thread, answered, mailbox, { text, html, subject, cc, bcc, attachments });
  return letter === null ? null : { ...letter, to };
}

function replySendFields({
  threadId,
  leadId,
  mailboxId,
  to,
  subject,
}: Letter): Pick<Send, "threadId" | "leadId" | "mailboxId" | "to" | "subject"> {
  return { threadId, leadId, mailboxId, to, subject };
}

async function writeDraft(
  workspaceId: string,
  _id: string,
  { threadId: _thread, leadId: _lead, ...content }: Letter,
): Promise<void> {
  const { OutgoingMail } = scoped(workspaceId);
  const fields: Omit<OutgoingMail, "workspaceId" | "createdAt" | "updatedAt"> = { _id, kind: "REPLY", ...content };
  await OutgoingMail.deleteOne({ _id });
  await OutgoingMail.insert(fields);
}

function namelessAddress(address: string): { name: string; address: string } {
  return { name: "", address };
}
