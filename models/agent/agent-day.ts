import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, required, tenantModel } from "../../mongo/schema.ts";

/** What the inbox agent has used and sent on one day (YYYY-MM-DD) of the workspace. `_id` is workspace and day. */
export interface AgentDay extends Owned {
  day: string;
  /** Tokens that were used, plus those reserved for answers in progress. */
  tokens: number;
  inputTokens: number;
  outputTokens: number;
  /** Cost in millionths of a US dollar; 0 where no price is configured. */
  costMicros: number;
  /** Emails that the agent sent without approval. */
  sent: number;
}

export const AgentDay = tenantModel<AgentDay>(
  "AgentDay",
  "agent_days",
  { day: required, tokens: counter, inputTokens: counter, outputTokens: counter, costMicros: counter, sent: counter },
  [{ fields: { workspaceId: 1, day: -1 } }, { fields: { createdAt: 1 }, expireAfterSeconds: 400 * DAY_SECONDS }],
);
