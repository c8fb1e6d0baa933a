import { type AgentSettings, agentSettingsOf } from "../../domain/agent/settings.ts";
import { scoped } from "../../models/scoped.ts";

/** The inbox agent's settings of a workspace, with the defaults where it has set nothing. */
export async function loadAgentSettings(workspaceId: string): Promise<AgentSettings> {
  return agentSettingsOf((await scoped(workspaceId).AgentSetup.get(workspaceId))?.own ?? {});
}

/** Changes what is named and keeps the rest. Returns the settings as they are then. Call it in a transaction. */
export async function changeAgentSettings(workspaceId: string, change: Partial<AgentSettings>): Promise<AgentSettings> {
  const { AgentSetup } = scoped(workspaceId);
  const own = { ...(await AgentSetup.get(workspaceId))?.own, ...change };
  await AgentSetup.updateOne({ _id: workspaceId }, { $set: { own } }, { upsert: true });
  return agentSettingsOf(own);
}

/**
 * Reads the settings by which something is decided now. Where the agent sends by itself, a change at the same moment
 * conflicts here, so nothing is decided by settings that someone has withdrawn (rules/agent 2.5). Call it in a
 * transaction.
 */
export async function holdAgentSettings(workspaceId: string): Promise<AgentSettings> {
  const { AgentSetup } = scoped(workspaceId);
  const own = (await AgentSetup.get(workspaceId))?.own ?? {};
  if (own.mode === "AUTO") await AgentSetup.touch(workspaceId);
  return agentSettingsOf(own);
}
