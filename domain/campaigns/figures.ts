import { dateOf, dayAt } from "../time/zone.ts";

/**
 * The counts that are kept for each step, variant and day. `contacted` is counted for steps and variants only
 * (rules/campaigns 6.4).
 */
export const FIGURES = [
  "contacted",
  "sent",
  "delivered",
  "opened",
  "proxyOpened",
  "clicked",
  "replied",
  "autoReplied",
  "positiveReplies",
  "bounced",
  "unsubscribed",
] as const;
export type Figure = (typeof FIGURES)[number];
export type Figures = Record<Figure, number>;

/** The step and variant of the email for which something is counted. */
export interface MailPlace {
  campaignId: string;
  stepId: string | null;
  variantId: string | null;
  mailboxId: string | null;
}

/**
 * An event of one kind that happened `count` times at `at` (epoch milliseconds), for emails of one step and variant;
 * unknown fields are null.
 */
export interface Fact<F extends string = Figure> extends MailPlace {
  figure: F;
  at: number | null;
  count: number;
}

interface StepShape {
  stepId: string;
  order: number;
  type: string;
  variants: readonly { variantId: string; label: string }[];
}

interface VariantFigures {
  variantId: string;
  label: string | null;
  isRemoved: boolean;
  figures: Figures;
}

export interface StepFigures {
  stepId: string;
  order: number | null;
  isRemoved: boolean;
  variants: VariantFigures[];
  figures: Figures;
}

/**
 * The figures of every email step in the order of the sequence, then of removed steps that have facts, oldest first
 * (rules/campaigns 6.3). The variants of a step are ordered the same way.
 */
export function figuresBySteps(steps: readonly StepShape[], facts: readonly Fact[]): StepFigures[] {
  const byStep = Map.groupBy(facts, ({ stepId }) => stepId);
  const emailSteps = steps.filter(({ stepId, type }) => type === "EMAIL" || byStep.has(stepId));
  const removed = idsBeyond(
    byStep.keys(),
    steps.map(({ stepId }) => stepId),
  );
  return [
    ...emailSteps.map((step) => ({ step, stepId: step.stepId, order: step.order, isRemoved: false })),
    ...removed.map((stepId) => ({ step: null, stepId, order: null, isRemoved: true })),
  ].map(({ step, ...place }) => {
    const own = byStep.get(place.stepId) ?? [];
    return { ...place, variants: figuresByVariants(step?.variants ?? [], own), figures: sumOf(own) };
  });
}

function figuresByVariants(variants: StepShape["variants"], facts: readonly Fact[]): VariantFigures[] {
  const byVariant = Map.groupBy(facts, ({ variantId }) => variantId);
  const removed = idsBeyond(
    byVariant.keys(),
    variants.map(({ variantId }) => variantId),
  );
  return [
    ...variants.map(({ variantId, label }) => ({ variantId, label, isRemoved: false })),
    ...removed.map((variantId) => ({ variantId, label: null, isRemoved: true })),
  ].map((variant) => ({ ...variant, figures: sumOf(byVariant.get(variant.variantId) ?? []) }));
}

/** The figures of every day in this zone, from the first day with data to the last, or to `until` if that is later. */
export function figuresByDays(
  facts: readonly Fact[],
  zone: string,
  until: number | null,
): { date: string; figures: Figures }[] {
  const byDay = Map.groupBy(
    facts.filter(({ at }) => at !== null),
    ({ at }) => dayAt(zone, at ?? 0),
  );
  const days = [...byDay.keys()];
  if (days.length === 0) return [];
  const first = days.reduce((least, day) => Math.min(least, day));
  const last = days.reduce((most, day) => Math.max(most, day), until === null ? first : dayAt(zone, until));
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    date: dateOf(first + index),
    figures: sumOf(byDay.get(first + index) ?? []),
  }));
}

/** Ids are ordered by time. */
function idsBeyond(found: Iterable<string | null>, known: readonly string[]): string[] {
  return [...found].flatMap((id) => (id === null || known.includes(id) ? [] : [id])).sort();
}

function sumOf(facts: readonly Fact[]): Figures {
  const sum: Figures = {
    contacted: 0,
    sent: 0,
    delivered: 0,
    opened: 0,
    proxyOpened: 0,
    clicked: 0,
    replied: 0,
    autoReplied: 0,
    positiveReplies: 0,
    bounced: 0,
    unsubscribed: 0,
  };
  for (const { figure, count } of facts) sum[figure] += count;
  return sum;
}
