import type { Client } from "@temporalio/client";
import { TestWorkflowEnvironment } from "@temporalio/testing";
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker, type WorkerOptions } from "@temporalio/worker";
import { programEnv, readConfig } from "../../config.ts";
import type { Queue } from "../../domain/workflow-contract.ts";
import { findTestServer } from "../../embedded/temporal-test-server.ts";
import { SEARCH_ATTRIBUTES } from "../../temporal/search-attributes.ts";
import { sharedBundle } from "../support/server-host.ts";

export interface Environment {
  /**
   * Awaiting a result with this client lets time run. Await one at a time: with two, time runs past activities that are
   * at work.
   */
  client: Client;
  /** The server's clock, in epoch milliseconds. */
  now(): Promise<number>;
  /** Lets this much of the server's time pass. */
  pass(duration: `${number}${"s" | "m" | "h" | "d"}`): Promise<void>;
  /** Stops the worker of a queue as a deployment does, and starts another. */
  replaceWorker(queue: Queue): Promise<void>;
  close(): Promise<void>;
}

type Bundle = NonNullable<WorkerOptions["workflowBundle"]>;

const SILENT = new DefaultLogger("ERROR", () => {});
const KEYWORD = 2; // temporal.api.enums.v1.IndexedValueType

/** The project's workflows on a server that skips time. The activities of each queue are the test's own. */
export async function startEnvironment(
  activities: Partial<Record<Queue, object>>,
  workflows: Promise<Bundle> = sharedBundle(),
): Promise<Environment> {
  installQuietRuntime();
  const [server, workflowBundle] = await Promise.all([startServer(), workflows]);
  const connection = server.nativeConnection;
  const queues = Object.entries({ engine: {}, ...activities });
  // Recipients sleep for days, so eviction and replay are the normal case, and nothing is cached here
  const start = async ([taskQueue, own]: [string, object]) => {
    const engine = taskQueue === "engine" && { workflowBundle, maxCachedWorkflows: 0 };
    const worker = await Worker.create({
      connection,
      taskQueue,
      activities: own,
      shutdownGraceTime: "100ms",
      ...engine,
    });
    return { worker, done: worker.run() };
  };
  const running = new Map(await Promise.all(queues.map(async (queue) => [queue[0], await start(queue)] as const)));
  const stop = async (taskQueue: string) => {
    const found = running.get(taskQueue);
    found?.worker.shutdown();
    await found?.done;
  };
  return {
    client: server.client,
    now: () => server.currentTimeMs(),
    pass: (duration) => server.sleep(duration),
    async replaceWorker(queue) {
      await stop(queue);
      running.set(queue, await start([queue, activities[queue] ?? {}]));
    },
    async close() {
      await Promise.all([...running.keys()].map(stop)).finally(() => server.teardown());
    },
  };
}

let isInstalled = false;

/** Call this before anything else that uses Temporal. A process has one runtime, so further calls do nothing. */
export function installQuietRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  Runtime.install({
    logger: SILENT,
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: "ERROR" }) } },
  });
}

async function startServer(): Promise<TestWorkflowEnvironment> {
  const { path } = await findTestServer(readConfig().TEMPORAL_TEST_SERVER ?? undefined, programEnv(), () => {});
  const server = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: "existing-path", path } },
  });
  const searchAttributes = Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD]));
  await server.connection.operatorService.addSearchAttributes({ namespace: "default", searchAttributes });
  return server;
}
