/** What the inbox agent and its workflows agree on. It imports nothing, because it is part of the workflow bundle. */

export interface AgentReplyIds {
  v: 1;
  workspaceId: string;
  /** The email that arrived, or the promise that is due. Each has only one run. */
  messageId: string;
}

export interface AgentModelsIds {
  v: 1;
  workspaceId: string;
  /** Distinguishes this question from others. */
  questionId: string;
}

/** `unanswered`: the model did not answer, or not as asked, and the task says why. */
export type AgentReplyOutcome = { kind: "settled" | "skipped" | "unanswered" };

/** How it ended. Which models a server has is not a workspace's data, so the run may carry it. */
export type AgentModelsOutcome =
  | { kind: "answered"; models: { id: string; name: string }[] }
  | { kind: "trouble"; code: string };

/**
 * A model has `timeoutMs` for one answer. It is asked at most twice in one attempt, and while it is away again for
 * about half an hour.
 */
export const AGENT_REPLY = {
  workflow: "agentReply",
  timeoutMs: 60_000,
  startToCloseTimeout: "150s",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "5m", maximumAttempts: 14 },
} as const;

/** `callerMs` is how long the caller waits: a little longer than one attempt takes. */
export const AGENT_MODELS = {
  workflow: "listAgentModels",
  startToCloseTimeout: "20s",
  timeoutMs: 15_000,
  callerMs: 22_000,
} as const;
