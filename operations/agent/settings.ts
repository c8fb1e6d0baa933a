import { z } from "zod";
import { AGENT_MODES, NEVER_BY_MODEL, type AgentSettings as Settings } from "../../domain/agent/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { changeAgentSettings, loadAgentSettings } from "../../store/agent/settings.ts";
import { loadUsage, openUsage } from "../../store/agent/usage.ts";
import { type Context, lacks } from "../context.ts";
import { changing } from "../fields.ts";
import { operation } from "../operation.ts";

const written = (most: number) => z.string().trim().min(1).max(most).nullable();
const category = z
  .string()
  .trim()
  .min(1)
  .max(50)
  .refine((one) => !NEVER_BY_MODEL.includes(one), {
    message: "has effects beyond a label, so no model may set it",
    params: { code: "NOT_ALLOWED" },
  });

const fields = {
  enabled: z.boolean().describe("Whether the agent handles replies"),
  mode: z
    .enum(AGENT_MODES)
    .describe(
      "SUGGEST: the agent fills the draft of the thread; APPROVE: the agent asks a person before it sends; AUTO: the agent sends without asking, within `dailyLimit`",
    ),
  modelId: written(200).describe("The model that the agent uses; null: the default model of this deployment"),
  tone: written(500).describe("The tone of the agent's emails; null: the default tone"),
  instructions: written(10_000).describe("Instructions that the agent follows; never repeated in an email"),
  knowledge: z
    .array(z.string().trim().min(1).max(4_000))
    .max(50)
    .describe("Facts that the agent may state, and the only links that it may insert"),
  categories: z.array(category).min(1).max(30).describe("The categories that the agent may give to a reply"),
  dailyLimit: z
    .number()
    .int()
    .min(0)
    .max(1_000)
    .describe("The most emails a day that the agent sends without asking a person"),
  dailyTokenLimit: z.number().int().min(0).max(100_000_000).describe("The most tokens that the agent uses a day"),
  disclosure: written(500).describe("The last line of emails that the agent sends without asking a person; null: none"),
};

const AgentSettings = z
  .object({
    ...fields,
    categories: z.array(z.string()).describe("The categories that the agent may give to a reply"),
    isConfigured: z.boolean().describe("Whether this deployment has a model server"),
    usage: z
      .object({
        day: z.string().describe("Today in the workspace's time zone"),
        tokens: z
          .number()
          .int()
          .describe(
            "Tokens that count against `dailyTokenLimit`: those used, and those reserved for answers under way",
          ),
        inputTokens: z.number().int().describe("Tokens that the model read"),
        outputTokens: z.number().int().describe("Tokens that the model wrote"),
        cost: z.number().describe("The cost of the tokens in US dollars; 0 if the operator has set no prices"),
        sent: z.number().int().describe("Emails that the agent sent without asking a person"),
      })
      .describe("Usage today"),
  })
  .meta({ id: "AgentSettings", description: "How the inbox agent of the workspace works, and what it has used" });

export const get = operation({
  summary: "Read the settings of the inbox agent, and what it has used today",
  scope: "inbox:read",
  input: z.strictObject({}),
  output: AgentSettings,
  run: async (ctx) => shown(ctx, await loadAgentSettings(ctx.workspaceId)),
});

const Change = z.strictObject({
  enabled: fields.enabled.optional(),
  mode: fields.mode.optional(),
  modelId: fields.modelId.optional(),
  tone: fields.tone.optional(),
  instructions: fields.instructions.optional(),
  knowledge: fields.knowledge.optional(),
  categories: fields.categories.optional(),
  dailyLimit: fields.dailyLimit.optional(),
  dailyTokenLimit: fields.dailyTokenLimit.optional(),
  disclosure: fields.disclosure.optional(),
});

export const update = operation({
  summary: "Change how the inbox agent works; fields that you leave out stay the same",
  scope: "inbox:write",
  sometimesScopes: ["inbox:send"],
  errors: ["PROVIDER_NOT_CONFIGURED"],
  audits: "agent.updateSettings",
  effects: { SENDS: (_ctx, { settings }) => settings.mode === "AUTO", CHANGES_SENDING: true },
  input: z.strictObject({ settings: changing(Change).describe("The changes") }),
  output: AgentSettings,
  async run(ctx, { settings }) {
    const change = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
    const after = await inTransaction(async () => {
      const changed = await changeAgentSettings(ctx.workspaceId, change);
      refuseUnlessAllowed(ctx, changed);
      return changed;
    });
    return shown(ctx, after);
  },
});

/**
 * An agent that sends by itself follows these settings and sends emails that no plan shows. So a caller who changes
 * them must be allowed to send without a plan (rules/agent 2.2).
 */
function refuseUnlessAllowed(ctx: Context, { enabled, mode, modelId }: Settings): void {
  if (!enabled) return;
  const { hasAgent, agentModel } = ctx.services.settings;
  if (!hasAgent) throw notConfigured("AGENT_URL", "This deployment has no model server");
  if (modelId === null && agentModel === null)
    throw notConfigured("AGENT_MODEL", "Name a `modelId`: this deployment has no default model");
  if (mode !== "AUTO") return;
  if (!ctx.scopes.has("inbox:send")) throw lacks("inbox:send");
}

export function notConfigured(setting: string, message: string): AppError {
  return new AppError("PROVIDER_NOT_CONFIGURED", `${message} (${setting})`, { setting });
}

async function shown({ workspaceId, services }: Context, settings: Settings) {
  const today = await openUsage(workspaceId);
  const { costMicros, ...used } = await loadUsage(today);
  return {
    ...settings,
    isConfigured: services.settings.hasAgent,
    usage: { ...used, day: today.day, cost: costMicros / 1_000_000 },
  };
}
