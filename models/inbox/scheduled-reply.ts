import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { SCHEDULED_STATUSES } from "../../domain/states.ts";
import { IS_TEXT, instant, mixed, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/** A reply that is sent later. `_id` is also the id of its send. */
export interface ScheduledReply extends Owned {
  threadId: string;
  mailboxId: string;
  leadId: string | null;
  to: string;
  cc: string[];
  bcc: string[];
  attachments: OutgoingFile[];
  subject: string;
  bodyText: string;
  bodyHtml: string | null;
  sendAt: Date;
  status: (typeof SCHEDULED_STATUSES)[number];
  idempotencyKey: string;
  /** A hash of the arguments of the call that used that key. */
  argumentHash: string;
  /** The message of the thread that the reply answers. */
  inReplyToMessageId: string;
  /** The message that was added to the thread when the reply was sent. */
  sentMessageId: string | null;
  error: { code: string; message: string } | null;
  /** The credential that scheduled the reply. */
  createdBy: string;
  cancelledAt: Date | null;
  /** The approval that allows the reply to be sent. Absent in replies of earlier versions. */
  approvalId?: string | null;
}

export const ScheduledReply = tenantModel<ScheduledReply>(
  "ScheduledReply",
  "scheduled_replies",
  {
    threadId: required,
    mailboxId: required,
    leadId: text,
    to: required,
    cc: texts,
    bcc: texts,
    attachments: { type: [{}], required: true, default: [] },
    subject: { type: String, default: "" },
    bodyText: { type: String, default: "" },
    bodyHtml: text,
    sendAt: { type: Date, required: true },
    status: oneOf(SCHEDULED_STATUSES, "PENDING"),
    idempotencyKey: required,
    argumentHash: required,
    inReplyToMessageId: required,
    sentMessageId: text,
    error: mixed,
    createdBy: required,
    cancelledAt: instant,
    approvalId: text,
  },
  [
    { fields: { workspaceId: 1, idempotencyKey: 1 }, unique: true },
    { fields: { workspaceId: 1, sendAt: 1, _id: 1 } },
    { fields: { workspaceId: 1, status: 1, sendAt: 1, _id: 1 } },
    { fields: { workspaceId: 1, mailboxId: 1, sendAt: 1, _id: 1 } },
    { fields: { "attachments.id": 1 }, where: { "attachments.id": IS_TEXT } },
    { fields: { status: 1, sendAt: 1 } },
    { fields: { threadId: 1 } },
  ],
);
