import { z } from "zod";
import { cleanHtml } from "../../domain/mail/clean-html.ts";
import type { Message as MessageDocument } from "../../models/message.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const Person = z
  .object({ name: z.string(), address: z.string() })
  .meta({ id: "Correspondent", description: "A name and an address of a mail" });

/** A conversation of one mailbox. `category` and `sentiment` are those of its newest inbound message that has a category. */
const thread = {
  mailboxId: z.string(),
  campaignId: nullable(z.string()),
  recipientId: nullable(z.string()),
  leadId: nullable(z.string()),
  subject: z.string(),
  participants: z.array(Person),
  snippet: z.string(),
  category: nullable(z.string()),
  sentiment: nullable(z.enum(["POSITIVE", "NEUTRAL", "NEGATIVE"])),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  isArchived: z.boolean(),
  hasAttachments: z.boolean(),
  messageCount: z.number().int(),
  lastMessageAt: time,
  lastDirection: z.enum(["INBOUND", "OUTBOUND"]),
};
export const Thread = record(thread).meta({ id: "Thread", description: "A conversation" });

/**
 * The kinds of messages in a thread. Besides the kinds of an exchange (rules/states 5.8) there are UNSUBSCRIBE (an opt-out by mail),
 * COMPLAINT,
 * BULK (a list or newsletter), OTHER (no reply to any mail of ours) and UNREADABLE (only its headers could be read).
 */
export const SHOWN_KINDS = [
  ...["CAMPAIGN", "MANUAL", "SCHEDULED", "AGENT", "REPLY", "AUTO_REPLY", "BOUNCE"],
  ...["UNSUBSCRIBE", "COMPLAINT", "BULK", "OTHER", "UNREADABLE"],
] as const;

/**
 * One message of a thread. `sentAt` is when the mailbox's server received it, or when we sent it; `replyText` is without quotes.
 * `isDoubtful`: counted as a person's reply, though a machine may have written it.
 * `isDisputed`: a bounce or complaint without proof that it is about a mail of ours; it changed nothing.
 */
export const Message = record({
  threadId: z.string(),
  rfcMessageId: nullable(z.string()),
  direction: z.enum(["INBOUND", "OUTBOUND"]),
  kind: z.enum(SHOWN_KINDS),
  from: nullable(Person),
  to: z.array(Person),
  cc: z.array(Person),
  subject: nullable(z.string()),
  sentAt: optionalTime,
  bodyText: nullable(z.string()),
  bodyHtml: nullable(z.string()),
  replyText: nullable(z.string()),
  category: nullable(z.string()),
  isAutoReply: z.boolean(),
  isDoubtful: z.boolean(),
  isDisputed: z.boolean(),
  stepId: nullable(z.string()),
  variantId: nullable(z.string()),
  attachments: z.array(z.object({ id: z.string(), fileName: z.string(), contentType: z.string(), size: z.number().int() })),
}).meta({ id: "Message", description: "One mail of a conversation" });

export const ThreadInFull = record({ ...thread, messages: z.array(Message), hasEarlier: z.boolean() }).meta({
  id: "ThreadInFull",
  description: "A conversation with its messages",
});

/** The message as it is shown, with cleaned HTML (rules/mail 11.3). */
export function messageView(message: MessageDocument) {
  const { threadId, from, fromName, kind, receivedAt, bodyHtml } = message;
  return {
    ...message,
    threadId: threadId ?? "",
    kind: SHOWN_KINDS.find((one) => one === kind) ?? ("OTHER" as const),
    from: from === null ? null : { name: fromName ?? "", address: from },
    sentAt: receivedAt,
    bodyHtml: bodyHtml === null ? null : cleanHtml(bodyHtml),
    isAutoReply: kind === "AUTO_REPLY",
    isDoubtful: message.isDoubtful === true, // messages stored before this field existed do not have it
    isDisputed: message.isDisputed === true, // messages stored before this field existed do not have it
  };
}
