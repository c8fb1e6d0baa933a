import type { HadStep } from "../sequences/graph.ts";

/**
 * The steps that a recipient has had, oldest first. During an upgrade, processes of the previous release run at the
 * same time and record only the last step that was sent. That step is added if it is missing.
 */
export function hadOf({ had = [], currentStepId, lastSentAt }: Known): readonly HadStep[] {
  if (currentStepId === null || had.some(({ stepId }) => stepId === currentStepId)) return had;
  return [...had, { stepId: currentStepId, at: lastSentAt?.getTime() ?? 0 }];
}

interface Known {
  /** Recipients stored by earlier versions do not have this field. */
  had?: readonly HadStep[];
  currentStepId: string | null;
  lastSentAt: Date | null;
}
