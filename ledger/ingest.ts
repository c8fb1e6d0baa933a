import type { Address, Inbound } from "../domain/inbound.ts";
import { referencesOf } from "../domain/message.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { newId } from "../models/ids.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { AttachedFile, Message } from "../models/message.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { raiseApproval } from "./approvals.ts";
import { confirmAnswers } from "./evidence.ts";
import { aboutOf } from "./ingest-about.ts";
import { fileMessage } from "./threads.ts";

/** Of a header, as many as anybody reads. */
const MOST_ADDRESSES = 100;

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
  /** What SPF, DKIM and DMARC said of the From address; NONE when nothing did. */
  authentication?: "PASS" | "FAIL" | "NONE";
  /** The provider's own id of the conversation, where it has one. */
  providerThreadId?: string | null;
  /** Its files, stored before this. */
  attachments?: AttachedFile[];
  /** It lay in the folder of sent mail: ours, or one a person sent from their own program. */
  isSentFolder?: boolean;
  /** To and Cc with their names. */
  to?: Address[];
  cc?: Address[];
}

/** What a mail turned out to be about. */
export type About = Partial<
  Pick<Message, "kind" | "direction" | "category" | "recipientId" | "campaignId" | "leadId" | "sendId" | "threadId" | "evidence" | "bounce">
> & { asks?: Asks };

/** Words that may ask us to stop: a person decides (B9). `isForged`: they are clear, and the address may not be theirs. */
export interface Asks {
  stepId: string | null;
  words: string;
  isForged: boolean;
}

/**
 * Reads one mail into the ledger: its row and every effect in one transaction, so that a mail read twice, in two folders or by two
 * workers, or cut short by a kill, has its effects once (B28). Answers its kind, DUPLICATE when it was read before.
 * @throws StillRecording while a mail it speaks of is being recorded
 */
export async function ingest(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  try {
    return await inTransaction(() => write(arrival, keys));
  } catch (err) {
    if (isDuplicate(err) && (await isStored(arrival))) return "DUPLICATE";
    throw err;
  }
}

async function write(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  const { mailbox, folder, uidValidity, uid, contentKey, receivedAt, message, unreadable } = arrival;
  if (await isStored(arrival)) return "DUPLICATE";
  const { Message } = scoped(mailbox.workspaceId);
  const mailboxId = mailbox._id;
  await confirmAnswers(mailbox.workspaceId, message);
  const { asks, ...about }: About = unreadable === null ? await aboutOf(arrival, keys) : { kind: "UNREADABLE" };
  const stored = await Message.insert({
    _id: newId("msg"),
    mailboxId,
    folder,
    uidValidity,
    uid,
    contentKey,
    rfcMessageId: message.messageId,
    inReplyTo: message.inReplyTo,
    references: referencesOf(message.references),
    providerThreadId: arrival.providerThreadId ?? null,
    authentication: arrival.authentication ?? "NONE",
    from: message.from?.address ?? null,
    fromName: message.from?.name || null,
    replyTo: message.replyTo,
    to: arrival.to?.slice(0, MOST_ADDRESSES) ?? addressed(message.to),
    cc: arrival.cc?.slice(0, MOST_ADDRESSES) ?? addressed(message.cc),
    subject: message.subject.slice(0, 1_000),
    receivedAt,
    bodyText: unreadable === null ? message.text : null,
    bodyHtml: unreadable === null ? message.html : null,
    replyText: unreadable === null ? message.replyText : null,
    attachments: arrival.attachments ?? [],
    unreadable,
    category: about.kind === undefined ? null : (CATEGORY_OF[about.kind] ?? null),
    ...about,
  });
  await fileMessage(stored);
  await raiseApproval(stored, asks ?? null);
  return stored.kind;
}

/** What a kind says by itself; its reader may know better. */
const CATEGORY_OF: Partial<Record<Message["kind"], string>> = { AUTO_REPLY: "AUTO_REPLY", BOUNCE: "BOUNCE", UNSUBSCRIBE: "UNSUBSCRIBE" };

function addressed(addresses: readonly string[]): Address[] {
  return addresses.slice(0, MOST_ADDRESSES).map((address) => ({ name: "", address }));
}

async function isStored({ mailbox, folder, uidValidity, uid, contentKey }: Arrival): Promise<boolean> {
  const either = { mailboxId: mailbox._id, $or: [{ folder, uidValidity, uid }, { contentKey }] };
  return (await scoped(mailbox.workspaceId).Message.findOne(either, { select: { _id: 1 } })) !== null;
}

/** Another reader of the same mail committed first. */
function isDuplicate(err: unknown): boolean {
  if (!(err instanceof Error) || !("code" in err) || err.code !== 11_000) return false;
  return /\bmessages\b/.test(err.message);
}
