import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@temporalio/client";
import type { Log } from "../runtime/log.ts";
import {
  DEPLOYMENT,
  type Deployment,
  failureOf,
  isPolledBy,
  loadDeployment,
  queuesWithout,
  setCurrentVersion,
  type VersionFailure,
} from "../temporal/deployment.ts";
import { loadPolling } from "../temporal/polling.ts";

const RETRY_MS = 250;
const CALL_MS = 5_000;

/** How often this build looks and when it acts, in milliseconds. */
const PACE = {
  followMs: 5_000,
  /** After a refusal, which lasts until an operator changes something. */
  refusedMs: 60_000,
  /** For how long requests fail until the log says why. */
  silentMs: 30_000,
  /** For how long a version that gets work has no workers until a version with workers takes it over. */
  unservedMs: 30_000,
};

interface Candidate {
  /** Null while Temporal is unreachable. */
  client: () => Client | null;
  buildId: string;
  log: Log;
  stopping: AbortSignal;
  /** Whether this build becomes the current version in any case, because no other process works for the server. */
  takesOver?: boolean;
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
 * Follows the state of this build until the shutdown. It takes all work by itself if no version is current, and when
 * the version that gets the work has had no worker at all for a while, so that no work stands still. Otherwise the
 * operator decides (rules/sending 11.9).
 */
export function followVersion(candidate: Candidate, pace: Partial<typeof PACE> = {}): Following {
  const { client, buildId, log, stopping, takesOver = false } = candidate;
  const { followMs, refusedMs, silentMs, unservedMs } = { ...PACE, ...pace };
  let state: VersionState = "UNKNOWN";
  const settled = Promise.withResolvers<void>();
  let hasTaken = !takesOver;
  let unservedSince: number | null = null;
  const failures = createFailures(candidate, silentMs);

  const note = (next: VersionState, current: string | null) => {
    if (next !== state) reportState(log, buildId, next, current);
    state = next;
    settled.resolve();
  };
  const isUnserved = async (temporal: Client, deployment: Deployment): Promise<boolean> => {
    const isNow = await canSucceed(temporal, deployment, buildId);
    unservedSince = isNow ? (unservedSince ?? performance.now()) : null;
    return unservedSince !== null && performance.now() - unservedSince >= unservedMs;
  };
  /** How many milliseconds to wait for the next look, or why a request failed. */
  const look = async (temporal: Client): Promise<number | VersionFailure> => {
    const deployment = await loadDeployment(temporal);
    // The first poll of a new version is registered a moment later
    if (deployment === null || deployment.versions.every((version) => version.buildId !== buildId)) return RETRY_MS;
    const { current, token } = deployment;
    if (hasTaken && current !== null) {
      note(stateOf(deployment, buildId), current);
      if (!(await isUnserved(temporal, deployment))) {
        failures.forget();
        return followMs;
      }
    }
    const failure = await setCurrentVersion(temporal, buildId, token);
    if (failure !== null) return failure;
    if (unservedSince !== null)
      log.warn(
        { buildId, current, ramp: deployment.ramp },
        "A version that gets work had no workers, so this version has taken it over",
      );
    hasTaken = true;
    unservedSince = null;
    failures.forget();
    note("CURRENT", buildId);
    return followMs;
  };
  /** Null when there is nothing more to follow. */
  const pauseAfter = (failure: VersionFailure): number | null => {
    const isLasting = failures.isLasting(failure);
    if (failure.refusal === null) return isLasting ? followMs : RETRY_MS;
    settled.resolve();
    return failure.refusal === "UNIMPLEMENTED" ? null : refusedMs;
  };
  const follow = async () => {
    while (!stopping.aborted) {
      const temporal = client();
      const looked = temporal === null ? RETRY_MS : await look(temporal).catch(failureOf);
      const pause = typeof looked === "number" ? looked : pauseAfter(looked);
      if (pause === null) break;
      await delay(pause, undefined, { signal: stopping, ref: false }).catch(() => {});
    }
    settled.resolve();
  };
  const ended = follow();
  return { settled: settled.promise, state: () => state, ended };
}

/** Logs each refusal once, and once that other failures have lasted for a while. */
function createFailures({ buildId, log }: Candidate, silentMs: number) {
  let since: number | null = null;
  let reported: string | null = null;
  const reportOnce = (what: string, report: () => void) => {
    if (reported !== what) report();
    reported = what;
  };
  return {
    /** Reports what there is to report, and returns whether the failures have lasted for a while. */
    isLasting({ refusal, details }: VersionFailure): boolean {
      since ??= performance.now();
      if (refusal !== null) reportOnce(refusal, () => reportRefusal(log, buildId, refusal));
      const isLasting = performance.now() - since >= silentMs;
      if (refusal === null && isLasting)
        reportOnce("lasting", () =>
          log.warn(
            { buildId, details },
            "Requests to Temporal about the version of these workers fail, and are repeated",
          ),
        );
      return isLasting;
    },
    forget() {
      since = null;
      reported = null;
    },
  };
}

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

function stateOf({ current, ramp }: Deployment, buildId: string): VersionState {
  if (current === buildId) return "CURRENT";
  return ramp?.buildId === buildId && ramp.percent > 0 ? "RAMPING" : "WAITING";
}

/** Whether a version that gets work has no worker at all, while this one has workers on every queue. */
async function canSucceed(client: Client, { current, ramp }: Deployment, buildId: string): Promise<boolean> {
  const other = current === buildId ? (ramp?.buildId ?? null) : current;
  if (other === null) return false;
  const polling = await client.withDeadline(Date.now() + CALL_MS, () => loadPolling(client));
  return !isPolledBy(polling, other) && queuesWithout(polling, buildId).length === 0;
}

function reportState(log: Log, buildId: string, state: VersionState, current: string | null): void {
  if (state === "CURRENT") log.info({ buildId }, "This version of the workers is current");
  if (state === "RAMPING") log.info({ buildId, current }, "This version of the workers gets a share of the work");
  if (state === "WAITING")
    log.warn(
      { buildId, current },
      "Another version of the workers is current, so these workers wait: `npm run deployment -- current` gives them the work",
    );
}
