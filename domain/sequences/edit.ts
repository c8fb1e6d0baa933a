import { isDeepStrictEqual } from "node:util";
import { invalid } from "../errors.ts";
import { type Delay, type Step, stepOf } from "./sequence.ts";

/**
 * The steps in another order. The first step opens a thread.
 * @throws VALIDATION_FAILED when the order does not name every step exactly once
 */
export function reorderSteps(steps: readonly Step[], order: readonly string[]): Step[] {
  const byId = new Map(steps.map((step) => [step.stepId, step]));
  const sorted = [...new Set(order)].flatMap((stepId) => byId.get(stepId) ?? []);
  if (sorted.length !== steps.length || order.length !== steps.length) {
    throw invalid("orderedStepIds", "must name every step of the sequence exactly once", "NO_PERMUTATION");
  }
  return sorted.map((step, index) => ({
    ...step,
    order: index + 1,
    threadMode: index === 0 ? "NEW_THREAD" : step.threadMode,
  }));
}

/** Whether an edit may change which step comes next for someone. A change of texts and delays does not. */
export function leadsElsewhere(before: readonly Step[], after: readonly Step[]): boolean {
  const way = (steps: readonly Step[]) => steps.map(({ stepId, type, conditions }) => ({ stepId, type, conditions }));
  return !isDeepStrictEqual(way(before), way(after));
}

/** The changes of an edit that have not been applied to waiting recipients yet (rules/states 3.4). */
export interface UnsettledEdit {
  /** The version of the sequence after the last of these edits. */
  version: number;
  /** Whether the edit may change which step comes next for a recipient. */
  isMoving: boolean;
  delays: ChangedDelay[];
}

/** A step whose delay was changed, for the recipients who were waiting for it. */
export interface ChangedDelay {
  stepId: string;
  before: Delay;
  /**
   * KEEP: they keep the old delay. SHORTEN: they take an earlier slot if one is free. BOOK_ANEW: their slots are
   * released and new ones are booked.
   */
  how: "KEEP" | "SHORTEN" | "BOOK_ANEW";
}

/** The steps whose delays differ, and what happens to the recipients who wait for them. */
export function changedDelays(before: readonly Step[], after: readonly Step[], keepsBooked: boolean): ChangedDelay[] {
  return after.flatMap(({ stepId, delay }): ChangedDelay[] => {
    const old = stepOf(before, stepId)?.delay;
    if (old === undefined || isDeepStrictEqual(old, delay)) return [];
    const how = keepsBooked ? "KEEP" : old.unit === delay.unit && delay.value < old.value ? "SHORTEN" : "BOOK_ANEW";
    return [{ stepId, before: old, how }];
  });
}

/**
 * Combines an edit with an earlier one that has not been applied to the recipients yet. If either of them releases
 * slots, the result does too.
 */
export function withEdit(unsettled: UnsettledEdit | null, edit: UnsettledEdit): UnsettledEdit {
  if (unsettled === null) return edit;
  const delays = new Map(unsettled.delays.map((change) => [change.stepId, change]));
  for (const change of edit.delays) {
    const earlier = delays.get(change.stepId);
    const isSame = earlier === undefined || earlier.how === change.how;
    delays.set(change.stepId, { ...(earlier ?? change), how: isSame ? change.how : "BOOK_ANEW" });
  }
  return { ...edit, isMoving: unsettled.isMoving || edit.isMoving, delays: [...delays.values()] };
}
