import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import type { Content, Rendered } from "../../domain/templates/template.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { loadCampaign, loadSequence, loadWorkspace } from "../../store/campaigns/load.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import type { RenderSources } from "../../store/campaigns/missing.ts";
import { type Addressee, previewLinkOf, renderMail, variantOf } from "../../store/campaigns/render-mail.ts";
import type { Context } from "../context.ts";

export interface RenderRequest {
  campaignId: string;
  stepId?: string | undefined;
  variantId?: string | undefined;
  leadId?: string | undefined;
  /** Texts that replace those of the variant. They are not stored. */
  draft?: Partial<Content> | undefined;
  /** The sending mailbox and its unsubscribe link; default: the mailbox that would send to this lead. */
  sender?: { mailbox: Mailbox; unsubscribeLink: string } | undefined;
}

/** One rendered email of a campaign for one lead. */
export interface RenderedFor {
  sources: RenderSources;
  step: Step;
  index: number;
  variant: Variant;
  lead: Lead | null;
  person: Addressee;
  rendered: Rendered;
}

/**
 * Renders a step (rules/mail 4.7). Without `stepId` it is the first email step; without `variantId`, the variant that
 * the lead gets.
 * @throws CAMPAIGN_NOT_FOUND, STEP_NOT_FOUND, VARIANT_NOT_FOUND, LEAD_NOT_FOUND, RENDER_LIMIT, TEMPLATE_INVALID
 */
export async function renderAsked(
  { workspaceId, services }: Context,
  { campaignId, ...asked }: RenderRequest,
): Promise<RenderedFor> {
  const campaign = await loadCampaign(workspaceId, campaignId);
  const sequence = await loadSequence(workspaceId, campaignId);
  const settings = settingsOf(campaign.settings);
  const index = sequence.steps.findIndex(({ stepId, type }) => type === "EMAIL" && (asked.stepId ?? stepId) === stepId);
  const step = sequence.steps[index];
  if (step === undefined) throw new AppError("STEP_NOT_FOUND", "No email step of this campaign has this id");
  const lead = await leadOf(workspaceId, asked.leadId);
  const recipient =
    lead === null ? null : await scoped(workspaceId).Recipient.findOne({ campaignId, email: lead.email });
  const mailboxes = asked.sender === undefined ? await loadCampaignMailboxes(workspaceId, settings) : [];
  const mailbox =
    asked.sender?.mailbox ??
    mailboxes.find(({ _id }) => _id === recipient?.mailboxId) ??
    mailboxes.find(maySendCampaigns) ??
    mailboxes[0] ??
    null;
  const sources = { workspace: await loadWorkspace(workspaceId), campaign, settings, sequence, mailbox };
  const unsubscribeLink =
    asked.sender?.unsubscribeLink ??
    previewLinkOf(trackUrlOf(services.settings.trackUrl, mailbox?.trackingDomain ?? null));
  const person = { lead, recipient, unsubscribeLink };
  const variant = { ...variantOf(step, person, asked.variantId), ...asked.draft };
  return { sources, step, index, variant, lead, person, rendered: renderMail(sources, person, index, variant) };
}

async function leadOf(workspaceId: string, leadId: string | undefined): Promise<Lead | null> {
  if (leadId === undefined) return null;
  const lead = await scoped(workspaceId).Lead.get(leadId);
  if (lead === null) throw new AppError("LEAD_NOT_FOUND", "No lead has this id");
  return lead;
}
