import { z } from "zod";

/** An id in a request or an answer: opaque, with a prefix that tells its kind. */
function idOf(kind: string, prefix: string) {
  return z.string().max(64).describe(`The id of ${kind}: \`${prefix}_…\``);
}

export const campaignId = idOf("the campaign", "cmp");
export const sequenceId = idOf("the sequence", "seq");
export const stepId = idOf("the step", "stp");
export const variantId = idOf("the variant", "var");
export const recipientId = idOf("the recipient: a lead in a campaign", "rcp");
export const leadId = idOf("the lead", "led");
export const noteId = idOf("the note", "note");
export const listId = idOf("the lead list", "lst");
export const fieldId = idOf("the custom field", "fld");
export const dealId = idOf("the deal", "deal");
export const entryId = idOf("the entry", "blk");
export const mailboxId = idOf("the mailbox", "mbx");
export const threadId = idOf("the conversation", "thr");
export const messageId = idOf("the message", "msg");
export const attachmentId = idOf("the attachment", "att");
export const scheduledId = idOf("the scheduled reply", "srp");
export const jobId = idOf("the job", "job");
export const webhookId = idOf("the webhook subscription", "whs");
export const subscriptionId = idOf("the webhook subscription", "whs");
export const deliveryId = idOf("the delivery", "whd");
export const sendId = idOf("the mail", "snd");
export const approvalId = idOf("the approval", "apr");
export const promiseId = idOf("the promise", "prm");
export const testId = idOf("the placement test", "plt");
export const alertId = idOf("the alert", "alr");
export const scheduleId = idOf("the verification schedule", "vsc");
export const memberId = idOf("the member: a person in the workspace", "mbr");
export const inviteId = idOf("the invite", "inv");
export const connectionId = idOf("the CRM connection", "crm");
