import { z } from "zod";
import { AGENT_MODELS, type AgentModelsOutcome } from "../../domain/agent/contract.ts";
import { AppError } from "../../domain/errors.ts";
import { newId } from "../../mongo/ids.ts";
import { agentModelsRun } from "../../temporal/runs.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { notConfigured } from "./settings.ts";

export const models = operation({
  summary: "List the models that the inbox agent may use",
  scope: "inbox:read",
  errors: ["PROVIDER_NOT_CONFIGURED", "SERVICE_UNAVAILABLE"],
  input: z.strictObject({}),
  output: z.object({
    items: z
      .array(
        z.object({
          id: z.string().describe("The value for `modelId` of the settings"),
          name: z.string().describe("The name that the server uses"),
          available: z.boolean().describe("Whether the server lists it now"),
        }),
      )
      .describe("The models of the server, by their ids"),
    defaultModelId: nullable(z.string()).describe("The default model; null: each workspace sets its own"),
  }),
  async run({ workspaceId, services }) {
    const { engine, settings } = services;
    if (!settings.hasAgent) throw notConfigured("AGENT_URL", "This deployment has no model server");
    if (!(await engine.isReachable())) throw unavailable("The workflow engine cannot be reached: try again");
    const run = agentModelsRun({ v: 1, workspaceId, questionId: newId("job") });
    const outcome = await engine.execute<AgentModelsOutcome>(run, AGENT_MODELS.callerMs);
    if (outcome.kind === "trouble") {
      if (outcome.code === "KEY_REFUSED")
        throw notConfigured("AGENT_KEY", "The model server refuses the key of this deployment");
      throw unavailable("The model server gave an invalid response: try again");
    }
    const { agentModel: defaultModelId } = settings;
    const listed = outcome.models.map((model) => ({ ...model, available: true }));
    const isListed = defaultModelId === null || listed.some(({ id }) => id === defaultModelId);
    const items = [...listed, ...(isListed ? [] : [{ id: defaultModelId, name: defaultModelId, available: false }])];
    return { items: items.sort((one, other) => (one.id < other.id ? -1 : 1)), defaultModelId };
  },
});

function unavailable(message: string): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 5 });
}
