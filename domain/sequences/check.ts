import type { Settings } from "../campaigns/settings.ts";
import { AppError } from "../errors.ts";
import type { CampaignType } from "../states.ts";
import { checkContent } from "../templates/template.ts";
import { isUntouched } from "./first-content.ts";
import { openersOf } from "./graph.ts";
import type { Step, Variant } from "./sequence.ts";

/** An error or a warning that the check of a campaign found (rules/campaigns 4.1). */
export interface CampaignFinding {
  code: string;
  message: string;
  /** Where in the sequence or the settings the problem is, such as `steps.0.variants.1`. */
  path: string | null;
  details: Record<string, unknown>;
}

export function finding(
  code: string,
  message: string,
  path: string | null = null,
  details: Record<string, unknown> = {},
): CampaignFinding {
  return { code, message, path, details };
}

/** The errors that prevent a sequence from being sent. */
export function sequenceErrors(type: CampaignType, steps: readonly Step[]): CampaignFinding[] {
  if (steps.length === 0) return [finding("NO_STEPS", "The sequence has no step", "steps")];
  const count =
    type === "ONE_OFF" && steps.length > 1
      ? [
          finding("ONE_OFF_STEP_COUNT", `A one-off campaign has one step, not ${steps.length}`, "steps", {
            steps: steps.length,
          }),
        ]
      : [];
  const openers = openersOf(steps);
  return [
    ...count,
    ...steps.flatMap((step, index) => (step.type === "EMAIL" ? stepErrors(step, index, openers.has(step.stepId)) : [])),
  ];
}

function stepErrors(step: Step, index: number, isFirst: boolean): CampaignFinding[] {
  const path = `steps.${index}`;
  const enabled = step.variants.flatMap((variant, at) =>
    variant.enabled ? [{ variant, path: `${path}.variants.${at}` }] : [],
  );
  if (enabled.length === 0) return [finding("NO_ENABLED_VARIANT", `Step ${index + 1} has no enabled variant`, path)];
  return enabled.flatMap(({ variant, path }) => variantErrors(step, variant, index, isFirst, path));
}

function variantErrors(step: Step, variant: Variant, index: number, isFirst: boolean, path: string): CampaignFinding[] {
  const where = `Step ${index + 1}, variant ${variant.label}`;
  const needsSubject = isFirst || step.threadMode === "NEW_THREAD";
  const noSubject = isFirst ? "FIRST_STEP_NO_SUBJECT" : "NEW_THREAD_NO_SUBJECT";
  return [
    ...(variant.bodyHtml === null && variant.bodyText === null
      ? [finding("STEP_EMPTY_BODY", `${where} has no text`, path)]
      : []),
    ...(needsSubject && variant.subject === null
      ? [finding(noSubject, `${where} starts a thread but has no subject`, path)]
      : []),
    ...(isUntouched(variant)
      ? [finding("STEP_UNTOUCHED", `${where} still has the sample text of a new campaign`, path)]
      : []),
    ...syntaxErrors(variant, where, path),
  ];
}

function syntaxErrors(variant: Variant, where: string, path: string): CampaignFinding[] {
  try {
    checkContent(variant, path);
    return [];
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    return [finding("TEMPLATE_SYNTAX", `${where}: ${err.message}`, path, { ...err.details })];
  }
}

const LINK = /<a\s[^>]*href|<img\s|https?:\/\/|\bwww\./i;
const SPAM_WORDS =
  /\b(?:100% free|act now|buy now|cash bonus|click here|double your|earn money|extra income|free money|get rich|guaranteed|limited time|lowest price|make money|no obligation|order now|risk[- ]free|special promotion|urgent|viagra|winner|you have been selected)\b/gi;

/** Warnings about content that spam filters distrust (rules/mail 4.8). */
export function contentWarnings(variant: Variant, isFirst: boolean, path: string): CampaignFinding[] {
  const bodies = `${variant.bodyHtml ?? ""}\n${variant.bodyText ?? ""}`;
  const words = [
    ...new Set(`${variant.subject ?? ""}\n${bodies}`.match(SPAM_WORDS)?.map((word) => word.toLowerCase())),
  ];
  return [
    ...(isFirst && LINK.test(bodies)
      ? [finding("LINKS_IN_FIRST_EMAIL", "The first email contains links or images, which spam filters distrust", path)]
      : []),
    ...(words.length > 0
      ? [finding("SPAM_WORDS", `Spam filters distrust these words: ${words.join(", ")}`, path, { words })]
      : []),
  ];
}

/** The warnings about the whole sequence under its settings. */
export function sequenceWarnings(
  steps: readonly Step[],
  settings: Settings,
  postalAddress: string | null,
): CampaignFinding[] {
  const openers = openersOf(steps);
  const variants = steps.flatMap(({ stepId, variants }, index) =>
    variants.flatMap((variant, at) =>
      variant.enabled ? [{ variant, isFirst: openers.has(stepId), path: `steps.${index}.variants.${at}` }] : [],
    ),
  );
  const isLinked = variants.every(({ variant }) =>
    /unsubscribe_?link/i.test(`${variant.bodyHtml ?? ""}${variant.bodyText ?? ""}`),
  );
  const canLeave = settings.unsubscribeHeader || settings.unsubscribeLink || isLinked;
  return [
    ...variants.flatMap(({ variant, isFirst, path }) => contentWarnings(variant, isFirst, path)),
    ...(canLeave
      ? []
      : [finding("NO_UNSUBSCRIBE", "Recipients have no way to unsubscribe", "settings.unsubscribeHeader")]),
    ...(postalAddress === null
      ? [finding("NO_POSTAL_ADDRESS", "The workspace has no postal address for the footer")]
      : []),
  ];
}
