import { z } from "zod";
import { cleanHtml, hasRemoteImages } from "../../domain/mail/clean-html.ts";
import { AGENT_TASK_STATUSES } from "../../models/agent/agent-task.ts";
import type { Message as MessageDocument } from "../../models/inbox/message.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { OpenPromise } from "./open-promises.ts";

const { campaignId, leadId, mailboxId, recipientId, stepId, threadId, variantId } = describedIds;

const Person = z
  .object({
    name: z.string().describe("The name; empty where there is none"),
    address: z.string().describe("The address"),
  })
  .meta({ id: "Correspondent", description: "A name and an address in an email" });

/**
 * A conversation of one mailbox. `category` and `sentiment` are those of its newest inbound message that has a
 * category.
 */
const thread = {
  mailboxId,
  campaignId: nullable(campaignId),
  recipientId: nullable(recipientId),
  leadId: nullable(leadId),
  subject: z.string().describe("The subject of its newest mail"),
  participants: z.array(Person).describe("Who has written in it"),
  snippet: z.string().describe("The beginning of its newest mail"),
  category: nullable(z.string()).describe("The category of the newest inbound mail that has one"),
  sentiment: nullable(z.enum(["POSITIVE", "NEUTRAL", "NEGATIVE"])).describe("Whether that is good news"),
  isRead: z.boolean().describe("Whether all of it was read"),
  isStarred: z.boolean().describe("Whether it has a star"),
  isArchived: z.boolean().describe("Whether it is archived"),
  hasAttachments: z.boolean().describe("Whether an email in it has files"),
  messageCount: z.number().int().describe("Emails in it"),
  lastMessageAt: time.describe("When the newest was sent"),
  lastDirection: z.enum(["INBOUND", "OUTBOUND"]).describe("Whether that came in or went out"),
};
export const Thread = record(thread).meta({ id: "Thread", description: "A conversation" });

/**
 * The kinds of messages in a thread. Besides the kinds of an exchange (rules/states 5.8) there are UNSUBSCRIBE (an
 * opt-out by email), COMPLAINT, BULK (a list or newsletter), OTHER (no reply to an email that we sent) and UNREADABLE
 * (only its headers could be read).
 */
const SHOWN_KINDS = [
  ...["CAMPAIGN", "MANUAL", "SCHEDULED", "AGENT", "REPLY", "AUTO_REPLY", "BOUNCE"],
  ...["UNSUBSCRIBE", "COMPLAINT", "BULK", "OTHER", "UNREADABLE"],
] as const;

/**
 * One message of a thread. `sentAt` is when the mailbox's server received it, or when we sent it; `replyText` is
 * without quotes. `isDoubtful`: counted as a person's reply, though a machine may have written it. `isDisputed`: a
 * bounce or complaint without proof that it is about an email that we sent; it changed nothing.
 */
export const Message = record({
  threadId,
  rfcMessageId: nullable(z.string()).describe("Its Message-ID"),
  direction: z.enum(["INBOUND", "OUTBOUND"]).describe("Whether it came in or went out"),
  kind: z.enum(SHOWN_KINDS).describe("What it is"),
  from: nullable(Person).describe("Who sent it"),
  to: z.array(Person).describe("The recipients"),
  cc: z.array(Person).describe("With a copy to"),
  subject: nullable(z.string()).describe("Its subject"),
  sentAt: optionalTime.describe("When it was sent"),
  bodyText: nullable(z.string()).describe("Its plain text"),
  bodyHtml: nullable(z.string()).describe("Its HTML, cleaned"),
  hasImages: z
    .boolean()
    .describe("Whether it has images at https addresses, which `bodyHtml` leaves out unless it is read with `images`"),
  replyText: nullable(z.string()).describe("What a person wrote in it, without quotes"),
  hiddenCharacters: z
    .number()
    .int()
    .describe("How many characters were taken out of it because no reader would see them, such as white text on white"),
  category: nullable(z.string()).describe("Its category"),
  suggestedCategory: nullable(
    z.object({
      category: z.string().describe("The category, as `POST /inbox/messages/{messageId}/category` takes it"),
      confidence: z.number().describe("How sure the reading is, from 0 to 1"),
    }),
  ).describe(
    "What the words of a person's reply suggest; null once it has a category. Set it as the category to confirm it",
  ),
  isAutoReply: z.boolean().describe("Whether a machine wrote it"),
  isDoubtful: z.boolean().describe("Whether a machine may have written what counts as a person's answer"),
  isDisputed: z.boolean().describe("Whether its sender could not be proved"),
  stepId: nullable(stepId),
  variantId: nullable(variantId),
  attachments: z
    .array(
      z.object({
        id: z.string().describe("The id of the file"),
        fileName: z.string().describe("The name of the file"),
        contentType: z.string().describe("Its type"),
        size: z.number().int().describe("Its size in bytes"),
      }),
    )
    .describe("Its files"),
}).meta({ id: "Message", description: "One mail of a conversation" });

export const ThreadInFull = record({
  ...thread,
  messages: z.array(Message).describe("Its emails, the oldest first"),
  hasEarlier: z.boolean().describe("Whether there are earlier ones"),
  promises: z.array(OpenPromise).describe("Announcements in it that no one has settled, the newest 20"),
  agent: nullable(
    z.object({
      messageId: z.string().describe("The mail that it looked at, or the promise that was due"),
      status: z.enum(AGENT_TASK_STATUSES).describe("QUEUED until it has; DONE, SKIPPED or FAILED then"),
      result: nullable(z.string()).describe(
        "What came of it, such as DRAFT, APPROVAL or SENT, or why nothing did, such as TOKEN_LIMIT",
      ),
      approvalId: nullable(z.string()).describe("The approval that it raised"),
    }),
  ).describe("The result of the inbox agent's last check of it; null before the first check"),
}).meta({
  id: "ThreadInFull",
  description: "A conversation with its messages",
});

/** The message as it is shown, with cleaned HTML (rules/mail 11.3). */
export function messageView(message: MessageDocument, how: { images?: boolean } = {}) {
  const { threadId, from, fromName, kind, receivedAt, bodyHtml } = message;
  return {
    ...message,
    threadId: threadId ?? "",
    kind: SHOWN_KINDS.find((one) => one === kind) ?? ("OTHER" as const),
    from: from === null ? null : { name: fromName ?? "", address: from },
    sentAt: receivedAt,
    bodyHtml: bodyHtml === null ? null : cleanHtml(bodyHtml, how),
    hasImages: bodyHtml !== null && hasRemoteImages(bodyHtml),
    hiddenCharacters: message.hiddenCharacters ?? 0, // messages stored before this field existed do not have it
    suggestedCategory: message.category === null ? (message.suggestion ?? null) : null,
    isAutoReply: kind === "AUTO_REPLY",
    isDoubtful: message.isDoubtful === true, // messages stored before this field existed do not have it
    isDisputed: message.isDisputed === true, // messages stored before this field existed do not have it
  };
}
