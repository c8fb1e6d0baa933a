import type { AgentSettings } from "../../domain/agent/settings.ts";
import { type Owned, tenantModel } from "../../mongo/schema.ts";

/** The inbox agent settings that a workspace has changed. The others have their defaults. `_id` is the workspace's. */
export interface AgentSetup extends Owned {
  own: Partial<AgentSettings>;
}

export const AgentSetup = tenantModel<AgentSetup>("AgentSetup", "agent_settings", {
  own: { type: Object, required: true, default: {} },
});
