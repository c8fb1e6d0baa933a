import type { Step } from "../sequences/sequence.ts";
import type { SendState } from "../states.ts";

/**
 * A step with a send in one of these states is never sent to this recipient again: the mail was sent, or may have been (rules/sending 9.1).
 */
const SPENT: readonly SendState[] = ["SENDING", "SENT", "BOUNCED", "UNKNOWN"];

/** The step at which a returning recipient continues: the first unsent step after the last sent one; null after the last step. */
export function nextUnsent(
  steps: readonly Step[],
  currentStepId: string | null,
  sends: readonly { stepId: string | null; state: SendState }[],
): string | null {
  const spent = new Set(sends.filter(({ state }) => SPENT.includes(state)).map(({ stepId }) => stepId));
  const last = steps.findLastIndex(({ stepId }) => stepId === currentStepId || spent.has(stepId));
  return steps[last + 1]?.stepId ?? null;
}
