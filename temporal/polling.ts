import type { Client } from "@temporalio/client";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";

/**
 * After how many silent milliseconds a poller counts as ended. An idle poller polls at least once a minute, and
 * Temporal lists ended pollers for five minutes.
 */
const SILENT_MS = 90_000;
const WORKFLOW = 1; // temporal.api.enums.v1.TaskQueueType
const ACTIVITY = 2;

/** Whether workers poll a queue for every kind of task that it has. */
export interface Polling {
  queue: Queue;
  isPolled: boolean;
  /** The build ids of the versions whose workers do; null stands for workers without a version. */
  builds: readonly (string | null)[];
  /** The same for workers that poll for at least one kind. */
  someBuilds: readonly (string | null)[];
  /** The newest poll by the clock of the Temporal server; null when it lists no poller. */
  lastPollMs: number | null;
}

/** The polling of every queue, in their order. */
export function loadPolling(client: Client): Promise<Polling[]> {
  return Promise.all(QUEUES.map((queue) => loadOne(client, queue)));
}

async function loadOne({ workflowService, options: { namespace } }: Client, queue: Queue): Promise<Polling> {
  const types = queue === "engine" ? [WORKFLOW, ACTIVITY] : [ACTIVITY];
  const described = await Promise.all(
    types.map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType }),
    ),
  );
  const polls = described.flatMap(({ pollers }) => (pollers ?? []).map(pollMsOf));
  const builds = described.map(({ pollers }) => new Set((pollers ?? []).filter(isPolling).map(buildOf)));
  return {
    queue,
    isPolled: builds.every(({ size }) => size > 0),
    builds: [...(builds[0] ?? [])].filter((build) => builds.every((others) => others.has(build))),
    someBuilds: [...new Set(builds.flatMap((some) => [...some]))],
    lastPollMs: polls.length === 0 ? null : Math.max(...polls),
  };
}

interface Poller {
  lastAccessTime?: { seconds?: unknown; nanos?: unknown } | null;
  deploymentOptions?: { buildId?: string | null; workerVersioningMode?: unknown } | null;
}

const VERSIONED = 2; // temporal.api.enums.v1.WorkerVersioningMode

/** The version of a worker; null for a worker without one. */
function buildOf({ deploymentOptions }: Poller): string | null {
  return deploymentOptions?.workerVersioningMode === VERSIONED ? (deploymentOptions.buildId ?? null) : null;
}

/** Whether a poller that the server lists still polls for tasks. */
export function isPolling(poller: Poller): boolean {
  return Date.now() - pollMsOf(poller) < SILENT_MS;
}

function pollMsOf({ lastAccessTime }: Poller): number {
  return Number(lastAccessTime?.seconds ?? 0) * 1_000 + Math.round(Number(lastAccessTime?.nanos ?? 0) / 1e6);
}
