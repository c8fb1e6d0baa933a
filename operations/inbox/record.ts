import { z } from "zod";
import { cleanHtml } from "../../domain/mail/clean-html.ts";
import type { Message as MessageDocument } from "../../models/message.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const Person = z.object({ name: z.string(), address: z.string() });

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
export const Thread = record(thread);

/**
 * What stands in a thread. Beside the kinds of an exchange (behaviours 2) it may be an UNSUBSCRIBE (an opt-out by mail), a COMPLAINT,
 * BULK (a list or newsletter), OTHER (no answer to anything of ours) or UNREADABLE (only its headers could be read).
 */
export const SHOWN_KINDS = [
  ...["CAMPAIGN", "MANUAL", "SCHEDULED", "AGENT", "REPLY", "AUTO_REPLY", "BOUNCE"],
  ...["UNSUBSCRIBE", "COMPLAINT", "BULK", "OTHER", "UNREADABLE"],
] as const;

/**
 * One message of a thread. `sentAt` is when the server of the mailbox received it, or when it left us; `replyText` is without quotes.
 * `isDoubtful`: taken for a person's reply, though it may be a machine's.
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
});

export const ThreadInFull = record({ ...thread, messages: z.array(Message), hasEarlier: z.boolean() });

/** The message as it is shown: its HTML cleaned (mail.md 12). */
export function shown(message: MessageDocument) {
  const { threadId, from, fromName, kind, receivedAt, bodyHtml } = message;
  return {
    ...message,
    threadId: threadId ?? "",
    kind: SHOWN_KINDS.find((one) => one === kind) ?? ("OTHER" as const),
    from: from === null ? null : { name: fromName ?? "", address: from },
    sentAt: receivedAt,
    bodyHtml: bodyHtml === null ? null : cleanHtml(bodyHtml),
    isAutoReply: kind === "AUTO_REPLY",
    isDoubtful: message.isDoubtful === true, // what was read before there was such a field has none
    isDisputed: message.isDisputed === true, // mails that were stored before the field came have none
  };
}
