/**
 * Names, types and limits that the inbox agent and its workflows share. This file imports nothing, because it is part
 * of the workflow bundle.
 */

export interface AgentReplyIds {
  v: 1;
  workspaceId: string;
  /** The id of the email that arrived, or of the promise that is due. There is only one run for each. */
  messageId: string;
}

export interface AgentModelsIds {
  v: 1;
  workspaceId: string;
  /** Distinguishes this question from others. */
  questionId: string;
}

/** `unanswered`: the model did not answer, or not in the required form; the task contains the reason. */
export type AgentReplyOutcome = { kind: "settled" | "skipped" | "unanswered" };

/** The list of models, or why it could not be read. The list is not workspace data, so the workflow may contain it. */
export type AgentModelsOutcome =
  | { kind: "answered"; models: { id: string; name: string }[] }
  | { kind: "trouble"; code: string };

/**
 * A model has `timeoutMs` for one answer. One attempt asks it at most twice. If the model server is unreachable,
 * attempts are repeated for about half an hour.
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
