import { isDeepStrictEqual } from "node:util";
import type { SequenceMode, Step, Variant } from "./sequence.ts";

/** One difference between two versions of a sequence: of a step, of a variant, or of the sequence itself. */
export interface SequenceChange {
  stepId: string | null;
  variantId: string | null;
  /**
   * The field that differs. `step` and `variant` mean that a whole step or variant was added (`before` is null) or
   * removed (`after` is null).
   */
  field: string;
  /** Null for the bodies of emails too, because the stored versions contain them in full. */
  before: unknown;
  after: unknown;
}

/**
 * The fields of a step whose values a history shows. The step's order is compared separately, and its winner may change
 * without an edit.
 */
const OF_STEP = ["type", "delay", "threadMode", "conditions", "config"] as const;
const OF_VARIANT = ["label", "subject", "bodyHtml", "bodyText", "weight", "enabled"] as const;
const BODIES: readonly string[] = ["bodyHtml", "bodyText"];

interface Written {
  mode: SequenceMode;
  steps: readonly Step[];
}

/** The changes of an edit, in the order of the steps; removed steps come last. */
export function changesBetween(before: Written, after: Written): SequenceChange[] {
  const mode = before.mode === after.mode ? [] : [stepChange({}, "mode", before.mode, after.mode)];
  const earlierSteps = new Map(before.steps.map((step) => [step.stepId, step]));
  const left = new Set(after.steps.map(({ stepId }) => stepId));
  const moved = movedSteps(before.steps, after.steps);
  const steps = after.steps.flatMap((step): SequenceChange[] => {
    const { stepId, order } = step;
    const old = earlierSteps.get(stepId);
    if (old === undefined) return [stepChange({ stepId }, "step", null, order)];
    const place = moved.has(stepId) ? [stepChange({ stepId }, "order", old.order, order)] : [];
    return [...place, ...fieldsOf(old, step, OF_STEP, { stepId }), ...variantsOf(old, step), ...winnerOf(old, step)];
  });
  const removed = before.steps.filter(({ stepId }) => !left.has(stepId));
  return [...mode, ...steps, ...removed.map(({ stepId, order }) => stepChange({ stepId }, "step", order, null))];
}

/**
 * The steps whose order changed relative to the other steps that both versions have. Inserting a step does not move the
 * steps after it.
 */
function movedSteps(before: readonly Step[], after: readonly Step[]): Set<string> {
  const ids = (steps: readonly Step[], others: readonly Step[]) =>
    steps.map(({ stepId }) => stepId).filter((stepId) => others.some((other) => other.stepId === stepId));
  const old = ids(before, after);
  return new Set(ids(after, before).filter((stepId, place) => old[place] !== stepId));
}

function variantsOf({ variants: before }: Step, { stepId, variants: after }: Step): SequenceChange[] {
  const earlierVariants = new Map(before.map((variant) => [variant.variantId, variant]));
  const changed = after.flatMap((variant): SequenceChange[] => {
    const place = { stepId, variantId: variant.variantId };
    const old = earlierVariants.get(variant.variantId);
    if (old === undefined) return [stepChange(place, "variant", null, variant.label)];
    return [...fieldsOf(old, variant, OF_VARIANT, place), ...filesOf(old, variant, place)];
  });
  const removed = before.filter(({ variantId }) => !after.some((variant) => variant.variantId === variantId));
  return [
    ...changed,
    ...removed.map(({ variantId, label }) => stepChange({ stepId, variantId }, "variant", label, null)),
  ];
}

function filesOf(before: Variant, after: Variant, place: Place): SequenceChange[] {
  const [old, present] = [before, after].map(({ attachments }) => attachments.map(({ fileName }) => fileName));
  const ids = ({ attachments }: Variant) => attachments.map(({ id }) => id);
  return isDeepStrictEqual(ids(before), ids(after)) ? [] : [stepChange(place, "attachments", old, present)];
}

/** The change of the rule that chooses a winner. That a variant has won is not an edit. */
function winnerOf(before: Step, after: Step): SequenceChange[] {
  const [{ winnerVariantId: _old, ...old }, { winnerVariantId: _present, ...present }] = [before.winner, after.winner];
  return isDeepStrictEqual(old, present) ? [] : [stepChange({ stepId: after.stepId }, "winner", old, present)];
}

function fieldsOf<T extends object>(
  before: T,
  after: T,
  names: readonly (keyof T & string)[],
  place: Place,
): SequenceChange[] {
  return names.flatMap((name) => {
    if (isDeepStrictEqual(before[name], after[name])) return [];
    return [
      BODIES.includes(name) ? stepChange(place, name, null, null) : stepChange(place, name, before[name], after[name]),
    ];
  });
}

interface Place {
  stepId?: string;
  variantId?: string;
}

function stepChange({ stepId, variantId }: Place, field: string, before: unknown, after: unknown): SequenceChange {
  return { stepId: stepId ?? null, variantId: variantId ?? null, field, before, after };
}
