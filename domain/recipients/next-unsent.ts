import type { Step } from "../sequences/sequence.ts";
import type { SendState } from "../states.ts";

/** Never again for this recipient: it went out, or may have (B4). */
const SPENT: readonly SendState[] = ["SENDING", "SENT", "BOUNCED", "UNKNOWN"];

/** The step at which a recipient goes on who comes back: the first after the last sent one that has not gone out; null after the last. */
export function nextUnsent(
  steps: readonly Step[],
  currentStepId: string | null,
  sends: readonly { stepId: string | null; state: SendState }[],
): string | null {
  const spent = new Set(sends.filter(({ state }) => SPENT.includes(state)).map(({ stepId }) => stepId));
  const last = steps.findLastIndex(({ stepId }) => stepId === currentStepId || spent.has(stepId));
  return steps[last + 1]?.stepId ?? null;
}
