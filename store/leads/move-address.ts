import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { companyDomain } from "../../domain/mail/message.ts";
import { OPEN } from "../../domain/states.ts";
import type { Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import { releaseBookings } from "../sending/release.ts";

/**
 * Moves the open recipients of a lead to its new address, and releases what was booked or claimed for the old one. In a campaign that
 * already writes to the new address the recipient ends, so that nobody is written to twice. Call it in a transaction.
 */
export async function moveRecipients({ workspaceId, _id: leadId }: Lead, to: { email: string; emailDomain: string }): Promise<void> {
  const { Recipient, Send } = scoped(workspaceId);
  const open = await Recipient.find({ leadId, status: trusted({ $in: [...OPEN] }) });
  const moved = { email: to.email, addressHash: addressHashOf(to.email), companyDomain: companyDomain(to.emailDomain) };
  for (const { _id: recipientId, campaignId } of open) {
    const other = await Recipient.findOne({ campaignId, email: to.email, _id: trusted({ $ne: recipientId }) }, { select: { _id: 1 } });
    if (other !== null) {
      await endRecipient(workspaceId, recipientId, { status: "SKIPPED", stopReason: "REMOVED" });
      continue;
    }
    await Recipient.updateOne({ _id: recipientId }, { $set: moved });
    await releaseBookings(workspaceId, [recipientId]);
    await Send.updateMany({ recipientId, state: trusted({ $in: ["RESERVED", "RELEASED"] }) }, { $set: { to: to.email } });
    await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  }
}
