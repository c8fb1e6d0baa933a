import type { Provenance } from "../../domain/bounces/report-proof.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import type { Address, Inbound } from "../../domain/mail/inbound.ts";
import { referencesOf } from "../../domain/mail/message.ts";
import type { FolderUse } from "../../domain/mailboxes/sync.ts";
import type { AttachedFile, Message } from "../../models/inbox/message.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { newId } from "../../mongo/ids.ts";
import type { OptOutQuestion } from "./opt-out-question.ts";

/** One email as it was found in a folder. */
export interface Arrival extends Received {
  mailbox: Mailbox;
  /** What its folder is for; the inbox if a provider shows the email there too. */
  folderUse: FolderUse;
  /** The verdict of SPF, DKIM and DMARC on the From address; NONE when there is none. */
  authentication: "PASS" | "FAIL" | "NONE";
  /** Where a report provably comes from. */
  provenance: Provenance;
  /** Whether it was found in the folder of sent email: we sent it, or a person sent it from their own mail program. */
  isSentFolder: boolean;
}

/**
 * Applies an email that belongs to a satellite and to no inbox, in the transaction that stores it. Returns whether it
 * did. The worker's setup passes it in, because the core imports no satellite.
 */
export type HeedArrival = (arrival: Arrival) => Promise<boolean>;

/** Processes a person's reply after it was stored and filed, in the same transaction. Passed in for the same reason. */
export type HeedReply = (message: Message, intent: ReplyIntent) => Promise<void>;

/** What an email turned out to be about. */
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

/** What a person wants with a reply, as it was read. */
interface ReadReply {
  intent: ReplyIntent;
  /** What a person has to decide before someone is contacted again; null when nothing is in doubt. */
  asks: Pick<OptOutQuestion, "recipient" | "from" | "stepId" | "words" | "reason" | "confidence"> | null;
}

const MOST_TEXT = 1_000;
/** The most addresses that are kept of one header. */
const MOST_ADDRESSES = 100;

/** One email as it was read from a mailbox. */
export interface Received {
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From: it shows that emails in two folders are the same. */
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
  /** Why only the headers were read; null for an email that was read in full. */
  unreadable: string | null;
}

/** The row of an email, before it is known what the email is about. */
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
