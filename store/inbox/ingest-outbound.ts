import { attributionKeys } from "../../domain/inbox/attribution.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { confirmSent, findRelayed } from "../sending/delivery-evidence.ts";
import type { About, Arrival } from "./arrival.ts";
import { loadPerson } from "./ingest-attribution.ts";

/**
 * How a server records in a Received header that its own user submitted an email (RFC 3848). Some servers also write
 * "with HTTPS" for email that arrived.
 */
const SUBMITTED = /\bwith (?:utf8)?(?:esmtps?a|lmtps?a|http(?:rest)?)\b/i;

/**
 * Whether this mailbox sent the email. That is the case for an email in the Sent folder. In another folder except the
 * inbox, the email must have the mailbox's address in From and no trace of an outside server. From alone proves
 * nothing, because anyone can write our address into it.
 */
export function isFromHere({ mailbox, message, folder, isSentFolder, authentication }: Arrival): boolean {
  if (isSentFolder) return true;
  if (message.from?.address !== mailbox.email || folder.toUpperCase() === "INBOX" || authentication === "FAIL")
    return false;
  const [topmost] = message.headers.get("received") ?? [];
  return topmost === undefined || SUBMITTED.test(topmost) || authentication === "PASS";
}

/**
 * Applies a copy of an email that this mailbox sent. A copy of one of our sends contains the provider's Message-ID and
 * proves that the email was sent (rules/sending 9.2). An email that a person wrote to a recipient or in a thread is
 * added to the thread (MANUAL). Any other email is ignored.
 */
export async function ingestOwn(arrival: Arrival): Promise<About> {
  const { message } = arrival;
  const found = await sendOf(arrival);
  if (found === null) return { ...((await writtenByHand(arrival)) ?? { kind: "OWN" }) };
  const send = await confirmSent(found.send, "sent copy");
  if (message.messageId !== null && !send.messageIds.includes(message.messageId)) await learn(send, message.messageId);
  const { recipientId, campaignId, leadId, _id: sendId } = send;
  return { kind: "OWN", sendId, recipientId, campaignId, leadId, evidence: { rule: found.rule, value: found.value } };
}

async function sendOf({ mailbox, message }: Arrival): Promise<{ send: Send; rule: string; value: string } | null> {
  const { Send } = scoped(mailbox.workspaceId);
  const mailboxId = mailbox._id;
  const { messageId } = message;
  const named = messageId === null ? null : await Send.findOne({ messageIds: messageId, mailboxId });
  if (named !== null && messageId !== null) return { send: named, rule: "Message-ID", value: messageId };
  const mailRef = message.headers.get("x-mail-ref")?.[0]?.trim().toLowerCase();
  const marked = mailRef === undefined || mailRef === "" ? null : await Send.findOne({ mailRef, mailboxId });
  if (marked !== null && mailRef !== undefined) return { send: marked, rule: "X-Mail-Ref", value: mailRef };
  const [relayed] = messageId === null ? [] : await findRelayed(mailbox, [messageId]);
  return relayed === undefined || messageId === null
    ? null
    : { send: relayed.send, rule: "relay id", value: messageId };
}

/**
 * Stores a Message-ID with which the provider replaced ours, because replies refer to the new one, and so must the next
 * email of the thread.
 */
async function learn({ workspaceId, _id, messageId, recipientId }: Send, theirs: string): Promise<void> {
  const { Recipient, Send } = scoped(workspaceId);
  await Send.updateOne({ _id }, { $addToSet: { messageIds: theirs } });
  if (recipientId === null || messageId === null) return;
  const recipient = await Recipient.get(recipientId);
  if (!recipient?.thread?.ids.includes(messageId)) return;
  const ids = recipient.thread.ids.map((id) => (id === messageId ? theirs : id));
  await Recipient.updateOne({ _id: recipientId }, { $set: { thread: { ...recipient.thread, ids } } });
}

async function writtenByHand(arrival: Arrival): Promise<About | null> {
  const { mailbox, message, providerThreadId } = arrival;
  const { Message, Send, Thread } = scoped(mailbox.workspaceId);
  const { ids } = attributionKeys(message);
  const filed = { mailboxId: mailbox._id, threadId: trusted({ $ne: null }) };
  const newest = { sort: { _id: -1 as const } };
  const answered =
    (ids.length > 0 ? await Message.findOne({ ...filed, rfcMessageId: trusted({ $in: ids }) }, newest) : null) ??
    (providerThreadId !== null ? await Message.findOne({ ...filed, providerThreadId }, newest) : null);
  const thread = answered === null || answered.threadId === null ? null : await Thread.get(answered.threadId);
  const byHand = {
    kind: "MANUAL",
    direction: "OUTBOUND",
    evidence: { rule: "sent by hand", value: message.messageId },
  } as const;
  if (thread !== null) {
    const { _id: threadId, recipientId, campaignId, leadId } = thread;
    return { ...byHand, threadId, recipientId, campaignId, leadId };
  }
  const send =
    ids.length > 0 ? await Send.findOne({ mailboxId: mailbox._id, messageIds: trusted({ $in: ids }) }) : null;
  const person = send === null || send.kind === "WARMUP" || send.kind === "PLACEMENT" ? null : await loadPerson(send);
  return person === null ? null : { ...byHand, ...person };
}
