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
 * Kinds of email that appear in the inbox: what arrived for a person to see, and what a person wrote from another mail
 * program.
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
/** The most sends that are filed into one thread: more than a sequence has steps. */
const MOST_SENT = 100;

/**
 * Stores a new message and puts it into its thread: the thread of its recipient in this mailbox, else the thread it
 * replies to, else a new one. A recipient's first message brings what we had sent them into the thread. An incoming
 * message takes the thread out of the archive and makes it unread; an email that a person wrote elsewhere makes it
 * read. Kinds that do not belong in the inbox are in no thread. `own` is the address of the mailbox. Returns the
 * message as it was stored. Call it in a transaction.
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
  // The first thread stays the recipient's thread, unless it is in another mailbox than the one that sends to the
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
 * Puts an email that we sent into its thread: that of `send.threadId`, else that of its recipient. Returns the id of
 * its message, or null where there is no thread. Repeated, it changes nothing. MANUAL marks the thread as read; an
 * email that the agent sent by itself does not, because no one has read it. Call it in the transaction that made the
 * send SENT.
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
 * Gives the thread the category and sentiment of its newest inbound message that has a category. Call it in a
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

/** Whether no one owns the thread yet, and its new owner has no other thread in this mailbox. */
async function isNewOwner(
  { workspaceId, mailboxId, recipientId, threadId }: Message,
  thread: Thread | null,
): Promise<boolean> {
  if (recipientId === null || (thread !== null && thread.recipientId !== null)) return false;
  if (threadId === null) return true; // a thread of their own would have been found
  return (await scoped(workspaceId).Thread.findOne({ mailboxId, recipientId }, { select: { _id: 1 } })) === null;
}

/**
 * The recipient's own thread in the mailbox, and the id of the thread of an email or of our reply to which the message
 * refers, or of the provider's conversation.
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

/** Matches nothing; it uses the index of ids. */
const NONE = { _id: { $in: [] } };
const IN_THREAD = { threadId: 1 } as const;

function sentTo(workspaceId: string, recipientId: string): Promise<Send[]> {
  const went = { state: trusted({ $in: ["SENT", "BOUNCED"] }), sentAt: trusted({ $ne: null }) };
  return scoped(workspaceId).Send.find({ recipientId, ...went }, { sort: { sentAt: 1 }, limit: MOST_SENT });
}

/** The same email may be in the threads of two mailboxes, once in each. */
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

/** Reports count a positive reply on the day of the first one (rules/analytics 3.1). */
async function noteThread({ workspaceId, campaignId, recipientId, createdAt }: Thread): Promise<void> {
  const recipient = recipientId === null ? null : await scoped(workspaceId).Recipient.get(recipientId);
  if (recipient !== null)
    await noteLate(workspaceId, campaignId ?? recipient.campaignId, [createdAt, recipient.repliedAt]);
}
