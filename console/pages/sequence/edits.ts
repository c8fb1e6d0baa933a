import { copySteps } from "../../../domain/sequences/copied-steps.ts";
import { DEFAULT_DELAY, NO_DELAY, NO_WINNER } from "../../../domain/sequences/sequence.ts";
import { newKey } from "../../api/key.ts";
import { isSameValue, type Step, type Variant } from "./draft.ts";

/** The edits of a sequence that a person can make. Each returns the steps after it. */
type Steps = readonly Step[];

export function addStep(steps: Steps, type: Step["type"]): Step[] {
  const isFirst = steps.length === 0;
  return inOrder([
    ...steps,
    {
      stepId: newName(),
      order: steps.length + 1,
      type,
      delay: isFirst ? NO_DELAY : DEFAULT_DELAY,
      threadMode: isFirst ? "NEW_THREAD" : "SAME_THREAD",
      conditions: [],
      config: {},
      variants: type === "EMAIL" ? [newVariant("A")] : [],
      winner: { ...NO_WINNER },
    },
  ]);
}

/** A copy of the steps of a template, under new names. */
export function copyOfSteps(steps: Steps): Step[] {
  return inOrder(copySteps(steps, { step: newName, variant: newName }));
}

/** Removes a step, and the branches that lead to it. */
export function removeStep(steps: Steps, stepId: string): Step[] {
  const left = steps.filter((step) => step.stepId !== stepId);
  return inOrder(
    left.map((step) => {
      const conditions = step.conditions
        .filter(({ nextStepId }) => nextStepId !== stepId)
        .map((condition) => {
          if (condition["ofStepId"] !== stepId) return condition;
          const { ofStepId: _, ...rest } = condition;
          return rest;
        });
      return { ...step, conditions };
    }),
  );
}

/** Puts the removed step `before[at]` back, with the branches that led to it. Later edits of other steps stay. */
export function restoreStep(steps: Steps, before: Steps, at: number): Step[] {
  const removed = before[at];
  if (removed === undefined || steps.some(({ stepId }) => stepId === removed.stepId)) return [...steps];
  const after = removeStep(before, removed.stepId);
  const find = (list: Steps, id: string) => list.find(({ stepId }) => stepId === id);
  const restored = steps.map((step) => {
    const [earlier, left] = [find(before, step.stepId), find(after, step.stepId)];
    if (earlier === undefined || left === undefined) return step;
    const { conditions, threadMode } = earlier;
    return {
      ...step,
      ...(isSameValue(left.conditions, step.conditions) && { conditions }),
      ...(left.threadMode === step.threadMode && { threadMode }),
    };
  });
  return inOrder(restored.toSpliced(at, 0, removed));
}

/** Moves a step by one place, up or down. */
export function moveStep(steps: Steps, stepId: string, by: 1 | -1): Step[] {
  const at = steps.findIndex((step) => step.stepId === stepId);
  const [step, other] = [steps[at], steps[at + by]];
  if (step === undefined || other === undefined) return [...steps];
  return inOrder(steps.with(at, other).with(at + by, step));
}

export function changeStep(steps: Steps, stepId: string, change: Partial<Step>): Step[] {
  return steps.map((step) => (step.stepId === stepId ? { ...step, ...change } : step));
}

export function changeVariant(steps: Steps, variantId: string, change: Partial<Variant>): Step[] {
  return steps.map((step) =>
    step.variants.some((variant) => variant.variantId === variantId)
      ? {
          ...step,
          variants: step.variants.map((one) => (one.variantId === variantId ? { ...one, ...change } : one)),
        }
      : step,
  );
}

/** Adds a variant with the text of another one, to be changed. */
export function addVariant(step: Step, from: Variant | undefined): Variant[] {
  const label = LETTERS.find((letter) => step.variants.every((variant) => variant.label !== letter)) ?? "Z";
  const { subject = null, bodyHtml = null, bodyText = null, weight = 50 } = from ?? {};
  return [...step.variants, { ...newVariant(label), subject, bodyHtml, bodyText, weight }];
}

/** Removes a variant; a step that it has won looks for a winner again. */
export function removeVariant(steps: Steps, variantId: string): Step[] {
  return steps.map((step) => {
    if (!step.variants.some((variant) => variant.variantId === variantId)) return step;
    const hasWon = step.winner["winnerVariantId"] === variantId;
    return {
      ...step,
      variants: step.variants.filter((variant) => variant.variantId !== variantId),
      ...(hasWon && { winner: { ...step.winner, winnerVariantId: null } }),
    };
  });
}

/** Puts the removed variant at this place of an earlier step back. */
export function restoreVariant(steps: Steps, before: Step | undefined, at: number): Step[] {
  const removed = before?.variants[at];
  if (before === undefined || removed === undefined) return [...steps];
  const [left] = removeVariant([before], removed.variantId);
  return steps.map((step) => {
    const isThere = step.variants.some(({ variantId }) => variantId === removed.variantId);
    if (step.stepId !== before.stepId || isThere) return step;
    const winner = isSameValue(left?.winner, step.winner) ? before.winner : step.winner;
    return { ...step, variants: step.variants.toSpliced(at, 0, removed), winner };
  });
}

type Text = Pick<Variant, "subject" | "bodyHtml" | "bodyText">;

/** Replaces the text that a template inserted by the text before. Returns null if a person has changed it since. */
export function takeTextBack(steps: Steps, variantId: string, inserted: Text, before: Text): Step[] | null {
  const variant = steps.flatMap(({ variants }) => variants).find((one) => one.variantId === variantId);
  if (variant === undefined) return null;
  const { subject, bodyHtml, bodyText } = variant;
  return isSameValue({ subject, bodyHtml, bodyText }, inserted) ? changeVariant(steps, variantId, before) : null;
}

const LETTERS = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));

/** A name for a step or variant that is not saved yet. The server replaces it by an id. */
function newName(): string {
  return `new-${newKey().slice(0, 12)}`;
}

function newVariant(label: string): Variant {
  const texts = { subject: null, bodyHtml: null, bodyText: null };
  return { variantId: newName(), label, ...texts, weight: 50, enabled: true, attachments: [] };
}

/** The share of the recipients that a variant gets by its weight; 0 while it is disabled. */
export function shareOf({ variants }: Step, { variantId, enabled, weight }: Variant): number {
  const all = variants.reduce((sum, variant) => sum + (variant.enabled ? variant.weight : 0), 0);
  return enabled && all > 0 && variants.some((variant) => variant.variantId === variantId) ? weight / all : 0;
}

/** The first step always starts a thread, as on the server. */
function inOrder(steps: Steps): Step[] {
  return steps.map((step, index) => ({
    ...step,
    order: index + 1,
    threadMode: index === 0 ? "NEW_THREAD" : step.threadMode,
  }));
}
