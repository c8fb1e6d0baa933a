import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { models as agentModels } from "./models.ts";
import * as agentSettings from "./settings.ts";

export const agentDeclaration = {
  verbs: {
    "agent.getSettings": agentSettings.get,
    "agent.updateSettings": agentSettings.update,
    "agent.listModels": agentModels,
  },
  routes: [
    ["get", "/agent/settings", agentSettings.get],
    ["patch", "/agent/settings", agentSettings.update],
    ["get", "/agent/models", agentModels],
  ],
  tools: {
    agent: {
      agent_settings: {
        operation: choice(
          "inbox:read",
          "Read or change how the inbox agent works",
          { get: agentSettings.get, update: agentSettings.update },
          "get",
        ),
        title: "Inbox agent",
        destructive: true,
        idempotent: true,
        when: "The agent, when enabled, drafts answers to replies. APPROVE: a person decides; AUTO sends, so only a credential that sends directly and has inbox:send may set it.",
      },
      agent_models_list: {
        operation: agentModels,
        title: "Inbox agent models",
        readOnly: true,
        untrusted: true,
        when: "Ids for `modelId` of agent_settings, as the model server lists them now. Without a model server: PROVIDER_NOT_CONFIGURED.",
      },
    },
  },
  examples: {
    sending: [
      {
        at: "patch /agent/settings",
        title: "Configure drafts of the agent",
        body: {
          settings: {
            mode: "APPROVE",
            tone: "Short and warm",
            knowledge: ["Prices: https://www.example.com/prices"],
            dailyLimit: 10,
          },
        },
      },
    ],
  },
} as const satisfies Declaration;
