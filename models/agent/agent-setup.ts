import type { AgentSettings } from "../../domain/agent/settings.ts";
import { type Owned, tenantModel } from "../../mongo/schema.ts";

/** What a workspace has set about its inbox agent; the rest is as usual. `_id` is the workspace's. */
export interface AgentSetup extends Owned {
  own: Partial<AgentSettings>;
}

export const AgentSetup = tenantModel<AgentSetup>("AgentSetup", "agent_settings", {
  own: { type: Object, required: true, default: {} },
});
