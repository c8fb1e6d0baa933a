import { AppError } from "../../domain/errors.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";

/** @throws THREAD_NOT_FOUND */
export async function loadThread(workspaceId: string, threadId: string): Promise<Thread> {
  const thread = await scoped(workspaceId).Thread.get(threadId);
  if (thread === null) throw new AppError("THREAD_NOT_FOUND", "No thread has this id");
  return thread;
}

/**
 * Loads a message of the inbox. A message without a thread, such as a copy of our own email, is not in the inbox.
 * @throws MESSAGE_NOT_FOUND
 */
export async function loadMessage(workspaceId: string, messageId: string): Promise<Message & { threadId: string }> {
  const message = await scoped(workspaceId).Message.get(messageId);
  if (message === null || message.threadId === null) throw new AppError("MESSAGE_NOT_FOUND", "No message has this id");
  return { ...message, threadId: message.threadId };
}
