import { Client, Connection } from "@temporalio/client";
import type { Config } from "../config.ts";
import { findRunningTemporal } from "../embedded/temporal.ts";
import {
  type Deployment,
  loadDeployment,
  queuesWithout,
  setCurrentVersion,
  setRampingVersion,
  type VersionFailure,
} from "../temporal/deployment.ts";
import { temporalSettings } from "../temporal/link.ts";
import { loadPolling, type Polling } from "../temporal/polling.ts";
import { refusalOf } from "../temporal/search-attributes.ts";
import { buildIdOfSources } from "./build-id.ts";

/** A command about the versions of our workers that cannot be carried out. Its message says why and what to do. */
export class DeploymentRefusal extends Error {}

/** What an operator asks for. `buildId` null stands for the version of this program. */
export type DeploymentCommand =
  | { kind: "show" }
  | { kind: "current"; buildId: string | null }
  | { kind: "ramp"; buildId: string | null; percent: number }
  | { kind: "rollback" };

/**
 * Changes of workflow code after which a run cannot continue on a release without the change. A test replays the
 * histories of this version on the previous release and compares them with this list.
 */
export const RUNS_THAT_NEED_THIS_VERSION = [
  { workflow: "verifyMailboxDns", change: "probe-waits", lastReleaseWithout: "1.1.0" },
] as const;

/** Milliseconds for all requests of a command together. */
const COMMAND_MS = 30_000;
const START = "start workers of that version first";

/** Carries out a command on the Temporal server that the settings describe, and returns what to print. */
export async function runDeploymentCommand(config: Config, command: DeploymentCommand): Promise<string> {
  const embedded = config.TEMPORAL_ADDRESS === null ? await findRunningTemporal(config.DATA_DIR) : null;
  if (config.TEMPORAL_ADDRESS === null && embedded === null)
    throw new DeploymentRefusal("The embedded Temporal server does not run: start the service with `npm start`");
  const { connection: options, namespace } = temporalSettings(config, embedded);
  const connection = Connection.lazy(options);
  try {
    const client = new Client({ connection, namespace });
    return await client.withDeadline(Date.now() + COMMAND_MS, () => answer(client, command));
  } finally {
    await connection.close();
  }
}

/** @throws DeploymentRefusal */
async function answer(client: Client, command: DeploymentCommand): Promise<string> {
  const deployment = await load(client);
  const polling = await loadPolling(client);
  if (command.kind === "show") return describe(deployment, polling);
  if (command.kind === "rollback") return rollBack(client, deployment, polling);
  const buildId = command.buildId ?? buildIdOfSources();
  return command.kind === "current"
    ? becomeCurrent(client, deployment, polling, buildId)
    : ramp(client, deployment, polling, buildId, command.percent);
}

async function load(client: Client): Promise<Deployment> {
  const deployment = await loadDeployment(client).catch((error) => {
    const refusal = refusalOf(error);
    if (refusal === "UNIMPLEMENTED")
      throw new DeploymentRefusal(
        "This Temporal server does not know versions of workers: upgrade it to 1.28 or later",
      );
    throw new DeploymentRefusal(
      refusal === null
        ? "The Temporal server does not answer: check TEMPORAL_ADDRESS and that the server runs"
        : "The Temporal server does not let us see the versions: check the rights of the API key or the certificate, and that system.enableDeploymentVersions is on for the namespace",
    );
  });
  if (deployment === null)
    throw new DeploymentRefusal("Temporal knows no version of the workers, because none has polled yet: start workers");
  return deployment;
}

function describe(deployment: Deployment, polling: readonly Polling[]): string {
  const own = buildIdOfSources();
  const lines = deployment.versions.map(({ buildId, status }) => {
    const without = queuesWithout(polling, buildId);
    const share = deployment.ramp?.buildId === buildId ? ` ${deployment.ramp.percent} %` : "";
    const workers = workersOf(without, polling.length);
    return `${buildId}  ${status}${share}  ${workers}${buildId === own ? "  (the version of this program)" : ""}`;
  });
  const isKnown = deployment.versions.some(({ buildId }) => buildId === own);
  return [
    ...lines,
    ...(deployment.current === null ? ["No version is current: work goes to workers without a version"] : []),
    ...(isKnown ? [] : [`No worker of ${own}, the version of this program, has polled yet`]),
  ].join("\n");
}

function workersOf(without: readonly string[], queues: number): string {
  if (without.length === 0) return "workers on every queue";
  return without.length === queues ? "no workers" : `no workers on the queues ${without.join(", ")}`;
}

async function becomeCurrent(
  client: Client,
  deployment: Deployment,
  polling: readonly Polling[],
  buildId: string,
): Promise<string> {
  const { current, ramp: shared } = deployment;
  if (current === buildId && shared === null) return `${buildId} is current already`;
  if (current === buildId) return endRamp(client, deployment);
  assertServed(deployment, polling, buildId);
  await assertReplays(client, buildId);
  refuseIf(await setCurrentVersion(client, buildId, deployment.token));
  return `${buildId} is current now and gets all work`;
}

async function ramp(
  client: Client,
  deployment: Deployment,
  polling: readonly Polling[],
  buildId: string,
  percent: number,
): Promise<string> {
  const { current, ramp: shared, token } = deployment;
  if (percent === 0) return endRamp(client, deployment);
  if (current === null)
    throw new DeploymentRefusal("No version is current, so there is nothing to share: use `current`");
  if (current === buildId)
    throw new DeploymentRefusal(
      shared === null
        ? `${buildId} is current and gets all work already`
        : `${buildId} is current: \`ramp 0\` ends the ramp of ${shared.buildId}`,
    );
  assertServed(deployment, polling, buildId);
  const before = shared?.buildId === buildId ? shared.percent : 0;
  if (percent > before) await assertReplays(client, buildId);
  if (percent < (shared?.percent ?? 0)) await assertReplays(client, current);
  refuseIf(await setRampingVersion(client, buildId, percent, token));
  return `${buildId} gets ${percent} % of the work now, ${current} the rest`;
}

async function endRamp(client: Client, { current, ramp: shared, token }: Deployment): Promise<string> {
  if (shared === null) throw new DeploymentRefusal("No version gets a share of the work");
  if (current !== null) await assertReplays(client, current);
  refuseIf(await setRampingVersion(client, null, 0, token));
  return `${current ?? "Workers without a version"} gets all work again`;
}

/** Ends a ramp, or gives all work back to the version that was current before. */
async function rollBack(client: Client, deployment: Deployment, polling: readonly Polling[]): Promise<string> {
  if (deployment.ramp !== null) return endRamp(client, deployment);
  const [previous] = deployment.versions
    .filter(({ buildId, lastCurrentMs }) => buildId !== deployment.current && lastCurrentMs !== null)
    .sort((one, other) => (other.lastCurrentMs ?? 0) - (one.lastCurrentMs ?? 0));
  if (previous === undefined)
    throw new DeploymentRefusal(
      "Temporal names no other version that was current before; older than 1.30, it never does. `current <build id>` gives the work to a version that `show` lists",
    );
  await becomeCurrent(client, deployment, polling, previous.buildId);
  return `${previous.buildId} is current again and gets all work`;
}

function assertServed({ versions }: Deployment, polling: readonly Polling[], buildId: string): void {
  if (versions.every((version) => version.buildId !== buildId)) {
    const known = versions.map((version) => version.buildId).join(", ");
    throw new DeploymentRefusal(`Temporal does not know the version ${buildId}: ${START}. It knows ${known}`);
  }
  const without = queuesWithout(polling, buildId);
  if (without.length === 0) return;
  throw new DeploymentRefusal(
    `No worker of ${buildId} polls the queues ${without.join(", ")}, so their work would stand still: ${START}`,
  );
}

/** Refuses a way back on which an open run would stand still, because the older code cannot continue it. */
async function assertReplays(client: Client, buildId: string): Promise<void> {
  if (buildId === buildIdOfSources()) return;
  for (const { workflow, change, lastReleaseWithout } of RUNS_THAT_NEED_THIS_VERSION) {
    if (isLater(buildId, lastReleaseWithout)) continue;
    const query = `WorkflowType = '${workflow}' AND TemporalChangeVersion = '${change}' AND ExecutionStatus = 'Running'`;
    const { count } = await client.workflow.count(query);
    if (count === 0) continue;
    throw new DeploymentRefusal(
      `${count} open ${count === 1 ? "run" : "runs"} of ${workflow} cannot continue on ${buildId}, because its code does not know their step "${change}" (docs/releases.md): wait until they have ended`,
    );
  }
}

/** Whether a build belongs to a later release than the given one. */
function isLater(buildId: string, release: string): boolean {
  const numbers = (text: string) => text.split("-")[0]?.split(".").map(Number) ?? [];
  const [one, other] = [numbers(buildId), numbers(release)];
  const at = other.findIndex((number, index) => one[index] !== number);
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0);
}

function refuseIf(failure: VersionFailure | null): void {
  if (failure === null) return;
  throw new DeploymentRefusal(
    failure.refusal === null
      ? "Temporal did not change the version, because the versions have changed meanwhile or it did not answer in time. Look with `show` and try again"
      : "Temporal does not let us change the version: check the rights of the API key or the certificate, and that system.enableDeploymentVersions is on for the namespace",
  );
}
