import type { Settings } from "../campaigns/settings.ts";
import { replySubject } from "../mail/message.ts";
import { withFooter } from "../templates/footer.ts";
import { foldVariableName, ownKey } from "../templates/liquid.ts";
import { type Content, type Rendered, render, renderSignature, type Seed } from "../templates/template.ts";
import {
  BUILT_INS,
  type LeadValues,
  sampleOf,
  sampleVariables,
  type VariableSources,
  variablesOf,
} from "../templates/variables.ts";
import type { Step, Variant } from "./sequence.ts";

/** All inputs for the email of a step, except those for tracking. */
export interface MailSources {
  settings: Settings;
  step: Pick<Step, "stepId" | "threadMode">;
  variant: Pick<Variant, "variantId" | "subject" | "bodyHtml" | "bodyText">;
  /** Null: the sample values of the variables are used. */
  lead: (LeadValues & { _id: string }) | null;
  /** Null for a preview or a test. Spintax is then drawn by the lead's id. */
  recipient: { _id: string; cid: string } | null;
  mailbox: VariableSources["mailbox"] | null;
  campaign: { name: string };
  workspace: { name: string; postalAddress: string | null };
  now: Date;
  /** The IANA zone of the recipient. */
  zone: string;
  unsubscribeLink: string;
  /** Whether this is the first email to this recipient. */
  isFirst: boolean;
  /** The rendered subject that opened the thread; null when this email opens one. */
  openingSubject: string | null;
  /**
   * Whether another mailbox continues the thread (rules/sending 4.3). The email then has the same subject without
   * "Re:", because the new mailbox has not received the earlier emails.
   */
  isReopened?: boolean;
}

/**
 * Renders a step for one recipient. A preview, a test and the sent email have the same text (rules/mail 4.7). Missing
 * variables take their fallbacks when the campaign says so. The variables that are still missing are returned, and such
 * an email must not be sent (rules/mail 4.6). Throws RENDER_LIMIT and TEMPLATE_INVALID as `render` does.
 */
export function renderStep(sources: MailSources): Rendered {
  const {
    settings,
    step,
    variant,
    lead,
    recipient,
    mailbox,
    workspace,
    unsubscribeLink,
    isFirst,
    openingSubject,
    isReopened = false,
  } = sources;
  const isReply = step.threadMode === "SAME_THREAD" && !isFirst && openingSubject !== null;
  const content = { subject: isReply ? null : variant.subject, bodyHtml: variant.bodyHtml, bodyText: variant.bodyText };
  const seed = {
    recipientId: recipient?._id ?? lead?._id ?? "preview",
    stepId: step.stepId,
    variantId: variant.variantId,
  };
  const options = { textOnly: settings.textOnly || (settings.firstEmailTextOnly && isFirst) };
  const signed = (variables: Record<string, unknown>) => renderSigned(content, variables, seed, options);
  const variables = valuesOf(sources);
  const once = signed(variables);
  const filled =
    settings.missingVariablePolicy === "FALLBACK"
      ? withFallbacks(variables, once.rendered, settings.variableFallbacks)
      : null;
  const { rendered, signature } = filled === null ? once : signed(filled);
  const complete = withFooter(rendered, {
    postalAddress: workspace.postalAddress,
    unsubscribeText: settings.unsubscribeText,
    unsubscribeLink,
    unsubscribeLinkWanted: settings.unsubscribeLink,
    signatureHtml: mailbox === null ? null : signature,
    signatureMode: settings.signatureMode,
  });
  return isReply ? { ...complete, subject: isReopened ? openingSubject : replySubject(openingSubject) } : complete;
}

/**
 * Renders the signature and then the content, which may contain it. Variables in the signature count as variables of
 * the email.
 */
function renderSigned(
  content: Content,
  variables: Record<string, unknown>,
  seed: Seed,
  options: { textOnly: boolean },
) {
  const source = String(variables["signature"] ?? "");
  const signature = source.trim() === "" ? NO_SIGNATURE : renderSignature(source, variables, seed);
  const rendered = render(content, { ...variables, signature: signature.html }, seed, options);
  const both = (key: "missingVariables" | "usedVariables") => [...new Set([...rendered[key], ...signature[key]])];
  return {
    rendered: { ...rendered, missingVariables: both("missingVariables"), usedVariables: both("usedVariables") },
    signature: signature.html,
  };
}

const NO_SIGNATURE = { html: "", missingVariables: [], usedVariables: [] };

function valuesOf({
  settings,
  lead,
  recipient,
  mailbox,
  campaign,
  workspace,
  now,
  zone,
  unsubscribeLink,
}: MailSources) {
  const sender = mailbox ?? { email: sampleOf("senderEmail"), name: sampleOf("senderName"), signatureHtml: null };
  return variablesOf({
    lead: lead ?? SAMPLE_LEAD,
    mailbox: settings.signatureMode === "NONE" ? { ...sender, signatureHtml: null } : sender,
    campaign,
    workspace,
    now,
    zone,
    unsubscribeLink,
    cid: recipient?.cid ?? sampleOf("cid"),
  });
}

const SAMPLE_LEAD = sampleVariables() as LeadValues; // texts and customFields

/**
 * The variables with a fallback for each one that rendered blank because it is unset; null when no fallback applies.
 */
function withFallbacks(
  variables: Record<string, unknown>,
  { missingVariables }: Rendered,
  fallbacks: Record<string, string>,
): Record<string, unknown> | null {
  const filled = { ...variables };
  const customFields: Record<string, unknown> = { ...Object(variables["customFields"]) };
  let isFilled = false;
  for (const name of missingVariables) {
    const fallback = fallbackOf(fallbacks, name);
    if (fallback === null) continue;
    isFilled = true;
    const key = BUILT_INS.find((builtIn) => foldVariableName(builtIn.key) === foldVariableName(name))?.key;
    if (key !== undefined) filled[key] = fallback;
    else customFields[name.replace(/^customFields\./, "")] = fallback;
  }
  return isFilled ? { ...filled, customFields } : null;
}

/**
 * The key of a variable's fallback. Fallbacks are named like the variable, `firstName` or `customFields.budget`, or by
 * the bare key of a custom field. Settings have no keys with a point, so the fallback of `lead.source` is `leadSource`.
 */
export function fallbackKeyOf(fallbacks: Record<string, string>, name: string): string | undefined {
  const names = [name, name.replace(/^customFields\./, ""), ...(name === "lead.source" ? ["leadSource"] : [])];
  return names.map((one) => ownKey(fallbacks, one)).find((key) => key !== undefined);
}

function fallbackOf(fallbacks: Record<string, string>, name: string): string | null {
  const key = fallbackKeyOf(fallbacks, name);
  const fallback = key === undefined ? "" : (fallbacks[key] ?? "");
  return fallback.trim() === "" ? null : fallback;
}
