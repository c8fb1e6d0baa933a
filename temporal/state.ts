import type { Client } from "@temporalio/client";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import { isPolling } from "./missing.ts";

/** Temporal as an operator wants to know it. */
export interface EngineState {
  version: string | null;
  namespace: string;
  queues: QueueState[];
}

/** One queue. Its tasks are those of workflows and of activities together; numbers are what the server estimates. */
interface QueueState {
  name: Queue;
  backlog: number;
  /** How long the oldest task waits, in milliseconds; zero while none does. */
  oldestMs: number;
  pollers: number;
}

/** Milliseconds for all questions together, since a person waits for the answer. */
const ASK_MS = 2_000;
const TYPES = [1, 2]; // temporal.api.enums.v1.TaskQueueType: WORKFLOW, ACTIVITY

/** What the server says of itself and of our queues; null while it does not answer. */
export async function loadEngineState(client: Client | null): Promise<EngineState | null> {
  if (client === null) return null;
  const { namespace } = client.options;
  try {
    return await client.withDeadline(Date.now() + ASK_MS, async () => {
      const [{ serverVersion }, ...queues] = await Promise.all([
        client.workflowService.getSystemInfo({}),
        ...QUEUES.map((queue) => loadQueue(client, queue)),
      ]);
      return { version: serverVersion ?? null, namespace, queues };
    });
  } catch {
    return null;
  }
}

async function loadQueue({ workflowService, options: { namespace } }: Client, name: Queue): Promise<QueueState> {
  const parts = await Promise.all(
    TYPES.map((taskQueueType) => workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType, reportStats: true })),
  );
  const ages = parts.map(({ stats }) => {
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
    return Number(seconds ?? 0) * 1_000 + Math.round(Number(nanos ?? 0) / 1e6);
  });
  const identities = parts.flatMap(({ pollers }) => (pollers ?? []).filter(isPolling).map(({ identity }) => identity ?? ""));
  return {
    name,
    backlog: parts.reduce((sum, { stats }) => sum + Number(stats?.approximateBacklogCount ?? 0), 0),
    oldestMs: Math.max(...ages),
    pollers: new Set(identities).size,
  };
}
