import { Client, Connection } from "@temporalio/client";
import type { SetupFinding } from "../../domain/readiness.ts";
import { DAY_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { type Deployment, loadDeployment, queuesWithout, versionsWithWork } from "../../temporal/deployment.ts";
import type { TemporalSettings } from "../../temporal/link.ts";
import { loadNamespace, type Namespace } from "../../temporal/namespace.ts";
import { loadPolling, type Polling } from "../../temporal/polling.ts";
import { refusalOf, unusableSearchAttributes } from "../../temporal/search-attributes.ts";
import { judgeClock } from "./clock.ts";
import { fail, ok, skip, warn } from "./finding.ts";

const CHECKS = {
  server: "Temporal",
  version: "Temporal version",
  namespace: "Temporal namespace",
  attributes: "Temporal search attributes",
  retention: "Temporal retention",
  fairness: "Temporal fairness",
  workers: "Workers",
  versions: "Worker version",
  clock: "Temporal clock",
} as const;
const ASK_MS = 5_000;
const OLDEST = [1, 28] as const;
const UNSEEN = "Temporal cannot be used";

/** Checks the Temporal server, its namespace, and the workers that poll it. Changes nothing. */
export async function checkTemporal(
  { connection: options, namespace }: TemporalSettings,
  { isEmbedded, now = Date.now }: { isEmbedded: boolean; now?: () => number },
): Promise<SetupFinding[]> {
  let connection: Connection;
  try {
    // Refuses a certificate that is only in a variable or profile of Temporal's own, which the settings do not check
    connection = Connection.lazy(options);
  } catch {
    return withSkipped([reportUnusable()], UNSEEN);
  }
  try {
    const client = new Client({ connection, namespace });
    return await client.withDeadline(Date.now() + ASK_MS, () => checkServer(client, isEmbedded, now));
  } finally {
    await connection.close();
  }
}

/** What is reported when no Temporal server can be asked. */
export function skipTemporal(why: string, advice: string): SetupFinding[] {
  return withSkipped([skip(CHECKS.server, why, advice)], why);
}

function withSkipped(reported: SetupFinding[], why: string): SetupFinding[] {
  const left = Object.values(CHECKS).filter((check) => reported.every((finding) => finding.check !== check));
  return [...reported, ...left.map((check) => skip(check, why))];
}

async function checkServer(client: Client, isEmbedded: boolean, now: () => number): Promise<SetupFinding[]> {
  let version: string;
  try {
    version = (await client.workflowService.getSystemInfo({})).serverVersion ?? "";
  } catch (error) {
    return withSkipped([reportUnreached(error)], UNSEEN);
  }
  const reported = [ok(CHECKS.server, "it answers"), judgeVersion(version), judgeFairness(isEmbedded)];
  try {
    const found = await loadNamespace(client);
    if (found === null) return withSkipped([...reported, reportNoNamespace(client)], "there is no namespace");
    const [attributes, polling, deployment] = await Promise.all([
      unusableSearchAttributes(client),
      loadPolling(client),
      loadDeployment(client).catch((error) => refusalOf(error) ?? Promise.reject(error)),
    ]);
    return [
      ...reported,
      ok(CHECKS.namespace, "it exists"),
      judgeAttributes(attributes, client),
      judgeRetention(found),
      judgeWorkers(polling),
      judgeVersions(deployment, polling),
      judgePolls(polling, now()),
    ];
  } catch (error) {
    const found = refusalOf(error) === null ? "it did not answer in time" : "the server does not let us use it";
    const advice = "Check the rights of the API key or the certificate, and the log of Temporal";
    return withSkipped([...reported, fail(CHECKS.namespace, found, advice)], UNSEEN);
  }
}

function reportUnusable(): SetupFinding {
  return fail(
    CHECKS.server,
    "the TLS settings cannot be used",
    "Check the certificates and the key in TEMPORAL_TLS_* and in the profile of Temporal",
  );
}

function reportUnreached(error: unknown): SetupFinding {
  if (refusalOf(error) !== null)
    return fail(
      CHECKS.server,
      "it refuses the connection",
      "Check TEMPORAL_API_KEY or the certificate (TEMPORAL_TLS_CLIENT_CERT_PATH), and that the key belongs to the namespace",
    );
  return fail(
    CHECKS.server,
    "it does not answer",
    "Check TEMPORAL_ADDRESS, the TLS settings (TEMPORAL_TLS), that the server runs, and that no firewall is in between",
  );
}

function judgeVersion(version: string): SetupFinding {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  const advice = `Upgrade to ${OLDEST.join(".")} or later, one minor version at a time`;
  if (major === undefined) return skip(CHECKS.version, "the server does not say it", advice);
  const isOld = Number(major) < OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) < OLDEST[1]);
  return isOld ? fail(CHECKS.version, `it is ${version}`, advice) : ok(CHECKS.version, `it is ${version}`);
}

/** No call of Temporal's API shows its dynamic configuration. */
function judgeFairness(isEmbedded: boolean): SetupFinding {
  if (isEmbedded) return ok(CHECKS.fairness, "the embedded server has it switched on");
  return skip(
    CHECKS.fairness,
    "it cannot be seen from here",
    "Check that the dynamic configuration of the server has matching.enableFairness: true and matching.numTaskqueueWritePartitions: 1, or that fairness is switched on for a hosted namespace",
  );
}

function reportNoNamespace({ options: { namespace } }: Client): SetupFinding {
  return fail(
    CHECKS.namespace,
    "the server does not have it",
    `Correct TEMPORAL_NAMESPACE, or create it: temporal operator namespace create --namespace ${namespace} --retention 7d`,
  );
}

function judgeAttributes(unusable: readonly string[], { options: { namespace } }: Client): SetupFinding {
  if (unusable.length === 0) return ok(CHECKS.attributes, "all are registered");
  const names = unusable.map((name) => `--name ${name} --type Keyword`).join(" ");
  return fail(
    CHECKS.attributes,
    `${unusable.join(", ")} cannot be used, so no run starts`,
    `Start a worker, which registers them. If the server does not let it: temporal operator search-attribute create --namespace ${namespace} ${names}`,
  );
}

function judgeRetention({ retentionMs }: Namespace): SetupFinding {
  if (retentionMs === null) return skip(CHECKS.retention, "the server does not say it");
  const days = Math.round((10 * retentionMs) / DAY_MS) / 10;
  const found = `the history of a run is kept for ${days} ${days === 1 ? "day" : "days"} after its end`;
  if (retentionMs >= DAY_MS) return ok(CHECKS.retention, found);
  return warn(CHECKS.retention, found, "Set it to a day or more, so that someone can look at a failed run");
}

function judgeWorkers(polling: readonly Polling[]): SetupFinding {
  const unpolled = polling.flatMap(({ queue, isPolled }) => (isPolled ? [] : [queue]));
  if (unpolled.length === 0) return ok(CHECKS.workers, "every queue has one");
  if (unpolled.length === QUEUES.length)
    return warn(CHECKS.workers, "none is running", "Start the service, or processes with `npm run worker`");
  return fail(
    CHECKS.workers,
    `no worker polls the queues ${unpolled.join(", ")}`,
    `Start one with WORKER_QUEUES=${unpolled.join(",")}`,
  );
}

const GIVE = "give the work to a version that has workers: `npm run deployment -- show`, then `current`";

/** Which version of the workers gets the work, and whether it has workers. `deployment` is a text when Temporal refuses. */
function judgeVersions(deployment: Deployment | string | null, polling: readonly Polling[]): SetupFinding {
  if (deployment === "UNIMPLEMENTED")
    return fail(CHECKS.versions, "the server does not know versions of workers", "Upgrade it to 1.28 or later");
  if (typeof deployment === "string")
    return skip(
      CHECKS.versions,
      "the server does not let us see it",
      "Check the rights of the API key or the certificate, and that system.enableDeploymentVersions is on for the namespace",
    );
  if (polling.every(({ isPolled }) => !isPolled)) return skip(CHECKS.versions, "no worker is running");
  if (deployment === null) return ok(CHECKS.versions, "workers without a version get all work");
  const version = deployment.current;
  const without = versionsWithWork(deployment).flatMap((one) => queuesWithout(polling, one));
  if (version === null && without.length > 0)
    return fail(CHECKS.versions, "none is current, so work stands still", `Run \`npm run deployment -- current\``);
  if (without.length > 0)
    return fail(
      CHECKS.versions,
      `${versionsWithWork(deployment).join(" and ")} should work, but no worker of it polls the queues ${[...new Set(without)].join(", ")}`,
      `Start one, or ${GIVE}`,
    );
  if (deployment.ramp !== null)
    return ok(
      CHECKS.versions,
      `${version} is current, and ${deployment.ramp.buildId} gets ${deployment.ramp.percent} % of the work`,
    );
  const waiting = new Set(polling.flatMap(({ builds }) => builds.filter((one) => one !== version)));
  if (waiting.size === 0) return ok(CHECKS.versions, `${nameOf(version)} gets all work`);
  return warn(
    CHECKS.versions,
    `${nameOf(version)} gets all work, and ${[...waiting].map(nameOf).join(", ")} waits`,
    "If the upgrade is done, stop the workers of the older version; if not, run `npm run deployment -- current` from the newer one. Workers that ended less than 90 seconds ago still count",
  );
}

function nameOf(version: string | null): string {
  return version ?? "a worker without a version";
}

/** An idle worker polls at least once a minute. */
const SILENT_MS = 90_000;

/**
 * Temporal does not say what time it is, but it stamps every poll of a worker. The newest stamp shows a clock that is
 * ahead. A clock that is behind looks like workers that have stopped.
 */
function judgePolls(polling: readonly Polling[], nowMs: number): SetupFinding {
  const polls = polling.flatMap(({ lastPollMs }) => lastPollMs ?? []);
  if (polls.length === 0)
    return skip(CHECKS.clock, "only the polls of workers show it, and none has polled", "Start the workers first");
  const serverMs = Math.max(...polls);
  if (serverMs < nowMs - SILENT_MS)
    return warn(
      CHECKS.clock,
      `by its clock the last poll of a worker was ${Math.round((nowMs - serverMs) / SECOND_MS)} s ago, so the workers have stopped or its clock is behind`,
      "Start the workers, and compare the clocks of both machines",
    );
  const reading = { beforeMs: Math.min(serverMs, nowMs), serverMs, afterMs: nowMs };
  return judgeClock(CHECKS.clock, reading, "by the polls of workers, its clock agrees with the clock of this machine");
}
