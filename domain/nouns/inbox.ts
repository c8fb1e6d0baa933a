import type { NounFacts } from "./noun.ts";

export const inboxNouns = [
  {
    noun: "conversation",
    prefix: "thr",
    id: { of: "the conversation", fields: ["threadId"] },
    missing: { code: "THREAD_NOT_FOUND", says: "This workspace has no such conversation" },
  },
  {
    noun: "message",
    prefix: "msg",
    id: { of: "the message", fields: ["messageId"] },
    missing: { code: "MESSAGE_NOT_FOUND", says: "This workspace has no such message" },
  },
  {
    noun: "attachment",
    prefix: "att",
    id: { of: "the attachment", fields: ["attachmentId"] },
    missing: {
      code: "ATTACHMENT_NOT_FOUND",
      says: "The message has no such attachment, or the attachment is no longer kept",
    },
  },
  {
    noun: "scheduled reply",
    prefix: "srp",
    id: { of: "the scheduled reply", fields: ["scheduledId"] },
    missing: { code: "SCHEDULED_REPLY_NOT_FOUND", says: "This workspace has no such scheduled reply" },
  },
] as const satisfies readonly NounFacts[];
