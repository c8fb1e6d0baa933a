import { type Client, WorkflowFailedError } from "@temporalio/client";
import { AppError } from "../domain/errors.ts";
import type { Missing } from "../domain/readiness.ts";
import { QUEUES, type Queue } from "../domain/workflow-contract.ts";
import { createMissingCheck } from "./missing.ts";
import { isPolling } from "./polling.ts";
import { type Run, startRun } from "./run.ts";

/**
 * What an operation can do with Temporal. Only an operation that must return a result from outside waits for a
 * workflow.
 */
export interface Engine {
  /**
   * Starts a workflow run, or joins the open one with its id, and waits for its result until the deadline. A refusal is
   * part of the result. A failed run has already used up its retries, so it causes a 503 response, as a late one does.
   */
  execute<T>(run: Run, deadlineMs: number): Promise<T>;
  /** Starts a workflow run, or joins the open one with its id. */
  start(run: Run): Promise<void>;
  /** Whether a workflow has ended, waiting at most `waitMs`. Also false while Temporal does not answer. */
  hasEnded(id: string, waitMs: number): Promise<boolean>;
  /** Signals a workflow. When it has ended or cannot be reached, nothing happens. */
  signal(id: string, name: string): Promise<void>;
  isReachable(): Promise<boolean>;
  /** What Temporal lacks to process accepted work; empty in normal operation. Takes at most two seconds. */
  findMissing(): Promise<Missing[]>;
  /** The state of the Temporal server and our task queues; null while it does not answer. Takes at most two seconds. */
  loadState(): Promise<EngineState | null>;
}

const CALL_MS = 5_000;

/**
 * `client` returns null while Temporal is unreachable. In that case, or when the deadline passes, the caller gets 503.
 */
export function createEngine(client: () => Client | null): Engine {
  return {
    findMissing: createMissingCheck(client),
    loadState: () => loadEngineState(client()),
    async execute<T>(run: Run, deadlineMs: number) {
      const temporal = client();
      if (temporal === null) throw engineUnreachable();
      const deadline = Date.now() + deadlineMs;
      const handle = await callWithDeadline(temporal, deadline, () => startRun(temporal, run));
      return callWithDeadline<T>(temporal, deadline, () => handle.result());
    },
    async start(run) {
      const temporal = client();
      if (temporal === null) throw engineUnreachable();
      await callWithDeadline(temporal, Date.now() + CALL_MS, () => startRun(temporal, run));
    },
    async hasEnded(id, waitMs) {
      const temporal = client();
      if (temporal === null) return false;
      try {
        await temporal.withDeadline(Date.now() + waitMs, () => temporal.workflow.getHandle(id).result());
        return true;
      } catch (error) {
        return error instanceof WorkflowFailedError;
      }
    },
    async signal(id, name) {
      const temporal = client();
      await temporal
        ?.withDeadline(Date.now() + CALL_MS, () => temporal.workflow.getHandle(id).signal(name))
        .catch(() => {});
    },
    async isReachable() {
      const temporal = client();
      if (temporal === null) return false;
      try {
        await temporal.connection.withDeadline(Date.now() + 1_000, () =>
          temporal.connection.workflowService.getSystemInfo({}),
        );
        return true;
      } catch {
        return false;
      }
    },
  };
}

async function callWithDeadline<T>(client: Client, deadline: number, call: () => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(deadline, call);
  } catch (cause) {
    throw cause instanceof WorkflowFailedError
      ? serviceUnavailable("The work could not be finished: try again", cause)
      : engineUnreachable(cause);
  }
}

function engineUnreachable(cause?: unknown): AppError {
  return serviceUnavailable("The workflow engine did not answer in time: try again", cause);
}

function serviceUnavailable(message: string, cause: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 5 }, { cause });
}

/** Temporal's state for an operator. */
interface EngineState {
  version: string | null;
  namespace: string;
  queues: QueueState[];
}

/** The state of one task queue. Workflow and activity tasks are added up. The numbers are the server's estimates. */
interface QueueState {
  name: Queue;
  backlog: number;
  /** How long the oldest task has waited, in milliseconds; zero without waiting tasks. */
  oldestMs: number;
  pollers: number;
}

/** The time limit for all requests together in milliseconds, since a person waits for the answer. */
const ASK_MS = 2_000;
const TYPES = [1, 2]; // temporal.api.enums.v1.TaskQueueType: WORKFLOW, ACTIVITY

/** The state that the server reports about itself and our task queues; null while it does not answer. */
async function loadEngineState(client: Client | null): Promise<EngineState | null> {
  if (client === null) return null;
  const { namespace } = client.options;
  try {
    return await client.withDeadline(Date.now() + ASK_MS, async () => {
      const [{ serverVersion }, ...queues] = await Promise.all([
        client.workflowService.getSystemInfo({}),
        ...QUEUES.map((queue) => loadQueue(client, queue)),
      ]);
      return { version: serverVersion ?? null, namespace, queues };
    });
  } catch {
    return null;
  }
}

async function loadQueue({ workflowService, options: { namespace } }: Client, name: Queue): Promise<QueueState> {
  const parts = await Promise.all(
    TYPES.map((taskQueueType) =>
      workflowService.describeTaskQueue({ namespace, taskQueue: { name }, taskQueueType, reportStats: true }),
    ),
  );
  const ages = parts.map(({ stats }) => {
    const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
    return Number(seconds ?? 0) * 1_000 + Math.round(Number(nanos ?? 0) / 1e6);
  });
  const identities = parts.flatMap(({ pollers }) =>
    (pollers ?? []).filter(isPolling).map(({ identity }) => identity ?? ""),
  );
  return {
    name,
    backlog: parts.reduce((sum, { stats }) => sum + Number(stats?.approximateBacklogCount ?? 0), 0),
    oldestMs: Math.max(...ages),
    pollers: new Set(identities).size,
  };
}
