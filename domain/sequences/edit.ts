import { invalid } from "../errors.ts";
import type { Step } from "./sequence.ts";

/**
 * The steps in another order. The first step opens a thread.
 * @throws VALIDATION_FAILED when the order does not name every step exactly once
 */
export function reorderSteps(steps: readonly Step[], order: readonly string[]): Step[] {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const sorted = [...new Set(order)].flatMap((stepId) => byId.get(stepId) ?? []);
  if (sorted.length !== steps.length || order.length !== steps.length) {
    throw invalid("orderedStepIds", "must name every step of the sequence once", "NO_PERMUTATION");
  }
  return sorted.map((step, index) => ({ ...step, order: index + 1, threadMode: index === 0 ? "NEW_THREAD" : step.threadMode }));
}

/**
 * Where recipients who wait for a removed step continue (rules/states 3.4): at the first later step that was not before the removed one, so
 * that nobody
 * receives a mail twice; null ends the sequence for them. The map contains only removed steps.
 */
export function successorsOfRemovedSteps(before: readonly Step[], after: readonly Step[]): Map<string, string | null> {
  const places = new Map(before.map(({ stepId }, index) => [stepId, index]));
  const left = new Set(after.map(({ stepId }) => stepId));
  const moved = new Map<string, string | null>();
  for (const [place, { stepId }] of before.entries()) {
    if (left.has(stepId)) continue;
    const previous = before.slice(0, place).findLast((step) => left.has(step.stepId))?.stepId;
    const behind = after.slice(after.findIndex((step) => step.stepId === previous) + 1);
    moved.set(stepId, behind.find((step) => (places.get(step.stepId) ?? place + 1) > place)?.stepId ?? null);
  }
  return moved;
}
