import { sentimentOf } from "../../domain/inbox/category.ts";
import { emptyThread, withMail } from "../../domain/inbox/thread.ts";
import type { Message, OUTBOUND_KINDS } from "../../models/inbox/message.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import type { New } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { noteLate } from "../changed-days.ts";
import { mailOfSend, storedThreadFields, threadMailOf } from "./thread-mail.ts";

/**
 * Kinds of email that appear in the inbox: email that arrived for a person to read, and email that a person wrote from
 * another email program.
 */
export const FILED: readonly Message["kind"][] = [
  "REPLY",
  "AUTO_REPLY",
  "BOUNCE",
  "UNSUBSCRIBE",
  "BULK",
  "OTHER",
  "UNREADABLE",
  "COMPLAINT",
  "MANUAL",
];
/** The maximum number of sends that are added to one thread, more than a sequence has steps. */
const MOST_SENT = 100;

/**
 * Stores a new message and adds it to a thread: the thread of its recipient in this mailbox, otherwise the thread it
 * replies to, otherwise a new one. With a recipient's first message, the emails that we sent to the recipient are added
 * to the thread as well. An incoming message moves the thread back to the inbox and marks it unread; an email that a
 * person wrote elsewhere marks it read. Kinds that do not belong in the inbox get no thread. `own` is the address of
 * the mailbox. Returns the stored message. Call it in a transaction.
 */
export async function storeMessage(message: Message, own: string): Promise<Message> {
  const { workspaceId, mailboxId, recipientId } = message;
  const { Message, Recipient, Thread } = scoped(workspaceId);
  if (!FILED.includes(message.kind)) return Message.insert(message);
  const existing = await threadOf(message);
  const isNewlyTheirs = await isNewOwner(message, existing);
  const sends = isNewlyTheirs && recipientId !== null ? await sentTo(workspaceId, recipientId) : [];
  const mail = threadMailOf(message, message.direction === "INBOUND" ? "NEW" : "SEEN");
  const sent = sends.map((send) => mailOfSend(send, null));
  const thread: Owner = existing ?? {
    _id: newId("thr"),
    workspaceId,
    mailboxId,
    recipientId: null,
    campaignId: null,
    leadId: null,
  };
  const [first = mail] = sent;
  const state = [...sent, mail].reduce(
    (before, one) => withMail(before, one, own),
    existing ?? emptyThread(first.subject, first.at),
  );
  const { campaignId, leadId } = isNewlyTheirs ? message : thread;
  const fields = { ...storedThreadFields(state), ...(isNewlyTheirs && { recipientId, campaignId, leadId }) };
  if (existing === null) await Thread.insert({ _id: thread._id, mailboxId, ...fields });
  else await Thread.updateOne({ _id: thread._id }, { $set: fields });
  const owner = { ...thread, recipientId, campaignId, leadId };
  const filed = { ...message, threadId: thread._id };
  await Message.insertMany([filed, ...sends.map((send) => rowOfSent(send, "CAMPAIGN", owner, own))]);
  if (existing !== null && isNewlyTheirs) await noteThread({ ...existing, recipientId, campaignId });
  if (message.category !== null) await updateThreadCategory(workspaceId, thread._id);
  // The recipient keeps its first thread, unless that thread is in another mailbox than the one that sends to the
  // recipient
  const isTheirThread = { $or: [{ threadId: null }, { mailboxId }] };
  if (recipientId !== null) {
    await Recipient.updateOne(
      { _id: recipientId, threadId: trusted({ $ne: thread._id }), ...isTheirThread },
      { $set: { threadId: thread._id } },
    );
  }
  return filed;
}

/**
 * Adds an email that we sent to its thread: that of `send.threadId`, otherwise that of its recipient. Returns the id of
 * its message, or null when there is no thread. Repeating it changes nothing. MANUAL marks the thread as read. An email
 * that the agent sent automatically does not, because no person has read the thread. Call it in the transaction that
 * recorded the send as SENT.
 */
export async function fileSent(
  send: Send,
  kind: (typeof OUTBOUND_KINDS)[number],
  more: Partial<Pick<Message, "cc" | "inReplyTo" | "references" | "attachments">> = {},
): Promise<string | null> {
  const { workspaceId, recipientId } = send;
  const { Mailbox, Message, Recipient, Thread } = scoped(workspaceId);
  const threadId =
    send.threadId ?? (recipientId === null ? null : ((await Recipient.get(recipientId))?.threadId ?? null));
  const thread = threadId === null ? null : await Thread.get(threadId);
  if (thread === null) return null;
  const filed = await Message.findOne(
    { mailboxId: thread.mailboxId, contentKey: sentKey(send) },
    { select: { _id: 1 } },
  );
  if (filed !== null) return filed._id;
  const own = (await Mailbox.get(thread.mailboxId))?.email ?? "";
  const mail = mailOfSend(send, kind === "MANUAL" ? "SEEN" : null, more.cc);
  await Thread.updateOne({ _id: thread._id }, { $set: { ...storedThreadFields(withMail(thread, mail, own)) } });
  return (await Message.insert(rowOfSent(send, kind, thread, own, more)))._id;
}

/**
 * Sets the category and sentiment of a thread from its newest inbound message with a category. Call it in a
 * transaction.
 */
export async function updateThreadCategory(workspaceId: string, threadId: string): Promise<void> {
  const { Message, Thread } = scoped(workspaceId);
  const newest = await Message.findOne(
    { threadId, direction: "INBOUND", category: trusted({ $ne: null }) },
    { sort: { receivedAt: -1, _id: -1 }, select: { category: 1 } },
  );
  const category = newest?.category ?? null;
  const before = await Thread.get(threadId);
  await Thread.updateOne({ _id: threadId }, { $set: { category, sentiment: sentimentOf(category) } });
  if (before !== null && before.sentiment !== sentimentOf(category)) await noteThread(before);
}

type Owner = Pick<Thread, "_id" | "workspaceId" | "mailboxId" | "recipientId" | "campaignId" | "leadId">;

async function threadOf(message: Message): Promise<Thread | null> {
  const { workspaceId, recipientId, threadId } = message;
  const { Thread } = scoped(workspaceId);
  if (threadId !== null) return Thread.get(threadId);
  const { theirs, threadId: answered } = await findThreads(message);
  if (theirs !== null || answered === null) return theirs;
  const thread = await Thread.get(answered);
  const isAnothers = recipientId !== null && thread !== null && thread.recipientId !== null;
  return isAnothers ? null : thread;
}

/** Whether the thread belongs to no recipient yet, and the message's recipient has no other thread in this mailbox. */
async function isNewOwner(
  { workspaceId, mailboxId, recipientId, threadId }: Message,
  thread: Thread | null,
): Promise<boolean> {
  if (recipientId === null || (thread !== null && thread.recipientId !== null)) return false;
  if (threadId === null) return true; // a thread of their own would have been found
  return (await scoped(workspaceId).Thread.findOne({ mailboxId, recipientId }, { select: { _id: 1 } })) === null;
}

/**
 * The recipient's own thread in the mailbox, and the id of another matching thread: of an email or reply that the
 * message refers to, or of the provider's conversation.
 */
async function findThreads(message: Message): Promise<{ theirs: Thread | null; threadId: string | null }> {
  const { workspaceId, mailboxId, recipientId, inReplyTo, references, providerThreadId } = message;
  const { Mailbox, Message, Send, Thread } = scoped(workspaceId);
  const ids = [...(inReplyTo === null ? [] : [inReplyTo]), ...references];
  const inThread = { mailboxId, threadId: { $ne: null } };
  const [theirs, mails, sends, talk] = await Mailbox.readBeside(
    mailboxId,
    Thread.part(recipientId === null ? NONE : { mailboxId, recipientId }),
    Message.newestPart(ids.length === 0 ? NONE : { ...inThread, rfcMessageId: { $in: ids } }, IN_THREAD),
    Send.newestPart(ids.length === 0 ? NONE : { ...inThread, messageIds: { $in: ids } }, IN_THREAD),
    Message.newestPart(providerThreadId === null ? NONE : { ...inThread, providerThreadId }, IN_THREAD),
  );
  return { theirs: theirs[0] ?? null, threadId: [...mails, ...sends, ...talk][0]?.threadId ?? null };
}

/** A filter that matches nothing and uses the index on `_id`. */
const NONE = { _id: { $in: [] } };
const IN_THREAD = { threadId: 1 } as const;

function sentTo(workspaceId: string, recipientId: string): Promise<Send[]> {
  const went = { state: trusted({ $in: ["SENT", "BOUNCED"] }), sentAt: trusted({ $ne: null }) };
  return scoped(workspaceId).Send.find({ recipientId, ...went }, { sort: { sentAt: 1 }, limit: MOST_SENT });
}

/** The fields of a message for a sent email. The email may be in a thread of each of two mailboxes. */
function rowOfSent(
  send: Send,
  kind: (typeof OUTBOUND_KINDS)[number],
  { _id: threadId, mailboxId, recipientId, campaignId, leadId }: Owner,
  from: string,
  more: Partial<Pick<Message, "cc" | "inReplyTo" | "references">> = {},
): New<Message> {
  return {
    _id: newId("msg"),
    mailboxId,
    threadId,
    recipientId,
    campaignId,
    leadId,
    kind,
    from,
    ...more,
    direction: "OUTBOUND",
    contentKey: sentKey(send),
    rfcMessageId: send.messageId,
    to: [{ name: "", address: send.to }],
    subject: send.subject,
    receivedAt: send.sentAt ?? new Date(),
    bodyText: send.content?.text ?? null,
    bodyHtml: send.content?.html ?? null,
    replyText: send.content?.text ?? null,
    sendId: send._id,
    stepId: send.stepId,
    variantId: send.variantId,
  };
}

function sentKey({ _id }: Send): string {
  return `sent:${_id}`;
}

/**
 * Marks the days of a thread as changed, because reports count a positive reply on the day of the first one
 * (rules/analytics 3.1).
 */
async function noteThread({ workspaceId, campaignId, recipientId, createdAt }: Thread): Promise<void> {
  const recipient = recipientId === null ? null : await scoped(workspaceId).Recipient.get(recipientId);
  if (recipient !== null)
    await noteLate(workspaceId, campaignId ?? recipient.campaignId, [createdAt, recipient.repliedAt]);
}
