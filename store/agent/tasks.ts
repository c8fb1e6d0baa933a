import { MINUTE_MS } from "../../domain/time/durations.ts";
import { AgentTask } from "../../models/agent-task.ts";
import { trusted } from "../../mongo/collection.ts";

/** Longer than one attempt with all its waits, so that what is under way is left alone. */
const FORGOTTEN_MS = 2 * MINUTE_MS;

/** Mails that the agent has not looked at to the end, in all workspaces. A run that waits for its model is joined. */
export function findForgottenTasks(most: number): Promise<Pick<AgentTask, "workspaceId" | "_id">[]> {
  const since = trusted({ $lt: new Date(Date.now() - FORGOTTEN_MS) });
  return AgentTask.find({ status: "QUEUED", updatedAt: since }, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(most)
    .lean<Pick<AgentTask, "workspaceId" | "_id">[]>()
    .exec();
}
