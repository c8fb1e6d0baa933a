import type { HadStep } from "../sequences/graph.ts";

/**
 * What a recipient has had, in the order of time. A process of the release before runs beside this one during an
 * upgrade, and records only which step it sent last.
 */
export function hadOf({ had = [], currentStepId, lastSentAt }: Known): readonly HadStep[] {
  if (currentStepId === null || had.some(({ stepId }) => stepId === currentStepId)) return had;
  return [...had, { stepId: currentStepId, at: lastSentAt?.getTime() ?? 0 }];
}

interface Known {
  /** Recipients of earlier versions have none. */
  had?: readonly HadStep[];
  currentStepId: string | null;
  lastSentAt: Date | null;
}
