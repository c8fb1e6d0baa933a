import { z } from "zod";
import { SCHEDULED_STATUSES } from "../../models/scheduled-reply.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const fields = {
  threadId: z.string(),
  mailboxId: z.string(),
  leadId: nullable(z.string()),
  inReplyToMessageId: z.string(),
  to: z.string(),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  bodyText: z.string(),
  bodyHtml: nullable(z.string()),
  sendAt: time,
  status: z.enum(SCHEDULED_STATUSES),
  idempotencyKey: z.string(),
  sentMessageId: nullable(z.string()),
  error: nullable(z.object({ code: z.string(), message: z.string() })),
  createdBy: z.string(),
  cancelledAt: optionalTime,
};

/** Scheduled reply `srp_` (rules/states 1.5). */
export const Scheduled = record(fields).meta({ id: "ScheduledReply", description: "A reply that is sent later" });

/** The same for the caller who schedules it: a repetition of a key returns what the first call stored, as it is now. */
export const NewScheduled = record({ ...fields, idempotentReplay: z.boolean() }).meta({
  id: "NewScheduledReply",
  description: "A reply that is sent later, and whether this call made it",
});
