import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** What the inbox agent has used and sent on a day of the workspace, YYYY-MM-DD. `_id` is workspace and day. */
export interface AgentDay extends Owned {
  day: string;
  /** Tokens used, and those set aside for answers under way. */
  tokens: number;
  inputTokens: number;
  outputTokens: number;
  /** In millionths of a US dollar; 0 where no price is set. */
  costMicros: number;
  /** Emails that it sent by itself. */
  sent: number;
}

export const AgentDay = tenantModel<AgentDay>(
  "AgentDay",
  "agent_days",
  { day: required, tokens: counter, inputTokens: counter, outputTokens: counter, costMicros: counter, sent: counter },
  [{ fields: { workspaceId: 1, day: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 400 * DAY_SECONDS }],
);
