import type { Settings } from "../../../domain/campaigns/settings.ts";
import type { SequenceMode } from "../../../domain/sequences/sequence.ts";
import { counted } from "../format.ts";

export const SEQUENCE_MODE: Record<SequenceMode, string> = { DEFAULT: "linear", VISUAL: "with branches" };

/** The fields of a step and of a variant for which the history shows only that they changed, without values. */
const OF_STEP: Readonly<Record<string, string>> = {
  conditions: "what comes next",
  config: "details",
  winner: "rule for the winner",
};
const OF_VARIANT: Readonly<Record<string, string>> = {
  subject: "subject",
  bodyHtml: "text",
  bodyText: "plain text",
  attachments: "attachments",
};

export const changeWords = {
  step: (order: number | null) => (order === null ? "A step" : `Step ${order}`),
  variant: (label: string | null) => (label === null ? "a variant" : `variant ${label}`),
  stepAdded: (step: string) => `${step} added`,
  stepRemoved: (step: string) => `${step} removed`,
  moved: (before: number, after: number) => `Step ${before} is now step ${after}`,
  of: (step: string, change: string) => `${step}: ${change}`,
  values: (name: string, before: string, after: string) => `${name} ${before} → ${after}`,
  changed: (name: string) => `${name} changed`,
  type: "type",
  delay: "delay",
  thread: "thread",
  weight: (variant: string) => `weight of ${variant}`,
  partOfStep: (field: string) => (Object.hasOwn(OF_STEP, field) ? OF_STEP[field] : undefined) ?? field,
  partOfVariant: (field: string, variant: string) =>
    `${(Object.hasOwn(OF_VARIANT, field) ? OF_VARIANT[field] : undefined) ?? field} of ${variant}`,
  variantAdded: (variant: string) => `${variant} added`,
  variantRemoved: (variant: string) => `${variant} removed`,
  enabled: (variant: string) => `${variant} enabled`,
  disabled: (variant: string) => `${variant} disabled`,
  renamed: (before: string, after: string) => `variant ${before} is now called ${after}`,
  mode: "Type of sequence:",
  setting: (name: string) => `Setting ${name}`,
  none: "none",
  yes: "yes",
  no: "no",
  more: (count: number) => counted(count, "more change", "more changes"),
} as const;

type TextSetting = { [K in keyof Settings]: Settings[K] extends string | null ? K : never }[keyof Settings];

/**
 * Settings whose text value is shown in the history. Others are not shown, because a field with another name could
 * contain a secret.
 */
export const TEXT_SETTINGS: Record<TextSetting, true> = {
  timezone: true,
  startAt: true,
  endAt: true,
  holidayCountry: true,
  companyLimitScope: true,
  rotation: true,
  providerMatching: true,
  mailboxFailover: true,
  stopOnReplyScope: true,
  outOfOfficeMode: true,
  missingVariablePolicy: true,
  signatureMode: true,
  unsubscribeText: true,
  approvalMode: true,
};
