import { type AgentSettings, agentSettingsOf } from "../../domain/agent/settings.ts";
import { scoped } from "../../models/scoped.ts";

/** The inbox agent settings of a workspace, with defaults for everything that the workspace has not changed. */
export async function loadAgentSettings(workspaceId: string): Promise<AgentSettings> {
  return agentSettingsOf((await scoped(workspaceId).AgentSetup.get(workspaceId))?.own ?? {});
}

/** Changes the given settings and keeps the others. Returns the settings after the change. Call it in a transaction. */
export async function changeAgentSettings(workspaceId: string, change: Partial<AgentSettings>): Promise<AgentSettings> {
  const { AgentSetup } = scoped(workspaceId);
  const own = { ...(await AgentSetup.get(workspaceId))?.own, ...change };
  await AgentSetup.updateOne({ _id: workspaceId }, { $set: { own } }, { upsert: true });
  return agentSettingsOf(own);
}

/**
 * Reads the settings for a decision. In AUTO mode it also writes the document, so that a change at the same moment
 * conflicts and nothing is decided by settings that someone has withdrawn (rules/agent 2.5). Call it in a transaction.
 */
export async function holdAgentSettings(workspaceId: string): Promise<AgentSettings> {
  const { AgentSetup } = scoped(workspaceId);
  const own = (await AgentSetup.get(workspaceId))?.own ?? {};
  if (own.mode === "AUTO") await AgentSetup.touch(workspaceId);
  return agentSettingsOf(own);
}
