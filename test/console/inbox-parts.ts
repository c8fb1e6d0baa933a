import { randomUUID } from "node:crypto";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";

export interface Written {
  from: string;
  name?: string;
  subject?: string;
  text?: string;
  html?: string | null;
  /** Minutes ago. */
  ago?: number;
  isRead?: boolean;
  message?: Partial<Message>;
  /** Our mail that it answers. */
  before?: string;
}

/**
 * A conversation as reading mail leaves it: someone wrote to this mailbox, as an answer to our email if `before` gives
 * its text.
 */
export async function conversationIn(
  workspaceId: string,
  mailboxId: string,
  {
    from,
    name = "",
    subject = "Re: Widgets",
    text = "Tell me more.",
    html = null,
    ago = 1,
    isRead = false,
    message = {},
    before,
  }: Written,
): Promise<{ threadId: string; messageId: string }> {
  const { Message, Thread } = scoped(workspaceId);
  const threadId = newId("thr");
  const receivedAt = new Date(Date.now() - ago * MINUTE_MS);
  await Thread.insert({
    _id: threadId,
    mailboxId,
    subject,
    lastMessageAt: receivedAt,
    messageCount: before === undefined ? 1 : 2,
    participants: [{ name, address: from }],
    snippet: text.slice(0, 200),
    isRead,
    unreadCount: isRead ? 0 : 1,
  });
  if (before !== undefined) {
    await Message.insert({
      _id: newId("msg"),
      mailboxId,
      threadId,
      direction: "OUTBOUND",
      kind: "CAMPAIGN",
      from: "ann@a.test",
      fromName: "Ann",
      to: [{ name, address: from }],
      contentKey: randomUUID(),
      subject,
      bodyText: before,
      receivedAt: new Date(receivedAt.getTime() - MINUTE_MS),
    });
  }
  const { _id: messageId } = await Message.insert({
    _id: newId("msg"),
    mailboxId,
    threadId,
    from,
    fromName: name,
    subject,
    receivedAt,
    bodyText: text,
    bodyHtml: html,
    contentKey: randomUUID(),
    rfcMessageId: `<${randomUUID()}@people.test>`,
    kind: "REPLY",
    replyText: text,
    ...message,
  });
  return { threadId, messageId };
}
