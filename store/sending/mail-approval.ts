import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { newId } from "../../mongo/ids.ts";
import { OPEN_MS } from "../campaigns/approvals.ts";
import { emit } from "../outbox.ts";
import { runGuarded, type Turn } from "../recipients/non-mail-step.ts";
import { pauseRecipient } from "../recipients/stop.ts";

/**
 * Pauses a recipient whose email needs an approval and releases its slot, until someone resumes it (rules/states 7.2).
 * Earlier approvals expire, so exactly one is PENDING, with the text that would be sent. Returns false when the
 * recipient no longer waits for the step, or the campaign's gate or approvalMode has changed: then nothing has changed.
 */
export function askAboutMail(turn: Turn, send: Send, mail: { text: string; contentHash: string }): Promise<boolean> {
  const { recipient, step } = turn;
  const { workspaceId, _id: recipientId, campaignId, leadId, threadId } = recipient;
  const { stepId } = step;
  return runGuarded(turn, async () => {
    const { Approval, Send } = scoped(workspaceId);
    await pauseRecipient(workspaceId, recipientId, "APPROVAL_REQUIRED", null);
    const { _id: approvalId, expiresAt } = await Approval.insert({
      _id: newId("apr"),
      kind: "CAMPAIGN_SEND",
      threadId,
      campaignId,
      recipientId,
      stepId,
      proposedText: mail.text,
      contentHash: mail.contentHash,
      reason: `Step ${step.order} of the campaign waits for an approval`,
      expiresAt: new Date(Date.now() + OPEN_MS),
    });
    await Send.updateOne({ _id: send._id }, { $set: { approvalId } });
    await emit(workspaceId, {
      type: "APPROVAL_REQUESTED",
      leadId,
      campaignId,
      recipientId,
      data: { stepId, approvalId, expiresAt },
    });
  });
}
