import { isCancellation, proxyActivities } from "@temporalio/workflow";
import type { AgentReplyActivities } from "../activities/agent/draft-reply.ts";
import type { AgentModelsActivities } from "../activities/agent/list-models.ts";
import {
  AGENT_MODELS,
  AGENT_REPLY,
  type AgentModelsIds,
  type AgentModelsOutcome,
  type AgentReplyIds,
  type AgentReplyOutcome,
} from "../domain/agent/contract.ts";
import { RECORDS } from "../domain/workflow-contract.ts";

const { startToCloseTimeout, heartbeatTimeout, retry } = AGENT_REPLY;
const { draftAgentReply } = proxyActivities<AgentReplyActivities>({
  taskQueue: "webhook",
  startToCloseTimeout,
  heartbeatTimeout,
  retry,
});
const { giveUpAgentReply } = proxyActivities<AgentReplyActivities>({ ...RECORDS, taskQueue: "webhook" });
const { readAgentModels } = proxyActivities<AgentModelsActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: AGENT_MODELS.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Asks the model about one email. The run ends with the draft; the person's decision happens outside of it. */
export async function agentReply(ids: AgentReplyIds): Promise<AgentReplyOutcome> {
  try {
    return await draftAgentReply(ids);
  } catch (err) {
    if (isCancellation(err)) throw err;
    await giveUpAgentReply(ids);
    return { kind: "unanswered" };
  }
}

/** Asks the model server once for its models, while a caller waits. */
export async function listAgentModels(ids: AgentModelsIds): Promise<AgentModelsOutcome> {
  return readAgentModels(ids);
}
