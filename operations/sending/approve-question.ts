import type { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { filterUndecided } from "../../store/campaigns/approvals.ts";
import { findAddressBehind, releaseAddresses, suppressAddress } from "../../store/suppression/suppress.ts";
import { runApproved } from "../call.ts";
import type { Context } from "../context.ts";
import { resumeRecipients } from "../recipients/pause.ts";

/** Approves an opt-out question: suppresses the person's addresses in the whole workspace, once. */
export async function approveOptOut(
  { workspaceId, credentialId: actor }: Context,
  approval: Approval,
  note: string,
): Promise<void> {
  await inTransaction(async () => {
    const { Approval, Mailbox, Recipient } = scoped(workspaceId);
    const decided = { status: "APPROVED", decidedBy: actor, decidedAt: new Date(), note } as const;
    if ((await Approval.updateOne({ _id: approval._id, ...filterUndecided() }, { $set: decided })) === 0) return;
    await releaseAddresses(approval);
    const recipient = approval.recipientId === null ? null : await Recipient.get(approval.recipientId);
    const contacted = recipient === null ? null : await findAddressBehind(workspaceId, recipient.email);
    for (const email of new Set([...(contacted === null ? [] : [contacted]), ...(approval.addresses ?? [])])) {
      // The reply may have come from one of our own mailboxes, which is not suppressed
      if (email !== contacted && (await Mailbox.count({ email })) > 0) continue;
      const named = email === contacted && recipient !== null ? recipient._id : null;
      await suppressAddress(workspaceId, email, "OPT_OUT_REPLY", { named, actor });
    }
  });
}

/** Approves the email for which a campaign's recipient waits, by resuming that recipient. */
export async function approveMailOfCampaign(ctx: Context, approval: Approval, note: string): Promise<void> {
  const { workspaceId } = ctx;
  const { _id, status, campaignId, recipientId } = approval;
  if (status !== "PENDING") return;
  await runApproved(ctx, resumeRecipients, { campaignId, recipientIds: [recipientId] }, async () => {
    throw new Error("A recipient is resumed without a permit");
  });
  if (note !== "")
    await scoped(workspaceId).Approval.updateOne({ _id, status: trusted({ $ne: "PENDING" }) }, { $set: { note } });
}
