import type { OutgoingFile } from "../mail/outgoing-file.ts";

/** The steps of a sequence as they are stored (rules/campaigns 2.1). */
export const STEP_TYPES = [
  "EMAIL",
  "WAIT",
  "CONDITION",
  "TASK",
  "WEBHOOK",
  "ADD_TAG",
  "MOVE_TO_CAMPAIGN",
  "APPROVAL",
] as const;
export const DELAY_UNITS = ["MINUTES", "HOURS", "DAYS", "BUSINESS_DAYS"] as const;
export const THREAD_MODES = ["SAME_THREAD", "NEW_THREAD"] as const;
export const SEQUENCE_MODES = ["DEFAULT", "VISUAL"] as const;
export type SequenceMode = (typeof SEQUENCE_MODES)[number];

export interface Delay {
  value: number;
  unit: (typeof DELAY_UNITS)[number];
}

export interface Variant {
  variantId: string;
  label: string;
  subject: string | null;
  bodyHtml: string | null;
  bodyText: string | null;
  weight: number;
  enabled: boolean;
  attachments: OutgoingFile[];
}

/**
 * The metrics by which the variants of a step are compared. Each is a rate per person; REVENUE is the mean amount per
 * person contacted.
 */
export const WINNER_METRICS = [
  "REPLY_RATE",
  "POSITIVE_REPLY_RATE",
  "CLICK_RATE",
  "CONVERSION_RATE",
  "REVENUE",
] as const;
export type WinnerMetric = (typeof WINNER_METRICS)[number];

export interface Winner {
  mode: "OFF" | "AUTO";
  metric: WinnerMetric;
  minSends: number;
  maturityHours: number;
  confidence: number;
  explorationShare: number;
  winnerVariantId: string | null;
}

export interface Step {
  stepId: string;
  order: number;
  type: (typeof STEP_TYPES)[number];
  /**
   * The wait before this step, counted from the time at which the previous email was really sent; for step 1, from the
   * recipient's entry into the campaign.
   */
  delay: Delay;
  threadMode: (typeof THREAD_MODES)[number];
  conditions: Record<string, unknown>[];
  config: Record<string, unknown>;
  variants: Variant[];
  winner: Winner;
}

export const MAX_STEPS = 50;
export const MAX_VARIANTS = 26;
export const DEFAULT_DELAY: Delay = { value: 3, unit: "DAYS" };
export const NO_DELAY: Delay = { value: 0, unit: "DAYS" };
export const NO_WINNER: Winner = {
  mode: "OFF",
  metric: "REPLY_RATE",
  minSends: 50,
  maturityHours: 72,
  confidence: 0.95,
  explorationShare: 0.1,
  winnerVariantId: null,
};

/** The step with this id; null when it was removed. */
export function stepOf(steps: readonly Step[], stepId: string | null): Step | null {
  return steps.find((step) => step.stepId === stepId) ?? null;
}

/** The step after `stepId` in order; null after the last. */
export function stepAfter(steps: readonly Step[], stepId: string): Step | null {
  const index = steps.findIndex((step) => step.stepId === stepId);
  return index < 0 ? null : (steps[index + 1] ?? null);
}

/**
 * The wait before each email: its own delay, plus, in days, the delays of the steps between it and the email before.
 */
export function mailDelays(steps: readonly Step[]): Delay[] {
  let between = 0;
  return steps.flatMap(({ type, delay }) => {
    if (type !== "EMAIL") {
      between += daysOf(delay);
      return [];
    }
    const whole = between === 0 ? delay : { value: Math.ceil(between + daysOf(delay)), unit: "DAYS" as const };
    between = 0;
    return [whole];
  });
}

const DAYS_OF: Record<Delay["unit"], number> = { MINUTES: 1 / 1_440, HOURS: 1 / 24, DAYS: 1, BUSINESS_DAYS: 7 / 5 };

function daysOf({ value, unit }: Delay): number {
  return value * DAYS_OF[unit];
}
