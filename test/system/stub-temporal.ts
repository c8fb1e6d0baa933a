import type { Client } from "@temporalio/client";
import type { Queue } from "../../domain/workflow-contract.ts";

/** What a Temporal server holds about the versions of the workers, in memory. */
export interface StubTemporal {
  client: Client;
  current: string | null;
  ramp: { buildId: string; percent: number } | null;
  /** The queues that the workers of each known version poll; "workflows" are the workflow tasks of the queue engine alone. */
  polled: Record<string, readonly (Queue | "workflows")[]>;
  /** The changes that were asked for, in order. */
  asked: string[];
  /** The gRPC code with which a request fails, by the name of the request. */
  failing: Record<string, number>;
  /** Requests that never answer, so that their deadline ends them. */
  hanging: Set<string>;
}

interface AskedQueue {
  taskQueue: { name: Queue };
  taskQueueType: number;
}

const WORKFLOW_TASKS = 1;
const VERSIONED = 2;
const DEADLINE_EXCEEDED = 4;

/** A server whose workers poll, stop or are refused at once; the real one lists a poller for a minute and a half. */
export function stubTemporal(): StubTemporal {
  let deadline = Number.POSITIVE_INFINITY;
  const stub: Omit<StubTemporal, "client"> = {
    current: null,
    ramp: null,
    polled: {},
    asked: [],
    failing: {},
    hanging: new Set(),
  };
  const answering = <Request, Answer>(name: string, answer: (request: Request) => Answer) => {
    return async (request: Request): Promise<Answer> => {
      const code = stub.failing[name];
      if (code !== undefined) throw failed(code);
      if (!stub.hanging.has(name)) return answer(request);
      const { promise, reject } = Promise.withResolvers<Answer>();
      setTimeout(() => reject(failed(DEADLINE_EXCEEDED)), deadline - Date.now());
      return promise;
    };
  };
  const workflowService = {
    describeNamespace: answering("describeNamespace", () => ({ config: {} })),
    countWorkflowExecutions: answering("countWorkflowExecutions", () => ({ count: 0 })),
    describeTaskQueue: answering("describeTaskQueue", ({ taskQueue, taskQueueType }: AskedQueue) => ({
      pollers: Object.entries(stub.polled)
        .filter(
          ([, queues]) =>
            queues.includes(taskQueue.name) || (taskQueueType === WORKFLOW_TASKS && queues.includes("workflows")),
        )
        .map(([buildId]) => ({
          lastAccessTime: { seconds: Date.now() / 1_000 },
          deploymentOptions: { buildId, workerVersioningMode: VERSIONED },
        })),
    })),
    describeWorkerDeployment: answering("describeWorkerDeployment", () => ({
      workerDeploymentInfo: {
        routingConfig: {
          currentDeploymentVersion: stub.current === null ? null : { buildId: stub.current },
          rampingDeploymentVersion: stub.ramp,
          rampingVersionPercentage: stub.ramp?.percent,
        },
        versionSummaries: Object.keys(stub.polled).map((buildId) => ({ deploymentVersion: { buildId } })),
      },
    })),
    setWorkerDeploymentCurrentVersion: answering("setCurrent", ({ buildId }: { buildId: string }) => {
      stub.asked.push(`current ${buildId}`);
      stub.current = buildId;
      if (stub.ramp?.buildId === buildId) stub.ramp = null;
    }),
    setWorkerDeploymentRampingVersion: answering("setRamping", (asked: { buildId: string; percentage: number }) => {
      stub.asked.push(`ramp ${asked.percentage} ${asked.buildId}`.trim());
      stub.ramp = asked.buildId === "" ? null : { buildId: asked.buildId, percent: asked.percentage };
    }),
  };
  const client = {
    options: { namespace: "default", identity: "test" },
    workflowService,
    connection: { workflowService },
    withDeadline<T>(until: number, call: () => Promise<T>): Promise<T> {
      deadline = until;
      return call();
    },
  };
  return Object.assign(stub, { client: client as unknown as Client }); // only what the versions of workers need
}

function failed(code: number): Error {
  return Object.assign(new Error("refused"), { code, details: "because of the test" });
}
