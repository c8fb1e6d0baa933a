import { ReplyPromise } from "../../models/reply-promise.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { emit, nudge } from "../outbox.ts";
import { loadAgentSettings } from "./settings.ts";

/** Brings the threads back of which a promise is due, in all workspaces: at most so many. Returns how many were. */
export async function fulfilPromises(most: number, now: Date): Promise<number> {
  const due = {
    status: "PENDING" as const,
    kind: "TIME" as const,
    $and: [{ dueAt: trusted(IS_INSTANT) }, { dueAt: trusted({ $lte: now }) }],
  };
  const rows = await ReplyPromise.find(due, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(most)
    .lean<Pick<ReplyPromise, "workspaceId" | "_id">[]>();
  for (const { workspaceId, _id } of rows) await fulfil(workspaceId, _id);
  return rows.length;
}

/**
 * The thread is unread again and out of the archive, with the promise as its reason, and where a workspace has an agent, that one drafts
 * what could be written now: once, and not when somebody cancelled it meanwhile.
 */
function fulfil(workspaceId: string, promiseId: string): Promise<void> {
  return inTransaction(async () => {
    const { AgentTask, ReplyPromise, Thread } = scoped(workspaceId);
    const promise = await ReplyPromise.findOneAndUpdate({ _id: promiseId, status: "PENDING" }, { $set: { status: "DUE" } });
    if (promise === null) return;
    const { threadId, leadId, campaignId, recipientId, messageId } = promise;
    const back = { isRead: false, isArchived: false, unreadCount: { $max: ["$unreadCount", 1] }, updatedAt: "$$NOW" };
    await Thread.updateOne({ _id: threadId }, [{ $set: back }]);
    if ((await loadAgentSettings(workspaceId)).enabled) {
      await AgentTask.insert({ _id: promiseId, threadId });
      await nudge(workspaceId, "AGENT_REPLY", { messageId: promiseId });
    }
    await emit(workspaceId, { type: "PROMISE_DUE", leadId, campaignId, recipientId, data: { promiseId, threadId, messageId } });
  });
}
