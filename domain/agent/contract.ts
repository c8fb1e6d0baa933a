/** What the inbox agent and its workflows agree on. It imports nothing, because it is part of the workflow bundle. */

export interface AgentReplyIds {
  v: 1;
  workspaceId: string;
  /** The mail that came in, or the promise that is due. The run is the same for the same one. */
  messageId: string;
}

export interface AgentModelsIds {
  v: 1;
  workspaceId: string;
  /** Tells one question from another. */
  questionId: string;
}

/** `unanswered`: the model did not answer, or not as asked, and the task says why. */
export type AgentReplyOutcome = { kind: "settled" | "skipped" | "unanswered" };

/** How it ended. Which models a server has is no workspace's data, so the run may carry it. */
export type AgentModelsOutcome =
  | { kind: "answered"; models: { id: string; name: string }[] }
  | { kind: "trouble"; code: string };

/**
 * A model has `timeoutMs` for one answer, is asked twice at most in one attempt, and again for about half an hour while
 * it is away.
 */
export const AGENT_REPLY = {
  workflow: "agentReply",
  timeoutMs: 60_000,
  startToCloseTimeout: "150s",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "5m", maximumAttempts: 14 },
} as const;

/** `callerMs`, how long the caller waits, is a little longer than one attempt takes. */
export const AGENT_MODELS = {
  workflow: "listAgentModels",
  startToCloseTimeout: "20s",
  timeoutMs: 15_000,
  callerMs: 22_000,
} as const;
