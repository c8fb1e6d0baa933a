import { readBounce } from "../domain/bounce.ts";
import { type Inbound, type Kind, kindOf } from "../domain/inbound.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { newId } from "../models/ids.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Message } from "../models/message.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { ingestBounce } from "./ingest-bounce.ts";
import { ingestComplaint, ingestUnsubscribe } from "./ingest-consent.ts";
import { originOf, unsubscribedSend } from "./ingest-origin.ts";
import { ingestAutoReply, ingestReply } from "./ingest-reply.ts";

/** One mail as it lay in a folder. */
export interface Arrival {
  mailbox: Mailbox;
  folder: string;
  uidValidity: string;
  uid: number;
  /** SHA-256 of Message-ID, Date and From: the same mail in two folders is one. */
  contentKey: string;
  /** When the server received it. */
  receivedAt: Date;
  message: Inbound;
  /** Why only the headers were read; null for a mail that was read whole. */
  unreadable: string | null;
}

/** What a mail turned out to be about. */
export type About = Partial<Pick<Message, "kind" | "recipientId" | "campaignId" | "leadId" | "sendId" | "evidence" | "bounce">>;

/**
 * Reads one mail into the ledger: its row and every effect in one transaction, so that a mail read twice, in two folders or by two
 * workers, or cut short by a kill, has its effects once (B28). Answers its kind, DUPLICATE when it was read before.
 * @throws StillRecording while a mail it speaks of is being recorded
 */
export async function ingest(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  try {
    return await inTransaction(() => write(arrival, keys));
  } catch (err) {
    if (isDuplicate(err)) return "DUPLICATE";
    throw err;
  }
}

async function write(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  const { mailbox, folder, uidValidity, uid, contentKey, receivedAt, message, unreadable } = arrival;
  const { Message } = scoped(mailbox.workspaceId);
  const mailboxId = mailbox._id;
  const known = await Message.findOne({ mailboxId, $or: [{ folder, uidValidity, uid }, { contentKey }] }, { select: { _id: 1 } });
  if (known !== null) return "DUPLICATE";
  const about: About = unreadable === null ? await aboutOf(arrival, keys) : { kind: "UNREADABLE" };
  const { kind } = await Message.insert({
    _id: newId("msg"),
    mailboxId,
    folder,
    uidValidity,
    uid,
    contentKey,
    rfcMessageId: message.messageId,
    inReplyTo: message.inReplyTo,
    from: message.from?.address ?? null,
    fromName: message.from?.name || null,
    subject: message.subject.slice(0, 1_000),
    receivedAt,
    bodyText: unreadable === null ? message.text : null,
    replyText: unreadable === null ? message.replyText : null,
    unreadable,
    ...about,
  });
  return kind;
}

async function aboutOf(arrival: Arrival, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const { Mailbox, Send } = scoped(mailbox.workspaceId);
  const from = message.from?.address ?? "";
  const origin = await originOf(mailbox, message);
  const unsubscribed = await unsubscribedSend(mailbox, message, keys);
  const isOwn = message.messageId !== null && from === mailbox.email && (await Send.count({ messageIds: message.messageId })) > 0;
  const isConnected = from !== "" && (await Mailbox.count({ email: from })) > 0;
  const kind: Kind = kindOf(message, {
    ownAddress: mailbox.email,
    isSentFolder: false,
    isOwnId: () => isOwn,
    isWarmup: false,
    isConnectedMailbox: () => isConnected,
    hasUnsubscribeToken: unsubscribed !== null,
    attributedBy: origin?.rule ?? null,
  });
  switch (kind) {
    case "REPLY":
      return origin === null ? { kind: "OTHER" } : ingestReply(arrival, origin);
    case "AUTO_REPLY":
      return origin === null ? { kind } : ingestAutoReply(arrival, origin);
    case "BOUNCE":
    case "DELAY": {
      const bounce = readBounce(message);
      return bounce === null ? { kind: "OTHER" } : ingestBounce(arrival, bounce, keys);
    }
    case "COMPLAINT":
      return ingestComplaint(arrival, keys);
    case "UNSUBSCRIBE":
      return unsubscribed === null ? { kind: "OTHER" } : ingestUnsubscribe(unsubscribed);
    default:
      return { kind };
  }
}

/** Another reader of the same mail committed first. */
function isDuplicate(err: unknown): boolean {
  if (!(err instanceof Error) || !("code" in err) || err.code !== 11_000) return false;
  return /\bmessages\b/.test(err.message);
}
