import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

export const AGENT_TASK_STATUSES = ["QUEUED", "DONE", "SKIPPED", "FAILED"] as const;

/**
 * What the inbox agent looks at, once: an email that came in, or a promise that is due. `_id` is that of the one or the
 * other.
 */
export interface AgentTask extends Owned {
  threadId: string;
  status: (typeof AGENT_TASK_STATUSES)[number];
  /** What came of it, or why nothing did. */
  result: string | null;
  /** The approval that it raised; null: none. */
  approvalId: string | null;
}

export const AgentTask = tenantModel<AgentTask>(
  "AgentTask",
  "agent_tasks",
  { threadId: required, status: oneOf(AGENT_TASK_STATUSES, "QUEUED"), result: text, approvalId: text },
  [
    { fields: { workspaceId: 1, threadId: 1 } },
    // The reconciler looks for those that stand still, whatever the workspace
    { fields: { updatedAt: 1 }, name: "under_way", where: { status: "QUEUED" } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS },
  ],
);
