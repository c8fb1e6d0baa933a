import type { Client } from "@temporalio/client";
import type { Missing } from "../domain/readiness.ts";
import type { Queue } from "../domain/workflow-contract.ts";
import { loadNamespace } from "./namespace.ts";
import { loadPolling } from "./polling.ts";
import { unusableSearchAttributes } from "./search-attributes.ts";

/** The time limit for all requests together in milliseconds, since a person may be waiting. */
const ASK_MS = 2_000;
/** For how many milliseconds an answer is cached, so that frequent callers do not load the server. */
const KEPT_MS = 3_000;

const AWAY: Missing = {
  code: "ENGINE_UNREACHABLE",
  message: "The Temporal server does not answer. Accepted work is done when the server answers again",
};

/** Checks what is missing on the Temporal server. Answers are cached for some seconds, including failures. */
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
  return client.withDeadline(Date.now() + ASK_MS, async () => {
    if ((await loadNamespace(client)) === null) {
      return [
        {
          code: "NAMESPACE_MISSING",
          message: "The Temporal server does not have the namespace in TEMPORAL_NAMESPACE: create it",
        },
      ];
    }
    const [attributes, queues] = await Promise.all([unusableSearchAttributes(client), findUnpolled(client)]);
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
    { code: "NO_WORKER", message: `No worker polls the queues ${queues.join(", ")}: start one with WORKER_QUEUES` },
  ];
}

async function findUnpolled(client: Client): Promise<Queue[]> {
  return (await loadPolling(client)).flatMap(({ queue, isPolled }) => (isPolled ? [] : [queue]));
}
