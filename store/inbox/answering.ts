import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { expireDraft } from "../campaigns/approvals.ts";

/**
 * Records that someone answers in a thread. Waiting drafts of the inbox agent expire, and an answer that the agent
 * makes at the same moment conflicts with this write (rules/agent 4.3). Call it in the transaction that stores the
 * answer.
 */
export async function beginAnswer(workspaceId: string, threadId: string, approvalId: string | null): Promise<void> {
  await scoped(workspaceId).Thread.touch(threadId);
  await expireDraft(workspaceId, threadId, approvalId);
}

/**
 * Whether an answer to this email was sent, is being sent, may have been sent, or is scheduled. With `since`, only
 * answers from that instant on count, because the agent handles the email again.
 */
export async function isBeingAnswered(
  { workspaceId, _id, threadId, createdAt }: Message,
  since: Date | null = null,
): Promise<boolean> {
  const { ScheduledReply, Send, Thread } = scoped(workspaceId);
  const thread = threadId === null ? null : await Thread.get(threadId);
  if (thread === null) return false;
  if (thread.lastDirection === "OUTBOUND" && (since === null || thread.lastMessageAt >= since)) return true;
  const later = { threadId, createdAt: trusted({ $gte: since ?? createdAt }) };
  const answers = {
    ...later,
    kind: trusted({ $in: ["REPLY", "SCHEDULED"] }),
    state: trusted({ $nin: ["FAILED", "RELEASED"] }),
  };
  if ((await Send.findOne(answers, { select: { _id: 1 } })) !== null) return true;
  const waiting = { threadId, inReplyToMessageId: _id, status: trusted({ $in: ["PENDING", "SENDING"] }) };
  return (await ScheduledReply.findOne(waiting, { select: { _id: 1 } })) !== null;
}
