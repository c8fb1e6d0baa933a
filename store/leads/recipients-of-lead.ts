import { settingsOf } from "../../domain/campaigns/settings.ts";
import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { companyDomain } from "../../domain/mail/message.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaign, loadSequence, loadWorkspace } from "../campaigns/load.ts";
import { loadCampaignMailboxes } from "../campaigns/mailboxes-of-campaign.ts";
import { missingAmong } from "../campaigns/missing.ts";
import { nudge } from "../outbox.ts";
import { findErased } from "../recipients/erased.ts";
import { resumeRecipient } from "../recipients/resume.ts";
import { endRecipient } from "../recipients/stop.ts";
import { releaseBookings } from "../sending/release.ts";

/**
 * Moves the open recipients of a lead to its new address, and releases their bookings and claims for the old one. If a
 * campaign sends to the new address or has sent to it, the recipient ends instead, so that no one gets the emails twice. Call it
 * in a transaction.
 */
export async function moveRecipients(
  { workspaceId, _id: leadId }: Lead,
  to: { email: string; emailDomain: string },
): Promise<void> {
  const { Recipient, Send } = scoped(workspaceId);
  const open = await Recipient.find({ leadId, status: trusted({ $in: [...OPEN] }) });
  const moved = { email: to.email, addressHash: addressHashOf(to.email), companyDomain: companyDomain(to.emailDomain) };
  for (const { _id: recipientId, campaignId } of open) {
    const other = await Recipient.findOne(
      { campaignId, email: to.email, _id: trusted({ $ne: recipientId }) },
      { select: { _id: 1 } },
    );
    if (other !== null || (await findErased(workspaceId, campaignId, [to.email])).has(to.email)) {
      await endRecipient(workspaceId, recipientId, { status: "SKIPPED", stopReason: "REMOVED" });
      continue;
    }
    await Recipient.updateOne({ _id: recipientId }, { $set: moved });
    await releaseBookings(workspaceId, [recipientId]);
    await Send.updateMany(
      { recipientId, state: trusted({ $in: ["RESERVED", "RELEASED"] }) },
      { $set: { to: to.email } },
    );
    await nudge(workspaceId, "RECIPIENT", { recipientId, campaignId, signal: "replan" });
  }
}

/**
 * Resumes recipients that were paused because of a missing variable, once their lead has it (rules/states 3.5). `leads`
 * must be up to date. Call it in a transaction.
 */
export async function resumeCompleted(workspaceId: string, leads: readonly Lead[]): Promise<void> {
  if (leads.length === 0) return;
  const waiting = {
    leadId: trusted({ $in: leads.map(({ _id }) => _id) }),
    status: "PAUSED",
    pauseReason: "MISSING_VARIABLE",
  };
  const leadById = new Map(leads.map((lead) => [lead._id, lead]));
  for (const recipient of await scoped(workspaceId).Recipient.find(waiting)) {
    const lead = leadById.get(recipient.leadId);
    if (lead !== undefined) await resumeIfComplete(recipient, lead);
  }
}

async function resumeIfComplete(recipient: Recipient, lead: Lead): Promise<void> {
  const { workspaceId, campaignId } = recipient;
  const campaign = await loadCampaign(workspaceId, campaignId);
  const sequence = await loadSequence(workspaceId, campaignId);
  const settings = settingsOf(campaign.settings);
  const mailboxes = await loadCampaignMailboxes(workspaceId, settings);
  const mailbox = mailboxes.find(({ _id }) => _id === recipient.mailboxId) ?? mailboxes[0] ?? null;
  const next = stepOf(sequence.steps, recipient.nextStepId);
  const sources = {
    workspace: await loadWorkspace(workspaceId),
    campaign,
    settings,
    mailbox,
    sequence: { ...sequence, steps: next === null ? sequence.steps.slice(0, 1) : [next] },
  };
  if (missingAmong(sources, [recipient], new Map([[lead._id, lead]])).length > 0) return;
  if (await resumeRecipient(workspaceId, recipient, sequence.steps))
    await nudge(workspaceId, "CAMPAIGN", { campaignId });
}
