import type { ThreadMail, ThreadState } from "../../domain/inbox/thread.ts";
import type { Address } from "../../domain/mail/inbound.ts";
import type { Message } from "../../models/inbox/message.ts";
import type { Send } from "../../models/sending/send.ts";

/** The parts of a message from which a thread's state is computed. */
export function threadMailOf(
  message: Pick<
    Message,
    | "direction"
    | "receivedAt"
    | "subject"
    | "replyText"
    | "bodyText"
    | "from"
    | "fromName"
    | "to"
    | "cc"
    | "attachments"
  >,
  news: ThreadMail["news"],
): ThreadMail {
  const { direction, receivedAt, subject, replyText, bodyText, from, fromName, to, cc, attachments } = message;
  const sender: Address[] = from === null ? [] : [{ name: fromName ?? "", address: from }];
  return {
    direction,
    at: receivedAt ?? new Date(),
    subject: subject ?? "",
    text: replyText || bodyText || "",
    people: [...sender, ...to, ...cc],
    hasAttachments: attachments.length > 0,
    news,
  };
}

/** The parts of an email that we sent, from which a thread's state is computed. */
export function mailOfSend(
  { sentAt, subject, content, to }: Send,
  news: ThreadMail["news"],
  cc: readonly Address[] = [],
): ThreadMail {
  const people = [{ name: "", address: to }, ...cc];
  const at = sentAt ?? new Date();
  return {
    direction: "OUTBOUND",
    at,
    subject: subject ?? "",
    text: content?.text ?? "",
    people,
    hasAttachments: false,
    news,
  };
}

/** The fields of a thread's state that are stored. */
export function storedThreadFields(state: ThreadState): ThreadState {
  const { subject, participants, snippet, isRead, isArchived, hasAttachments } = state;
  const { messageCount, unreadCount, lastMessageAt, lastDirection, searchWords } = state;
  return {
    subject,
    participants,
    snippet,
    isRead,
    isArchived,
    hasAttachments,
    messageCount,
    unreadCount,
    lastMessageAt,
    lastDirection,
    searchWords,
  };
}
