import type { Address, Inbound } from "../../domain/mail/inbound.ts";
import { referencesOf } from "../../domain/mail/message.ts";
import type { AttachedFile, Message } from "../../models/message.ts";
import { newId } from "../../mongo/ids.ts";

const MOST_TEXT = 1_000;
/** Of a header, as many as anybody reads. */
const MOST_ADDRESSES = 100;

/** One mail as it was read from a mailbox. */
export interface Received {
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From: the same mail in two folders is one. */
  contentKey: string;
  /** When the server received it. */
  receivedAt: Date;
  message: Inbound;
  /** To and Cc with their names. */
  to: Address[];
  cc: Address[];
  /** Its files, stored before this. */
  attachments: AttachedFile[];
  /** The provider's own id of the conversation, where it has one. */
  providerThreadId: string | null;
  /** Why only the headers were read; null for a mail that was read whole. */
  unreadable: string | null;
}

/** The row of a mail, before anything is known of what it is about. */
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
  } satisfies Partial<Message>;
}
