/**
 * Names, types and limits that a query to a lead provider and its workflow share. This file imports nothing, because it
 * is part of the workflow bundle.
 */

export interface QuestionIds {
  v: 1;
  workspaceId: string;
  /** The id under which first the question and then the answer are stored. */
  questionId: string;
}

/** How the query ended. The provider's answer itself is stored for the caller. */
export type QuestionOutcome =
  | { kind: "answered" }
  | { kind: "trouble"; code: string; retryAfterSeconds: number | null };

/** `callerMs` is how long the caller waits: a little longer than one attempt takes. */
export const QUESTION = {
  workflow: "askLeadSearch",
  startToCloseTimeout: "26s",
  timeoutMs: 22_000,
  callerMs: 28_000,
} as const;
