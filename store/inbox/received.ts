import type { Address, Inbound } from "../../domain/mail/inbound.ts";
import { referencesOf } from "../../domain/mail/message.ts";
import type { AttachedFile, Message } from "../../models/message.ts";
import { newId } from "../../mongo/ids.ts";

const MOST_TEXT = 1_000;
/** The most addresses that are kept of one header. */
const MOST_ADDRESSES = 100;

/** One mail as it was read from a mailbox. */
export interface Received {
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From: it makes the same mail in two folders one. */
  contentKey: string;
  /** When the server received it. */
  receivedAt: Date;
  message: Inbound;
  /** To and Cc, with display names. */
  to: Address[];
  cc: Address[];
  /** Its attachments, which were stored before. */
  attachments: AttachedFile[];
  /** The provider's own id of the conversation, if it has one. */
  providerThreadId: string | null;
  /** Why only the headers were read; null for a mail that was read in full. */
  unreadable: string | null;
}

/** The row of a mail, before it is known what the mail is about. */
export function messageOf(mailboxId: string, received: Received) {
  const { folder, uidValidity, uid, contentKey, receivedAt, message, to, cc, attachments, providerThreadId, unreadable } = received;
  const isWhole = unreadable === null;
  return {
    _id: newId("msg"),
    ...{ mailboxId, folder, uidValidity, uid, contentKey, receivedAt, attachments, providerThreadId, unreadable },
    rfcMessageId: message.messageId,
    inReplyTo: message.inReplyTo,
    references: referencesOf(message.references),
    from: message.from?.address ?? null,
    fromName: message.from?.name || null,
    replyTo: message.replyTo,
    to: to.slice(0, MOST_ADDRESSES),
    cc: cc.slice(0, MOST_ADDRESSES),
    subject: message.subject.slice(0, MOST_TEXT),
    bodyText: isWhole ? message.text : null,
    bodyHtml: isWhole ? message.html : null,
    replyText: isWhole ? message.replyText : null,
    hiddenCharacters: isWhole ? message.hiddenCharacters : 0,
  } satisfies Partial<Message>;
}
