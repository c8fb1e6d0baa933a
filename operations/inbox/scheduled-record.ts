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
  inReplyToMessageId: z.string().describe("The answered message"),
  to: z.string().describe("The recipient"),
  cc: z.array(z.string()).describe("The recipients of a copy"),
  bcc: z.array(z.string()).describe("The recipients of a hidden copy"),
  attachments: z.array(Attachment).default([]).describe("The attached files"),
  subject: z.string().describe("The subject"),
  bodyText: z.string().describe("The plain text"),
  bodyHtml: nullable(z.string()).describe("The HTML"),
  sendAt: time.describe("When it is sent"),
  status: z.enum(SCHEDULED_STATUSES).describe("The status"),
  idempotencyKey: z.string().describe("The key of the request that created it"),
  sentMessageId: nullable(z.string()).describe("The sent message"),
  error: nullable(
    z.object({ code: z.string().describe("An error code"), message: z.string().describe("The error as a sentence") }),
  ).describe("Why it failed"),
  createdBy: z.string().describe("The credential that created it"),
  cancelledAt: optionalTime.describe("When it was cancelled"),
};

/** Scheduled reply `srp_` (rules/states 1.5). */
export const Scheduled = record(fields).meta({ id: "ScheduledReply", description: "A reply that is sent later" });

/** The response to scheduling: a repeated key returns the reply that the first call stored, in its current state. */
export const NewScheduled = record({
  ...fields,
  idempotentReplay: z.boolean().describe("Whether an earlier request with this key created it"),
}).meta({
  id: "NewScheduledReply",
  description: "A reply that is sent later, and whether this call created it",
});
