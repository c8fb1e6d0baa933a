import { afterAll, beforeAll } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { NativeConnection, Worker } from "@temporalio/worker";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { QUEUES, type Queue } from "../../domain/workflow-contract.ts";
import { createLog } from "../../runtime/log.ts";
import { DEPLOYMENT, loadDeployment, setCurrentVersion } from "../../temporal/deployment.ts";
import { type Following, followVersion } from "../../worker/deployment.ts";
import { until } from "../fakes/wait.ts";
import { newNamespace, sharedBundle, type TestNamespace } from "../support/server-host.ts";
import { installQuietRuntime } from "../workflows/environment.ts";

export interface Versions {
  client: Client;
  where: TestNamespace;
  /** The lines of the log of all versions. */
  lines: string[];
  /** Starts workers of a version, with activities that need no database. */
  start(buildId: string, queues?: readonly Queue[]): Promise<void>;
  stop(buildId: string): Promise<void>;
  /** Lets a version follow its state, at a pace for tests. */
  follow(buildId: string): Following;
  makeCurrent(buildId: string): Promise<void>;
  current(): Promise<string | null | undefined>;
}

/** Several versions of the workers on one namespace. Registers the hooks that start and end everything. */
export function useVersions(): Versions {
  const followers: { ending: AbortController; ended: Promise<void> }[] = [];
  const stops: { buildId: string; stop(): Promise<void> }[] = [];
  const lines: string[] = [];
  const log = createLog("info", { write: (line: string) => lines.push(line) });
  let opened: { where: TestNamespace; connection: Connection; native: NativeConnection; client: Client } | undefined;
  const parts = () => {
    if (opened === undefined) throw new Error("The hooks have not run yet");
    return opened;
  };
  const unfollow = async () => {
    for (const { ending, ended } of followers.splice(0)) {
      ending.abort();
      await ended;
    }
  };

  beforeAll(async () => {
    installQuietRuntime();
    const where = await newNamespace();
    const [connection, native] = await Promise.all([
      Connection.connect({ address: where.address }),
      NativeConnection.connect({ address: where.address }),
    ]);
    opened = { where, connection, native, client: new Client({ connection, namespace: where.namespace }) };
  }, 90_000);

  afterAll(async () => {
    await unfollow();
    await Promise.all(stops.map(({ stop }) => stop()));
    await Promise.all([opened?.connection.close(), opened?.native.close()]);
  }, 30_000);

  return {
    get client() {
      return parts().client;
    },
    get where() {
      return parts().where;
    },
    lines,
    async start(buildId, queues = QUEUES) {
      const bundle = await sharedBundle();
      const workers = await Promise.all(queues.map((queue) => workerOf(parts(), buildId, queue, bundle)));
      const running = Promise.all(workers.map((worker) => worker.run()));
      const stop = async () => {
        for (const worker of workers) if (worker.getState() === "RUNNING") worker.shutdown();
        await running;
      };
      stops.push({ buildId, stop });
    },
    async stop(buildId) {
      await Promise.all(stops.filter((one) => one.buildId === buildId).map(({ stop }) => stop()));
    },
    follow(buildId) {
      const ending = new AbortController();
      const candidate = { client: () => parts().client, buildId, log, stopping: ending.signal };
      const following = followVersion(candidate, { followMs: 200, unservedMs: 500 });
      followers.push({ ending, ended: following.ended });
      return following;
    },
    async makeCurrent(buildId) {
      const isDone = async () => (await setCurrentVersion(parts().client, buildId)) === null;
      await until(isDone, { deadlineMs: 30_000, what: `${buildId} to be current` });
    },
    current: async () => (await loadDeployment(parts().client))?.current,
  };
}

/** An email of unknown outcome is looked at again in an hour. */
function workerOf(
  { native, where }: { native: NativeConnection; where: TestNamespace },
  buildId: string,
  taskQueue: Queue,
  workflowBundle: { codePath: string },
): Promise<Worker> {
  return Worker.create({
    connection: native,
    namespace: where.namespace,
    taskQueue,
    activities: {
      checkMailboxDns: async () => null,
      sendOnce: async () => ({ kind: "later", at: Date.now() + HOUR_MS }),
      tryServers: async () => ({ by: buildId }),
    },
    ...(taskQueue === "engine" && { workflowBundle }),
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: DEPLOYMENT, buildId },
      defaultVersioningBehavior: "AUTO_UPGRADE",
    },
  });
}
