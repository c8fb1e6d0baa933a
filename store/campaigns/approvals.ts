import { DAY_MS } from "../../domain/time/durations.ts";
import { Approval } from "../../models/campaigns/approval.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";

/** Milliseconds that a person has to decide (rules/states 7.1). */
export const OPEN_MS = 7 * DAY_MS;

/** The `decidedBy` of approvals for emails that the inbox agent sent automatically. */
export const BY_AGENT = "agent";
/** Messages that people wrote, on either side. They make a waiting draft in the thread outdated. */
const BY_PEOPLE: readonly Message["kind"][] = ["REPLY", "OTHER", "MANUAL"];

/**
 * A filter for approvals that can still be decided. The question whether someone has opted out never expires; until it
 * is decided, they receive no email.
 */
export function filterUndecided() {
  return {
    status: "PENDING" as const,
    $or: [{ expiresAt: trusted({ $gt: new Date() }) }, { kind: "OPT_OUT" as const }],
  };
}

/**
 * Expires the pending approvals of a recipient, and the waiting draft in the thread, because a newer email makes them
 * outdated. Call it in the transaction that stored the message, after the message was added to its thread.
 */
export async function expireAsked({ workspaceId, recipientId, kind, threadId }: Message): Promise<void> {
  if (!BY_PEOPLE.includes(kind)) return;
  const { Approval, SavedDraft } = scoped(workspaceId);
  if (threadId !== null) await SavedDraft.deleteOne({ _id: threadId, source: "AGENT" });
  const drafted = threadId === null ? [] : [draftedIn(threadId)];
  const ofRecipient =
    recipientId === null || kind !== "REPLY" ? [] : [{ recipientId, kind: trusted({ $ne: "OPT_OUT" }) }];
  const either = [...drafted, ...ofRecipient];
  if (either.length > 0) await Approval.updateMany({ status: "PENDING", $or: either }, { $set: { status: "EXPIRED" } });
}

/** A filter for the inbox agent's drafts in a thread. */
function draftedIn(threadId: string) {
  return { threadId, kind: "REPLY", request: null };
}

/**
 * Expires the undecided drafts of the inbox agent in a thread, because someone writes a reply there (rules/agent 4.4):
 * the drafts of approvals, except of the approval that this reply uses, and the saved draft. Call it in the transaction
 * that stores the reply.
 */
export async function expireDraft(
  workspaceId: string,
  threadId: string,
  answering: string | null = null,
): Promise<void> {
  const { Approval, SavedDraft } = scoped(workspaceId);
  const waiting = { ...draftedIn(threadId), status: "PENDING", _id: trusted({ $ne: answering }) };
  await Approval.updateMany(waiting, { $set: { status: "EXPIRED" } });
  await SavedDraft.deleteOne({ _id: threadId, source: "AGENT" });
}

/**
 * Approves the email that a recipient waits for. Returns false when no approval is pending (any more); a new approval
 * is then requested for the recipient. Call it in the transaction that lets the recipient continue.
 */
export async function approveMail(
  workspaceId: string,
  recipientId: string,
  stepId: string,
  decidedBy: string,
): Promise<boolean> {
  const now = new Date();
  const pending = { recipientId, stepId, kind: "CAMPAIGN_SEND", status: "PENDING", expiresAt: trusted({ $gt: now }) };
  const approved = { $set: { status: "APPROVED", decidedBy, decidedAt: now } };
  return (await scoped(workspaceId).Approval.updateOne(pending, approved)) > 0;
}

/**
 * A driver filter for the approval that allows exactly this content to be sent. It also accepts SENT, for an email that
 * bounced and is sent again.
 */
export function approvalFor({ approvalId }: Send, contentHash: string | null): Record<string, unknown> {
  return { _id: approvalId ?? null, kind: "CAMPAIGN_SEND", contentHash, status: { $in: ["APPROVED", "SENT"] } };
}

export async function isApproved(send: Send, contentHash: string): Promise<boolean> {
  if (!send.approvalId) return false;
  const [approval] = await scoped(send.workspaceId).Approval.read(approvalFor(send, contentHash), {
    select: { _id: 1 },
  });
  return approval !== undefined;
}

/**
 * The newest approval that was requested for a recipient's email of a step and not decided; null when there is none.
 */
export function lastAskedOf({ workspaceId, _id: recipientId }: Recipient, stepId: string): Promise<Approval | null> {
  const undecided = { recipientId, stepId, kind: "CAMPAIGN_SEND", status: trusted({ $in: ["PENDING", "EXPIRED"] }) };
  return scoped(workspaceId).Approval.findOne(undecided, { sort: { _id: -1 } });
}

/**
 * Ends the approvals of recipients that pause or end, because their emails are not sent: pending approvals become
 * EXPIRED, approved ones FAILED.
 */
export async function dropApprovals(workspaceId: string, recipientIds: string[]): Promise<void> {
  const open = {
    recipientId: trusted({ $in: recipientIds }),
    kind: "CAMPAIGN_SEND",
    status: trusted({ $in: ["PENDING", "APPROVED"] }),
  };
  const status = { $cond: [{ $eq: ["$status", "PENDING"] }, "EXPIRED", "FAILED"] };
  await scoped(workspaceId).Approval.updateMany(open, [{ $set: { status } }]);
}

/**
 * Marks the approval of a sent email as SENT, even if the recipient was stopped during transmission. Call it in the
 * transaction that records the send.
 */
export async function settleApproval({ workspaceId, approvalId, messageId }: Send): Promise<void> {
  if (!approvalId) return;
  const approved = { _id: approvalId, status: trusted({ $in: ["APPROVED", "FAILED"] }) };
  await scoped(workspaceId).Approval.updateOne(approved, { $set: { status: "SENT", sentMessageId: messageId } });
}

/** Marks the approval of an email that was refused as FAILED. Call it in the transaction that records the refusal. */
export async function failApproval(
  { workspaceId, approvalId }: Send,
  error: { code: string; message: string },
): Promise<void> {
  if (!approvalId) return;
  await scoped(workspaceId).Approval.updateOne(
    { _id: approvalId, status: "APPROVED" },
    { $set: { status: "FAILED", error } },
  );
}

/**
 * Expires all approvals that no one decided in time, in all workspaces. The recipients do not change, and nothing is
 * sent to them without a decision.
 */
export async function expireApprovals(): Promise<void> {
  const late = { expiresAt: trusted({ $lte: new Date() }), kind: trusted({ $ne: "OPT_OUT" as const }) };
  await Approval.updateMany({ status: "PENDING", ...late }, { $set: { status: "EXPIRED" } }).setOptions({
    acrossWorkspaces: true,
  });
}
