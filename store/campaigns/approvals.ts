import { DAY_MS } from "../../domain/time/durations.ts";
import { Approval } from "../../models/approval.ts";
import type { Message } from "../../models/message.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import type { Asks } from "../inbox/arrival.ts";

/** How long a person has to decide (behaviours 2). */
export const OPEN_MS = 7 * DAY_MS;
const MOST_WORDS = 2_000;

/**
 * What waits for a decision about a recipient ends with each newer mail of theirs; where that mail may ask us to stop, a new question
 * takes its place (B9). Call it in the transaction that stored the message, after it was filed.
 */
export async function raiseApproval(message: Message, asks: Asks | null): Promise<void> {
  const { workspaceId, recipientId, campaignId, kind, _id: messageId } = message;
  if (recipientId === null || kind !== "REPLY") return;
  const { Approval, Message } = scoped(workspaceId);
  await Approval.updateMany({ recipientId, status: "PENDING" }, { $set: { status: "EXPIRED" } });
  if (asks === null) return;
  const threadId = (await Message.get(messageId))?.threadId ?? null;
  const reason = asks.isForged
    ? "The words ask us to stop, but the sender's address could not be authenticated"
    : "The words may ask us to stop writing";
  await Approval.insert({
    _id: newId("apr"),
    kind: "OPT_OUT",
    ...{ threadId, messageId, campaignId, recipientId, stepId: asks.stepId, reason },
    proposedText: asks.words.slice(0, MOST_WORDS),
    confidence: 0.5,
    expiresAt: new Date(Date.now() + OPEN_MS),
  });
}

/**
 * Somebody lets the mail go out that a recipient waits with. False when nothing is asked, or not any more: then the recipient is
 * asked about again. Call it in the transaction that lets the recipient go on.
 */
export async function approveMail(workspaceId: string, recipientId: string, stepId: string, decidedBy: string): Promise<boolean> {
  const now = new Date();
  const asked = { recipientId, stepId, kind: "CAMPAIGN_SEND", status: "PENDING", expiresAt: trusted({ $gt: now }) };
  const approved = { $set: { status: "APPROVED", decidedBy, decidedAt: now } };
  return (await scoped(workspaceId).Approval.updateOne(asked, approved)) > 0;
}

/** The approval under which a mail may go out, for the driver: of its very content. SENT stands for a mail that bounced and is repeated. */
export function approvalFor({ approvalId }: Send, contentHash: string | null): Record<string, unknown> {
  return { _id: approvalId ?? null, kind: "CAMPAIGN_SEND", contentHash, status: { $in: ["APPROVED", "SENT"] } };
}

export async function isApproved(send: Send, contentHash: string): Promise<boolean> {
  if (!send.approvalId) return false;
  const [approval] = await scoped(send.workspaceId).Approval.read(approvalFor(send, contentHash), { select: { _id: 1 } });
  return approval !== undefined;
}

/** What was asked last about a recipient's mail of a step, and not decided; null when nothing was. */
export function lastAskedOf({ workspaceId, _id: recipientId }: Recipient, stepId: string): Promise<Approval | null> {
  const undecided = { recipientId, stepId, kind: "CAMPAIGN_SEND", status: trusted({ $in: ["PENDING", "EXPIRED"] }) };
  return scoped(workspaceId).Approval.findOne(undecided, { sort: { _id: -1 } });
}

/** Recipients who pause or end do not get the mails they waited with: what nobody decided is EXPIRED, what was approved FAILED. */
export async function dropApprovals(workspaceId: string, recipientIds: string[]): Promise<void> {
  const open = { recipientId: trusted({ $in: recipientIds }), kind: "CAMPAIGN_SEND", status: trusted({ $in: ["PENDING", "APPROVED"] }) };
  const status = { $cond: [{ $eq: ["$status", "PENDING"] }, "EXPIRED", "FAILED"] };
  await scoped(workspaceId).Approval.updateMany(open, [{ $set: { status } }]);
}

/** An approved mail is out, even where its recipient was stopped while it was transmitted. Call it in the transaction that records it. */
export async function settleApproval({ workspaceId, approvalId, messageId }: Send): Promise<void> {
  if (!approvalId) return;
  const approved = { _id: approvalId, status: trusted({ $in: ["APPROVED", "FAILED"] }) };
  await scoped(workspaceId).Approval.updateOne(approved, { $set: { status: "SENT", sentMessageId: messageId } });
}

/** Whatever nobody has decided in time, of every kind and over all workspaces. Recipients stay as they are: silence lets nothing out. */
export async function expireApprovals(): Promise<void> {
  const expiresAt = trusted({ $lte: new Date() });
  await Approval.updateMany({ status: "PENDING", expiresAt }, { $set: { status: "EXPIRED" } }).setOptions({ acrossWorkspaces: true });
}
