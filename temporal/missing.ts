import type { Client } from "@temporalio/client";
import type { Missing } from "../domain/readiness.ts";
import { type Deployment, loadDeployment, queuesWithout, versionsWithWork } from "./deployment.ts";
import { loadNamespace } from "./namespace.ts";
import { loadPolling, type Polling } from "./polling.ts";
import { unusableSearchAttributes } from "./search-attributes.ts";

/** The time limit for all requests together in milliseconds, since a person may be waiting. */
const ASK_MS = 2_000;
/** The limit of the request for the versions of the workers, without which the rest can be answered. */
const VERSIONS_MS = 1_000;
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
    const [attributes, polling, deployment] = await Promise.all([
      unusableSearchAttributes(client),
      loadPolling(client),
      deploymentOrNull(client),
    ]);
    return [...attributesMissing(attributes), ...workersMissing(polling, deployment)];
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

/**
 * Null when there is none, and when the server refuses or is slow to describe it: it answers other requests, and then
 * workers of any version count.
 */
function deploymentOrNull(client: Client): Promise<Deployment | null> {
  return loadDeployment(client, VERSIONS_MS).catch(() => null);
}

function workersMissing(polling: readonly Polling[], deployment: Deployment | null): Missing[] {
  const unpolled = polling.flatMap(({ queue, isPolled }) => (isPolled ? [] : [queue]));
  if (unpolled.length > 0)
    return [
      { code: "NO_WORKER", message: `No worker polls the queues ${unpolled.join(", ")}: start one with WORKER_QUEUES` },
    ];
  if (deployment === null) return [];
  for (const version of versionsWithWork(deployment)) {
    const queues = queuesWithout(polling, version);
    if (queues.length === 0) continue;
    const who =
      version === null
        ? "No version is current, and no worker without a version"
        : `No worker of version ${version}, which gets work,`;
    const help = "start one, or give the work to a version that has workers: `npm run deployment -- current`";
    return [{ code: "NO_WORKER", message: `${who} polls the queues ${queues.join(", ")}: ${help}` }];
  }
  return [];
}
