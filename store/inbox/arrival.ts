import type { Provenance } from "../../domain/bounces/report-proof.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import type { Address, Inbound } from "../../domain/mail/inbound.ts";
import { referencesOf } from "../../domain/mail/message.ts";
import type { FolderUse } from "../../domain/mailboxes/sync.ts";
import type { AttachedFile, Message } from "../../models/inbox/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { newId } from "../../mongo/ids.ts";
import type { OptOutQuestion } from "./opt-out-question.ts";

/** An email as it was found in a folder. */
export interface Arrival extends Received {
  mailbox: Mailbox;
  /** The use of the folder. It is the inbox if the provider shows the email in the inbox as well. */
  folderUse: FolderUse;
  /** The result of SPF, DKIM and DMARC for the From address; NONE when there is none. */
  authentication: "PASS" | "FAIL" | "NONE";
  /** The proven source of a report. */
  provenance: Provenance;
  /**
   * Whether the email was found in the Sent folder: either we sent it, or a person sent it from their own email
   * program.
   */
  isSentFolder: boolean;
}

/**
 * Handles an email that belongs to a satellite instead of the inbox, in the transaction that stores it. Returns whether
 * it did. The worker passes this function in, because the core imports no satellite.
 */
export type HeedArrival = (arrival: Arrival) => Promise<boolean>;

/**
 * Processes a person's reply after it was stored in its thread, in the same transaction. It is passed in because the
 * core imports no satellite.
 */
export type HeedReply = (message: Message, intent: ReplyIntent) => Promise<void>;

/** The kind of an email and the records that it concerns. */
export type About = Partial<
  Pick<
    Message,
    | "kind"
    | "direction"
    | "category"
    | "isDoubtful"
    | "recipientId"
    | "campaignId"
    | "leadId"
    | "sendId"
    | "threadId"
    | "evidence"
    | "bounce"
    | "isDisputed"
    | "suggestion"
  >
> & { reply?: ReadReply };

/** The interpretation of a person's reply. */
interface ReadReply {
  intent: ReplyIntent;
  /**
   * The question that a person must decide before any address of the author gets more email; null when there is no
   * doubt.
   */
  asks: Pick<OptOutQuestion, "recipient" | "from" | "stepId" | "words" | "reason" | "confidence"> | null;
}

const MOST_TEXT = 1_000;
/** The maximum number of addresses that are stored of one header. */
const MOST_ADDRESSES = 100;

/** An email as it was read from a mailbox. */
export interface Received {
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From. It identifies copies of the same email in two folders. */
  contentKey: string;
  /** When the server received it. */
  receivedAt: Date;
  message: Inbound;
  /** To and Cc, with display names. */
  to: Address[];
  cc: Address[];
  /** The attachments, which are already stored. */
  attachments: AttachedFile[];
  /** The provider's own id of the conversation, if it has one. */
  providerThreadId: string | null;
  /** The reason why only the headers were read; null for an email that was read in full. */
  unreadable: string | null;
}

/** The fields of a message before its kind is known. */
export function messageOf(mailboxId: string, received: Received) {
  const {
    folder,
    uidValidity,
    uid,
    contentKey,
    receivedAt,
    message,
    to,
    cc,
    attachments,
    providerThreadId,
    unreadable,
  } = received;
  const isWhole = unreadable === null;
  return {
    _id: newId("msg"),
    mailboxId,
    folder,
    uidValidity,
    uid,
    contentKey,
    receivedAt,
    attachments,
    providerThreadId,
    unreadable,
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
