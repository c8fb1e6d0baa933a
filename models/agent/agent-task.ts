import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

export const AGENT_TASK_STATUSES = ["QUEUED", "DONE", "SKIPPED", "FAILED"] as const;

/**
 * An event that the inbox agent handles once: an email that arrived, or a promise that is due. `_id` is the id of that
 * email or promise.
 */
export interface AgentTask extends Owned {
  threadId: string;
  status: (typeof AGENT_TASK_STATUSES)[number];
  /** The outcome of the task, or the reason why it has none. */
  result: string | null;
  /** The approval that the agent requested; null: none. */
  approvalId: string | null;
}

export const AgentTask = tenantModel<AgentTask>(
  "AgentTask",
  "agent_tasks",
  { threadId: required, status: oneOf(AGENT_TASK_STATUSES, "QUEUED"), result: text, approvalId: text },
  [
    { fields: { workspaceId: 1, threadId: 1 } },
    // The reconciler finds stalled tasks of all workspaces in this index
    { fields: { updatedAt: 1 }, name: "under_way", where: { status: "QUEUED" } },
    { fields: { createdAt: 1 }, expireAfterSeconds: 90 * DAY_SECONDS },
  ],
);
