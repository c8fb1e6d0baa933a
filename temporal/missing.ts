import type { Client } from "@temporalio/client";
import type { Missing } from "../domain/readiness.ts";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import { grpcCodeOf, unusableSearchAttributes } from "./search-attributes.ts";

/** Milliseconds for all questions together, since a person may be waiting. */
const ASK_MS = 2_000;
/** Milliseconds for which an answer is kept, so that frequent callers do not load the server. */
const KEPT_MS = 3_000;
/**
 * Milliseconds; an idle poller asks at least once a minute. Temporal lists pollers that have ended for five minutes.
 */
const SILENT_MS = 90_000;
const NOT_FOUND = 5; // of gRPC
const WORKFLOW = 1; // temporal.api.enums.v1.TaskQueueType
const ACTIVITY = 2;

const AWAY: Missing = {
  code: "ENGINE_UNREACHABLE",
  message: "The Temporal server does not answer. What is accepted meanwhile is done when it answers again",
};

/** Asks the server what the service still lacks there. Answers are kept for some seconds, failures to answer too. */
export function createMissingCheck(client: () => Client | null): () => Promise<Missing[]> {
  let lastAnswer: { at: number; asked: Client; found: Promise<Missing[]> } | null = null;
  return async () => {
    const temporal = client();
    if (temporal === null) return [AWAY];
    if (lastAnswer === null || lastAnswer.asked !== temporal || performance.now() - lastAnswer.at > KEPT_MS) {
      lastAnswer = { at: performance.now(), asked: temporal, found: findMissing(temporal).catch(() => [AWAY]) };
    }
    return lastAnswer.found;
  };
}

function findMissing(client: Client): Promise<Missing[]> {
  const { namespace } = client.options;
  return client.withDeadline(Date.now() + ASK_MS, async () => {
    try {
      await client.workflowService.describeNamespace({ namespace });
    } catch (error) {
      if (grpcCodeOf(error) !== NOT_FOUND) throw error;
      return [
        {
          code: "NAMESPACE_MISSING",
          message: "The Temporal server does not have the namespace that TEMPORAL_NAMESPACE names: create it",
        },
      ];
    }
    const [attributes, queues] = await Promise.all([unusableSearchAttributes(client), queuesWithoutWorker(client)]);
    return [...attributesMissing(attributes), ...workersMissing(queues)];
  });
}

function attributesMissing(names: readonly string[]): Missing[] {
  if (names.length === 0) return [];
  const help =
    "A worker registers them when it starts, if the Temporal server allows it; otherwise the operator of that server must";
  return [
    {
      code: "SEARCH_ATTRIBUTES_MISSING",
      message: `The Temporal server lacks the search attributes ${names.join(", ")}. ${help}`,
    },
  ];
}

function workersMissing(queues: readonly Queue[]): Missing[] {
  if (queues.length === 0) return [];
  return [
    { code: "NO_WORKER", message: `No worker works on the queues ${queues.join(", ")}: start one with WORKER_QUEUES` },
  ];
}

async function queuesWithoutWorker(client: Client): Promise<Queue[]> {
  const polled = await Promise.all(QUEUES.map((queue) => isPolled(client, queue)));
  return QUEUES.filter((_, index) => !polled[index]);
}

async function isPolled({ workflowService, options: { namespace } }: Client, queue: Queue): Promise<boolean> {
  const types = queue === "engine" ? [WORKFLOW, ACTIVITY] : [ACTIVITY];
  const described = await Promise.all(
    types.map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: queue }, taskQueueType }),
    ),
  );
  return described.every(({ pollers }) => (pollers ?? []).some(isPolling));
}

/** Whether a poller that the server lists still asks for work. */
export function isPolling({ lastAccessTime }: { lastAccessTime?: { seconds?: unknown } | null }): boolean {
  return Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000 < SILENT_MS;
}
