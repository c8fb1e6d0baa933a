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
    name: z.string().describe("The name; empty if there is none"),
    address: z.string().describe("The address"),
  })
  .meta({ id: "Correspondent", description: "A name and an address in an email" });

/** A conversation of one mailbox. `category` and `sentiment` come from the newest inbound message with a category. */
const thread = {
  mailboxId,
  campaignId: nullable(campaignId),
  recipientId: nullable(recipientId),
  leadId: nullable(leadId),
  subject: z.string().describe("The subject of the newest email"),
  participants: z.array(Person).describe("The people in the conversation"),
  snippet: z.string().describe("The beginning of the newest email"),
  category: nullable(z.string()).describe("The category of the newest inbound email that has one"),
  sentiment: nullable(z.enum(["POSITIVE", "NEUTRAL", "NEGATIVE"])).describe("The sentiment of the category"),
  isRead: z.boolean().describe("Whether all messages are read"),
  isStarred: z.boolean().describe("Whether it is starred"),
  isArchived: z.boolean().describe("Whether it is archived"),
  hasAttachments: z.boolean().describe("Whether one of the emails has files"),
  messageCount: z.number().int().describe("The number of emails"),
  lastMessageAt: time.describe("When the newest email was sent"),
  lastDirection: z.enum(["INBOUND", "OUTBOUND"]).describe("Whether the newest email was received or sent"),
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
 * One message of a thread. `sentAt` is when the mailbox's server received it, or when we sent it. `replyText` has no
 * quotes. `isDoubtful`: it counts as a person's reply, though a machine may have written it. `isDisputed`: a bounce or
 * complaint without proof that it is about an email that we sent. It changed nothing.
 */
export const Message = record({
  threadId,
  rfcMessageId: nullable(z.string()).describe("The Message-ID"),
  direction: z.enum(["INBOUND", "OUTBOUND"]).describe("Whether the email was received or sent"),
  kind: z.enum(SHOWN_KINDS).describe("The kind of email"),
  from: nullable(Person).describe("The sender"),
  to: z.array(Person).describe("The recipients"),
  cc: z.array(Person).describe("The recipients of a copy"),
  subject: nullable(z.string()).describe("The subject"),
  sentAt: optionalTime.describe("When it was sent"),
  bodyText: nullable(z.string()).describe("The plain text"),
  bodyHtml: nullable(z.string()).describe("The sanitized HTML"),
  hasImages: z
    .boolean()
    .describe("Whether the email has images at https URLs; `bodyHtml` includes them only if you request `images`"),
  replyText: nullable(z.string()).describe("The text that the sender wrote, without quotes"),
  hiddenCharacters: z
    .number()
    .int()
    .describe("How many characters were removed because no reader would see them, such as white text on white"),
  category: nullable(z.string()).describe("The category"),
  suggestedCategory: nullable(
    z.object({
      category: z.string().describe("The category, as `POST /inbox/messages/{messageId}/category` takes it"),
      confidence: z.number().describe("The confidence, from 0 to 1"),
    }),
  ).describe(
    "The category that the reply's words suggest; null once the reply has a category. To confirm it, set the category",
  ),
  isAutoReply: z.boolean().describe("Whether a machine wrote it"),
  isDoubtful: z.boolean().describe("Whether a machine may have written this email, which counts as a person's reply"),
  isDisputed: z.boolean().describe("Whether it is an unverified bounce or complaint, without effect"),
  stepId: nullable(stepId),
  variantId: nullable(variantId),
  attachments: z
    .array(
      z.object({
        id: z.string().describe("The id of the file"),
        fileName: z.string().describe("The name of the file"),
        contentType: z.string().describe("The MIME type"),
        size: z.number().int().describe("The size in bytes"),
      }),
    )
    .describe("The attached files"),
}).meta({ id: "Message", description: "One email of a conversation" });

export const ThreadInFull = record({
  ...thread,
  messages: z.array(Message).describe("The emails, newest first"),
  hasEarlier: z.boolean().describe("Whether there are earlier emails"),
  promises: z.array(OpenPromise).describe("The newest 20 open promises in the conversation"),
  agent: nullable(
    z.object({
      messageId: z.string().describe("The email that the agent checked, or the promise that was due"),
      status: z.enum(AGENT_TASK_STATUSES).describe("QUEUED before the check; then DONE, SKIPPED or FAILED"),
      result: nullable(z.string()).describe(
        "The result, such as DRAFT, APPROVAL or SENT, or why there is none, such as TOKEN_LIMIT",
      ),
      approvalId: nullable(z.string()).describe("The approval that the agent requested"),
    }),
  ).describe("The inbox agent's last check of the conversation; null before the first check"),
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
