import { setImmediate as pause } from "node:timers/promises";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";
import { describedIds } from "../described-ids.ts";
import { wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadMessage, loadThread } from "./find.ts";
import { findOpenPromises } from "./open-promises.ts";
import { messageView, ThreadInFull } from "./record.ts";

const { threadId } = describedIds;

/** The most characters of bodies in one response. A longer page ends earlier, with `hasEarlier` true. */
const MOST_CHARACTERS = 2_000_000;
const LAST = { receivedAt: -1, _id: -1 } as const;

export const get = operation({
  summary: "Read one thread with its messages, newest first; beforeMessageId reads on from the last message of a page",
  scope: "inbox:read",
  errors: ["MESSAGE_NOT_FOUND", "THREAD_NOT_FOUND"],
  input: z.strictObject({
    threadId,
    messageLimit: wholeNumber(1, 100).default(20).describe("How many emails, newest first, 1 to 100. Default 20"),
    beforeMessageId: z.string().max(64).optional().describe("Only emails older than this one"),
  }),
  output: ThreadInFull,
  async run({ workspaceId }, { threadId, messageLimit, beforeMessageId }) {
    const thread = await loadThread(workspaceId, threadId);
    const before = beforeMessageId === undefined ? {} : await olderThan(workspaceId, threadId, beforeMessageId);
    const filter: Filter<Message> = { threadId, ...before };
    const messages: ReturnType<typeof messageView>[] = [];
    let [characters, hasEarlier] = [0, false];
    for await (const message of scoped(workspaceId).Message.stream(filter, { sort: LAST, limit: messageLimit + 1 })) {
      characters +=
        (message.bodyText?.length ?? 0) + (message.bodyHtml?.length ?? 0) + (message.replyText?.length ?? 0);
      hasEarlier = messages.length === messageLimit || (characters > MOST_CHARACTERS && messages.length > 0);
      if (hasEarlier) break;
      messages.push(messageView(message));
      await pause(); // lets other requests run before the next HTML is cleaned
    }
    const [promises, agent] = await Promise.all([
      findOpenPromises(workspaceId, { threadId }),
      lastLookOf(workspaceId, threadId),
    ]);
    return { ...thread, messages, hasEarlier, promises, agent };
  },
});

/** The result of the inbox agent's last check of the thread. */
async function lastLookOf(workspaceId: string, threadId: string) {
  const task = await scoped(workspaceId).AgentTask.findOne({ threadId }, { sort: { createdAt: -1 } });
  return task === null ? null : { ...task, messageId: task._id };
}

async function olderThan(workspaceId: string, threadId: string, messageId: string): Promise<Filter<Message>> {
  const { threadId: other, receivedAt, _id } = await loadMessage(workspaceId, messageId);
  if (other !== threadId) throw new AppError("MESSAGE_NOT_FOUND", "No message of this thread has this id");
  const earlier = { $or: [{ receivedAt: trusted({ $lt: receivedAt }) }, { _id: trusted({ $lt: _id }) }] };
  return { receivedAt: trusted({ $lte: receivedAt }), ...earlier };
}
