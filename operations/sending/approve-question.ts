import type { Approval } from "../../models/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { runApproved } from "../call.ts";
import type { Context } from "../context.ts";
import { resumeRecipients } from "../recipients/pause.ts";

/** Agrees that a reply asked us to stop: its recipient is suppressed in the whole workspace, once. */
export async function approveOptOut({ workspaceId, credentialId }: Context, approval: Approval, note: string): Promise<void> {
  await inTransaction(async () => {
    const { Approval, Recipient } = scoped(workspaceId);
    const open = { _id: approval._id, status: "PENDING", expiresAt: trusted({ $gt: new Date() }) };
    const decided = { status: "APPROVED", decidedBy: credentialId, decidedAt: new Date(), note } as const;
    if ((await Approval.updateOne(open, { $set: decided })) === 0) return null;
    const recipient = approval.recipientId === null ? null : await Recipient.get(approval.recipientId);
    if (recipient !== null)
      await suppressAddress(workspaceId, recipient.email, "OPT_OUT_REPLY", { named: recipient._id, actor: credentialId });
    return approval._id;
  });
}

/** Lets the mail go for which a campaign's recipient waits, as resuming that recipient does. */
export async function approveMailOfCampaign(ctx: Context, approval: Approval, note: string): Promise<void> {
  const { workspaceId } = ctx;
  const { _id, status, campaignId, recipientId } = approval;
  if (status !== "PENDING") return;
  await runApproved(ctx, resumeRecipients, { campaignId, recipientIds: [recipientId] }, async () => {
    throw new Error("A recipient is resumed without a permit");
  });
  if (note !== "") await scoped(workspaceId).Approval.updateOne({ _id, status: trusted({ $ne: "PENDING" }) }, { $set: { note } });
}
