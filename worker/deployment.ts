import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import type { Log } from "../runtime/log.ts";
import {
  DEPLOYMENT,
  type Deployment,
  loadDeployment,
  queuesWithout,
  setCurrentVersion,
  type VersionFailure,
} from "../temporal/deployment.ts";
import { loadPolling } from "../temporal/polling.ts";
import { refusalOf } from "../temporal/search-attributes.ts";

const RETRY_MS = 250;
/** Milliseconds after which the log reports why the version is not current yet. */
const SILENT_MS = 30_000;
const CALL_MS = 5_000;
const FOLLOW_MS = 5_000;
/** Milliseconds for which a queue of the current version has no worker until a version with workers succeeds it. */
const UNSERVED_MS = 30_000;

interface Candidate {
  /** Null while Temporal is unreachable. */
  client: () => Client | null;
  buildId: string;
  log: Log;
  stopping: AbortSignal;
}

/**
 * Makes this build the current version, which gets all workflow runs, also those started under other versions. The
 * server accepts it once this build polls every queue of the previous version, so that no work is left without a
 * worker. Resolves when it is current, when the server refuses permanently, or at shutdown.
 */
export async function makeCurrent({ client, buildId, log, stopping }: Candidate): Promise<void> {
  const started = performance.now();
  let isSilent = true;
  while (!stopping.aborted) {
    const temporal = client();
    const failure = temporal === null ? AWAY : await setCurrentVersion(temporal, buildId);
    if (failure === null) return;
    const { refusal, details } = failure;
    if (refusal !== null) {
      reportRefusal(log, buildId, refusal);
      return;
    }
    if (isSilent && performance.now() - started > SILENT_MS) {
      isSilent = false;
      log.warn(
        { buildId, details },
        "The previous version keeps the work until workers of this version poll all of its task queues",
      );
    }
    await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
  }
}

const AWAY: VersionFailure = { refusal: null, details: "Temporal is unreachable" };

function reportRefusal(log: Log, buildId: string, refusal: string): void {
  if (refusal === "UNIMPLEMENTED") {
    log.error(
      { buildId, refusal },
      "This Temporal server does not know versions of workers, so any worker may get any run. Upgrade it to 1.28 or later",
    );
    return;
  }
  const help = `temporal worker deployment set-current-version --deployment-name ${DEPLOYMENT} --build-id ${buildId}`;
  log.error(
    { buildId, refusal },
    `Temporal does not let this worker become the current version: an operator must run \`${help}\`, or switch versions of workers on for the namespace (system.enableDeploymentVersions)`,
  );
}

/** What the version of this process gets: all work, a share of it, or none. */
export type VersionState = "CURRENT" | "RAMPING" | "WAITING" | "UNKNOWN";

export interface Following {
  /** Resolves when the state is known, or when it cannot be known. */
  settled: Promise<void>;
  state(): VersionState;
  /** Resolves when no request is under way any more, after the shutdown. */
  ended: Promise<void>;
}

/**
 * Follows the state of this build until the shutdown. It becomes the current version by itself if there is none, and
 * when the current version has had no worker on a queue for a while, so that no work stands still. Otherwise the
 * operator decides (rules/sending 11.9).
 */
export function followVersion(
  candidate: Candidate,
  { followMs = FOLLOW_MS, unservedMs = UNSERVED_MS }: { followMs?: number; unservedMs?: number } = {},
): Following {
  const { client, buildId, log, stopping } = candidate;
  let state: VersionState = "UNKNOWN";
  const settled = Promise.withResolvers<void>();
  let unservedSince: number | null = null;
  const note = (next: VersionState, current: string | null) => {
    if (next !== state) reportState(log, buildId, next, current);
    state = next;
    settled.resolve();
  };
  /** How many milliseconds to wait for the next look; null when there is nothing more to follow. */
  const look = async (temporal: Client): Promise<number | null> => {
    const deployment = await loadDeployment(temporal);
    // The first poll of a new version is registered a moment later
    if (deployment === null || deployment.versions.every((version) => version.buildId !== buildId)) return RETRY_MS;
    const next = stateOf(deployment, buildId);
    if (next !== "WAITING") {
      unservedSince = null;
      note(next, deployment.current);
      return followMs;
    }
    const isFirst = deployment.current === null;
    if (!isFirst) {
      note(next, deployment.current);
      const isUnserved = await canSucceed(temporal, deployment.current, buildId);
      unservedSince = isUnserved ? (unservedSince ?? performance.now()) : null;
      if (unservedSince === null || performance.now() - unservedSince < unservedMs) return followMs;
      log.warn({ buildId, current: deployment.current }, "The current version has no workers: this version takes over");
    }
    const failure = await setCurrentVersion(temporal, buildId, deployment.token);
    if (failure === null) {
      unservedSince = null;
      note("CURRENT", buildId);
      return followMs;
    }
    if (failure.refusal === null) return isFirst ? RETRY_MS : followMs;
    reportRefusal(log, buildId, failure.refusal);
    return null;
  };
  const follow = async () => {
    while (!stopping.aborted) {
      const temporal = client();
      const pause = temporal === null ? RETRY_MS : await look(temporal).catch((error) => pauseAfter(error));
      if (pause === null) break;
      await delay(pause, undefined, { signal: stopping, ref: false }).catch(() => {});
    }
    settled.resolve();
  };
  const pauseAfter = (error: unknown): number | null => {
    const refusal = refusalOf(error);
    if (refusal === null) return followMs;
    reportRefusal(log, buildId, refusal);
    return null;
  };
  const ended = follow();
  return { settled: settled.promise, state: () => state, ended };
}

function stateOf({ current, ramp }: Deployment, buildId: string): VersionState {
  if (current === buildId) return "CURRENT";
  return ramp?.buildId === buildId && ramp.percent > 0 ? "RAMPING" : "WAITING";
}

/** Whether the current version lacks a worker on a queue, while this version has one on every queue. */
async function canSucceed(client: Client, current: string | null, buildId: string): Promise<boolean> {
  const polling = await client.withDeadline(Date.now() + CALL_MS, () => loadPolling(client));
  return queuesWithout(polling, current).length > 0 && queuesWithout(polling, buildId).length === 0;
}

function reportState(log: Log, buildId: string, state: VersionState, current: string | null): void {
  if (state === "CURRENT") log.info({ buildId }, "This version of the workers is current and gets all work");
  if (state === "RAMPING") log.info({ buildId, current }, "This version of the workers gets a share of the work");
  if (state === "WAITING")
    log.warn(
      { buildId, current },
      "Another version of the workers is current, so these workers wait: `npm run deployment -- current` gives them the work",
    );
}
