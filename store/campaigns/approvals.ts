import { DAY_MS } from "../../domain/time/durations.ts";
import { Approval } from "../../models/campaigns/approval.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";

/** Milliseconds that a person has to decide (rules/states 7.1). */
export const OPEN_MS = 7 * DAY_MS;

/** The decider of what the inbox agent sent by itself. */
export const BY_AGENT = "agent";
/** What a person wrote, on either side: it makes the draft that waits in the thread out of date. */
const BY_PEOPLE: readonly Message["kind"][] = ["REPLY", "OTHER", "MANUAL"];

/**
 * A filter for approvals that can still be decided. A question whether someone wants no more email never expires:
 * without an answer they receive no more email.
 */
export function filterUndecided() {
  return {
    status: "PENDING" as const,
    $or: [{ expiresAt: trusted({ $gt: new Date() }) }, { kind: "OPT_OUT" as const }],
  };
}

/**
 * Expires the pending approvals of a recipient, and the draft that waits in the thread, because each newer email makes
 * those out of date. Call it in the transaction that stored the message, after the message was filed in its thread.
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

/** What the inbox agent has drafted in a thread. */
function draftedIn(threadId: string) {
  return { threadId, kind: "REPLY", request: null };
}

/**
 * Expires what the inbox agent has drafted in a thread and no one has decided, because someone writes there
 * (rules/agent 4.4): the draft of an approval, except the approval that this answer uses, and the draft of the reply
 * box. Call it in the transaction that stores the answer.
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
 * Approves the email that a recipient waits for. Returns false when no approval is pending any more, or none was: then
 * a new approval is raised for the recipient. Call it in the transaction that lets the recipient continue.
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
 * A filter for the driver: the approval under which exactly this content may be sent. It accepts SENT as well, for an
 * email that bounced and is repeated.
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

/** The newest undecided approval for a recipient's email of a step; null when there is none. */
export function lastAskedOf({ workspaceId, _id: recipientId }: Recipient, stepId: string): Promise<Approval | null> {
  const undecided = { recipientId, stepId, kind: "CAMPAIGN_SEND", status: trusted({ $in: ["PENDING", "EXPIRED"] }) };
  return scoped(workspaceId).Approval.findOne(undecided, { sort: { _id: -1 } });
}

/**
 * When recipients pause or end, the emails that wait for them are not sent: undecided approvals become EXPIRED,
 * approved ones FAILED.
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
 * Marks the approval of an email that was sent as SENT, even if its recipient was stopped during transmission. Call it
 * in the transaction that records the send.
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
 * Expires every approval in all workspaces that no one decided in time. Recipients stay unchanged: without a decision
 * nothing is sent.
 */
export async function expireApprovals(): Promise<void> {
  const late = { expiresAt: trusted({ $lte: new Date() }), kind: trusted({ $ne: "OPT_OUT" as const }) };
  await Approval.updateMany({ status: "PENDING", ...late }, { $set: { status: "EXPIRED" } }).setOptions({
    acrossWorkspaces: true,
  });
}
