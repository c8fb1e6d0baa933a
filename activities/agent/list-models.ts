import { modelServer } from "../../connectors/agent-model.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { AGENT_MODELS, type AgentModelsIds, type AgentModelsOutcome } from "../../domain/agent/contract.ts";
import { ModelTrouble } from "../../domain/agent/model-access.ts";
import type { AgentDeps } from "./draft-reply.ts";

export interface AgentModelsActivities {
  readAgentModels(ids: AgentModelsIds): Promise<AgentModelsOutcome>;
}

/** The activity that asks a model server for its models. A fault is returned as an outcome, not thrown. */
export function agentModelsActivities({ egress, agent, log }: Omit<AgentDeps, "readBusy">): AgentModelsActivities {
  return {
    async readAgentModels({ workspaceId }) {
      if (agent === null) return { kind: "trouble", code: "UNAVAILABLE" };
      try {
        return { kind: "answered", models: await modelServer(egress, agent, AGENT_MODELS.timeoutMs).models() };
      } catch (err) {
        if (!(err instanceof ModelTrouble)) throw err;
        log.warn(
          { err, code: err.code, workspaceId, why: whyUnreached(err) },
          "the model server did not list its models",
        );
        return { kind: "trouble", code: err.code };
      }
    },
  };
}
