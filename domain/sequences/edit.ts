import { isDeepStrictEqual } from "node:util";
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

/** Whether an edit may change which step comes next for somebody: its texts and delays do not. */
export function leadsElsewhere(before: readonly Step[], after: readonly Step[]): boolean {
  const way = (steps: readonly Step[]) => steps.map(({ stepId, type, conditions }) => ({ stepId, type, conditions }));
  return !isDeepStrictEqual(way(before), way(after));
}
