import { AppError } from "../../domain/errors.ts";
import { renderStep } from "../../domain/sequences/rendered-mail.ts";
import type { Step, Variant } from "../../domain/sequences/sequence.ts";
import { variantFor } from "../../domain/sequences/variant.ts";
import type { Rendered } from "../../domain/templates/template.ts";
import { resolveZone } from "../../domain/time/resolve-zone.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import type { RenderSources } from "./missing.ts";

/** The person for whom an email is rendered. Without a lead, example values are used. */
export interface Addressee {
  lead: Lead | null;
  recipient: Recipient | null;
  unsubscribeLink: string;
}

/** The unsubscribe link of a previewed email. It unsubscribes no one. */
export function previewLinkOf(trackUrl: string): string {
  return `${trackUrl}/u/preview`;
}

/**
 * One email of a campaign as it would be sent to someone. @throws AppError RENDER_LIMIT, STEP_NOT_FOUND,
 * TEMPLATE_INVALID
 */
export function renderMail(sources: RenderSources, person: Addressee, index: number, variant: Variant): Rendered {
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
    isFirst:
      index === firstMailOf(sequence.steps) || (recipient?.sentCount === 0 && recipient.nextStepId === step.stepId),
    openingSubject: openingSubjectOf(sources, person, index),
    isReopened: recipient?.thread?.ids.length === 0 && recipient.nextStepId === step.stepId,
  });
}

/** The subject of the thread that a follow-up continues: of the email that opened it, or of the one that will. */
export function openingSubjectOf(sources: RenderSources, person: Addressee, index: number): string | null {
  const { steps } = sources.sequence;
  const first = firstMailOf(steps);
  if (index === first || steps[index]?.threadMode !== "SAME_THREAD") return null;
  const opens = ({ type, threadMode }: Step, at: number) =>
    at === first || (type === "EMAIL" && threadMode === "NEW_THREAD");
  const opener = steps.slice(0, index).findLastIndex(opens);
  const sent = steps.findIndex(({ stepId }) => stepId === person.recipient?.currentStepId);
  const opened = person.recipient?.thread?.subject ?? null;
  if (sent >= opener && opened !== null) return opened;
  const step = steps[opener];
  return step === undefined ? null : renderMail(sources, person, opener, variantOf(step, person, undefined)).subject;
}

/**
 * The first email in the order of the steps. In a sequence with branches, some recipients may start with another one.
 */
function firstMailOf(steps: readonly Step[]): number {
  return steps.findIndex(({ type }) => type === "EMAIL");
}

/** The requested variant, or without a request the one that this recipient gets. @throws AppError VARIANT_NOT_FOUND */
export function variantOf(step: Step, { lead, recipient }: Addressee, variantId: string | undefined): Variant {
  const drawVariant = () => variantFor(step, recipient?._id ?? lead?._id ?? "preview") ?? step.variants[0];
  const assignedVariant = step.variants.find(
    (variant) => variant.variantId === (variantId ?? recipient?.variantByStep[step.stepId]),
  );
  const variant = variantId === undefined ? (assignedVariant ?? drawVariant()) : assignedVariant;
  if (variant === undefined) throw new AppError("VARIANT_NOT_FOUND", "No variant of this step has this id");
  return variant;
}
