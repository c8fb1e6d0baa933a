import { z } from "zod";
import { SCHEDULED_STATUSES } from "../../domain/states.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { Attachment } from "../files.ts";

const { leadId, mailboxId, threadId } = describedIds;

const fields = {
  threadId,
  mailboxId,
  leadId: nullable(leadId),
  inReplyToMessageId: z.string().describe("The message that it answers"),
  to: z.string().describe("The recipient"),
  cc: z.array(z.string()).describe("With a copy to"),
  bcc: z.array(z.string()).describe("With a hidden copy to"),
  attachments: z.array(Attachment).default([]).describe("Files that go along"),
  subject: z.string().describe("Its subject"),
  bodyText: z.string().describe("Its plain text"),
  bodyHtml: nullable(z.string()).describe("Its HTML"),
  sendAt: time.describe("When it is sent"),
  status: z.enum(SCHEDULED_STATUSES).describe("Its status"),
  idempotencyKey: z.string().describe("The key of the request that made it"),
  sentMessageId: nullable(z.string()).describe("The message that it became"),
  error: nullable(
    z.object({ code: z.string().describe("An error code"), message: z.string().describe("The same as a sentence") }),
  ).describe("Why it failed"),
  createdBy: z.string().describe("The credential that made it"),
  cancelledAt: optionalTime.describe("When it was cancelled"),
};

/** Scheduled reply `srp_` (rules/states 1.5). */
export const Scheduled = record(fields).meta({ id: "ScheduledReply", description: "A reply that is sent later" });

/** The same for the caller who schedules it: a repetition of a key returns what the first call stored, as it is now. */
export const NewScheduled = record({
  ...fields,
  idempotentReplay: z.boolean().describe("Whether an earlier request with this key made it"),
}).meta({
  id: "NewScheduledReply",
  description: "A reply that is sent later, and whether this call made it",
});
