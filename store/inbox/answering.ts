import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { expireDraft } from "../campaigns/approvals.ts";

/**
 * Notes that someone answers in a thread: what the inbox agent has drafted there no longer waits, and an agent's answer
 * that is made at the same moment conflicts here (rules/agent 4.3). Call it in the transaction that stores the answer.
 */
export async function beginAnswer(workspaceId: string, threadId: string, approvalId: string | null): Promise<void> {
  await scoped(workspaceId).Thread.touch(threadId);
  await expireDraft(workspaceId, threadId, approvalId);
}

/**
 * Whether an answer to this email was sent, is under way, may have arrived or waits for its time. `since`: only answers
 * written from then on count, because the agent looks at the email again.
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
