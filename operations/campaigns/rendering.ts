import { settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { renderStep } from "../../domain/sequences/rendered-mail.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import type { Content, Rendered } from "../../domain/templates/template.ts";
import { resolveZone } from "../../domain/time/resolve-zone.ts";
import type { Lead } from "../../models/lead.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { loadCampaign, loadSequence, loadWorkspace } from "../../store/campaigns/load.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import type { RenderSources } from "../../store/campaigns/missing.ts";
import type { Context } from "../context.ts";

export interface RenderRequest {
  campaignId: string;
  stepId?: string | undefined;
  variantId?: string | undefined;
  leadId?: string | undefined;
  /** Texts that take the place of those of the variant. They are not stored. */
  draft?: Partial<Content> | undefined;
}

/** One mail of a campaign as it would be sent to one lead. */
export interface RenderedFor {
  sources: RenderSources;
  step: Step;
  index: number;
  variant: Variant;
  lead: Lead | null;
  rendered: Rendered;
}

/**
 * Renders a step: the first e-mail step unless one is named, in the variant that the lead gets unless one is named (rules/mail 4.7).
 * @throws CAMPAIGN_NOT_FOUND, STEP_NOT_FOUND, VARIANT_NOT_FOUND, LEAD_NOT_FOUND, RENDER_LIMIT, TEMPLATE_INVALID
 */
export async function renderAsked({ workspaceId, services }: Context, { campaignId, ...asked }: RenderRequest): Promise<RenderedFor> {
  const campaign = await loadCampaign(workspaceId, campaignId);
  const sequence = await loadSequence(workspaceId, campaignId);
  const settings = settingsOf(campaign.settings);
  const index = sequence.steps.findIndex(({ stepId, type }) => type === "EMAIL" && (asked.stepId ?? stepId) === stepId);
  const step = sequence.steps[index];
  if (step === undefined) throw new AppError("STEP_NOT_FOUND", "No e-mail step of this campaign has this id");
  const lead = await leadOf(workspaceId, asked.leadId);
  const recipient = lead === null ? null : await scoped(workspaceId).Recipient.findOne({ campaignId, email: lead.email });
  const mailboxes = await loadCampaignMailboxes(workspaceId, settings);
  const mailbox = mailboxes.find(({ _id }) => _id === recipient?.mailboxId) ?? mailboxes.find(maySendCampaigns) ?? mailboxes[0] ?? null;
  const sources = { workspace: await loadWorkspace(workspaceId), campaign, settings, sequence, mailbox };
  const person = { lead, recipient, unsubscribeLink: `${services.settings.trackUrl}/u/preview` };
  const variant = { ...variantOf(step, person, asked.variantId), ...asked.draft };
  return { sources, step, index, variant, lead, rendered: rendering(sources, person, index, variant) };
}

interface Person {
  lead: Lead | null;
  recipient: Recipient | null;
  unsubscribeLink: string;
}

function rendering(sources: RenderSources, person: Person, index: number, variant: Variant): Rendered {
  const { sequence, settings, workspace } = sources;
  const { lead, recipient, unsubscribeLink } = person;
  const step = sequence.steps[index];
  if (step === undefined) throw new AppError("STEP_NOT_FOUND", "No step of this campaign has this position");
  const whereabouts = {
    leadTimezone: lead?.timezone ?? null,
    country: lead?.country ?? null,
    state: lead?.state ?? null,
    city: lead?.city ?? null,
  };
  return renderStep({
    ...sources,
    step,
    variant,
    lead,
    recipient,
    now: new Date(),
    zone: recipient?.timezone ?? resolveZone(whereabouts, [settings.timezone, workspace.timezone]).zone,
    unsubscribeLink,
    isFirst: index === firstMailOf(sequence.steps) || (recipient?.sentCount === 0 && recipient.nextStepId === step.stepId),
    openingSubject: openingSubjectOf(sources, person, index),
    isReopened: recipient?.thread?.ids.length === 0 && recipient.nextStepId === step.stepId,
  });
}

/** The subject of the thread that a follow-up continues: the one that was sent, else the one that would be. */
function openingSubjectOf(sources: RenderSources, person: Person, index: number): string | null {
  const { steps } = sources.sequence;
  const first = firstMailOf(steps);
  if (index === first || steps[index]?.threadMode !== "SAME_THREAD") return null;
  const opens = ({ type, threadMode }: Step, at: number) => at === first || (type === "EMAIL" && threadMode === "NEW_THREAD");
  const opener = steps.slice(0, index).findLastIndex(opens);
  const sent = steps.findIndex(({ stepId }) => stepId === person.recipient?.currentStepId);
  const opened = person.recipient?.thread?.subject ?? null;
  if (sent >= opener && opened !== null) return opened;
  const step = steps[opener];
  return step === undefined ? null : rendering(sources, person, opener, variantOf(step, person, undefined)).subject;
}

/** The first mail in the order of the steps; with branches, some recipients may begin with another. */
function firstMailOf(steps: readonly Step[]): number {
  return steps.findIndex(({ type }) => type === "EMAIL");
}

/** The named variant, else the one that this recipient gets. */
function variantOf(step: Step, { lead, recipient }: Person, variantId: string | undefined): Variant {
  const drawn = () => variantFor(step, recipient?._id ?? lead?._id ?? "preview") ?? step.variants[0];
  const known = step.variants.find((variant) => variant.variantId === (variantId ?? recipient?.variantByStep[step.stepId]));
  const variant = variantId === undefined ? (known ?? drawn()) : known;
  if (variant === undefined) throw new AppError("VARIANT_NOT_FOUND", "No variant of this step has this id");
  return variant;
}

async function leadOf(workspaceId: string, leadId: string | undefined): Promise<Lead | null> {
  if (leadId === undefined) return null;
  const lead = await scoped(workspaceId).Lead.get(leadId);
  if (lead === null) throw new AppError("LEAD_NOT_FOUND", "No lead has this id");
  return lead;
}
