import type { Client } from "@temporalio/client";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import type { Polling } from "./polling.ts";
import { grpcCodeOf, refusalOf } from "./search-attributes.ts";

/** The name of our worker deployment in Temporal. */
export const DEPLOYMENT = "outreach";

const CALL_MS = 5_000;
const NOT_FOUND = 5; // of gRPC

/** Of temporal.api.enums.v1.WorkerDeploymentVersionStatus, by number. */
const STATUSES = ["UNKNOWN", "INACTIVE", "CURRENT", "RAMPING", "DRAINING", "DRAINED", "CREATED"] as const;
type VersionStatus = (typeof STATUSES)[number];

interface DeploymentVersion {
  buildId: string;
  status: VersionStatus;
  /** When it was current last, in epoch milliseconds; null if never. */
  lastCurrentMs: number | null;
}

/** The versions of our workers that Temporal knows, and which of them get work. */
export interface Deployment {
  /** The build id of the version that gets the work; null while work goes to workers without a version. */
  current: string | null;
  /** A version that gets a share of the work, in percent. */
  ramp: { buildId: string; percent: number } | null;
  versions: readonly DeploymentVersion[];
  /** A change with this token is refused if the deployment has changed since. */
  token: Uint8Array;
}

/**
 * The deployment of our workers; null while Temporal knows none, because no worker with a version has polled yet.
 * @throws Error of gRPC when the server refuses, for example because it does not know versions
 */
export async function loadDeployment(client: Client, limitMs = CALL_MS): Promise<Deployment | null> {
  const request = { namespace: client.options.namespace, deploymentName: DEPLOYMENT };
  try {
    const { workerDeploymentInfo: info, conflictToken } = await client.withDeadline(Date.now() + limitMs, () =>
      client.workflowService.describeWorkerDeployment(request),
    );
    const { currentDeploymentVersion, rampingDeploymentVersion, rampingVersionPercentage } = info?.routingConfig ?? {};
    const ramping = rampingDeploymentVersion?.buildId;
    return {
      current: currentDeploymentVersion?.buildId || null,
      ramp: ramping ? { buildId: ramping, percent: rampingVersionPercentage ?? 0 } : null,
      versions: (info?.versionSummaries ?? []).flatMap(({ deploymentVersion, status, lastCurrentTime }) =>
        deploymentVersion?.buildId
          ? [{ buildId: deploymentVersion.buildId, status: statusOf(status), lastCurrentMs: msOf(lastCurrentTime) }]
          : [],
      ),
      token: conflictToken ?? new Uint8Array(),
    };
  } catch (error) {
    if (grpcCodeOf(error) === NOT_FOUND) return null;
    throw error;
  }
}

function statusOf(status: unknown): VersionStatus {
  return STATUSES[Number(status ?? 0)] ?? "UNKNOWN";
}

function msOf(time: { seconds?: unknown } | null | undefined): number | null {
  return time == null ? null : Number(time.seconds ?? 0) * 1_000;
}

/** Why Temporal did not change the versions. `refusal` is null when a later attempt may succeed. */
export interface VersionFailure {
  refusal: string | null;
  details: string;
}

/**
 * Makes a version current and ends a ramp of another version, so that it gets all work. The server accepts it once
 * workers of the version poll the queues of the version before. Null when that is done.
 */
export function setCurrentVersion(client: Client, buildId: string, token?: Uint8Array): Promise<VersionFailure | null> {
  return change(client, async () => {
    await client.workflowService.setWorkerDeploymentCurrentVersion({ ...commonOf(client, token), buildId });
    // Temporal keeps a ramp of another version, whose workers may have ended
    const now = await loadDeployment(client);
    if (now?.ramp) await requestRamp(client, null, 0, now.token);
  });
}

/** Gives a version a share of the work; `buildId` null ends the ramp. Null when that is done. */
export function setRampingVersion(
  client: Client,
  buildId: string | null,
  percent: number,
  token?: Uint8Array,
): Promise<VersionFailure | null> {
  return change(client, () => requestRamp(client, buildId, percent, token));
}

function requestRamp(client: Client, buildId: string | null, percentage: number, token?: Uint8Array) {
  const asked = { ...commonOf(client, token), buildId: buildId ?? "", percentage };
  return client.workflowService.setWorkerDeploymentRampingVersion(asked);
}

function commonOf({ options: { namespace, identity } }: Client, token?: Uint8Array) {
  return { namespace, deploymentName: DEPLOYMENT, identity, ...(token !== undefined && { conflictToken: token }) };
}

async function change(client: Client, call: () => Promise<unknown>): Promise<VersionFailure | null> {
  try {
    await client.withDeadline(Date.now() + CALL_MS, call);
    return null;
  } catch (error) {
    return failureOf(error);
  }
}

export function failureOf(error: unknown): VersionFailure {
  return {
    refusal: refusalOf(error),
    details: error instanceof Error && "details" in error ? String(error.details) : "no answer",
  };
}

/** The queues on which no worker of a version polls; `buildId` null stands for workers without a version. */
export function queuesWithout(polling: readonly Polling[], buildId: string | null): Queue[] {
  return QUEUES.filter((queue) => !polling.some((one) => one.queue === queue && one.builds.includes(buildId)));
}

/** Whether a worker of a version polls any queue. A worker whose slots are all taken does not poll for more. */
export function isPolledBy(polling: readonly Polling[], buildId: string | null): boolean {
  return polling.some(({ someBuilds }) => someBuilds.includes(buildId));
}

/** The versions that get work now. */
export function versionsWithWork({ current, ramp }: Deployment): (string | null)[] {
  return ramp !== null && ramp.percent > 0 ? [current, ramp.buildId] : [current];
}
