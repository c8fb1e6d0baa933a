import { type Client, WorkflowFailedError, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from "@temporalio/client";
import { AppError } from "../domain/errors.ts";

/** Temporal seen from a verb: only those that must answer with an outside fact await a workflow. */
export interface Engine {
  /** Runs a workflow (or joins the one of that id) and waits for its result until the deadline. */
  execute<T>(workflow: string, options: { id: string; queue: string; input: object; deadlineMs: number; summary?: string }): Promise<T>;
  /** Starts a workflow, or joins the one of that id. */
  start(workflow: string, options: { id: string; queue: string; input: object; summary: string }): Promise<void>;
  /** Whether a workflow has ended, waiting so long for it; false too while Temporal does not answer. */
  hasEnded(id: string, waitMs: number): Promise<boolean>;
  /** Tells a workflow; one that has ended, or cannot be reached, is not told. */
  signal(id: string, name: string): Promise<void>;
  isReachable(): Promise<boolean>;
}

const CALL_MS = 5_000;

/** `client` answers null while Temporal is away; then, and when the deadline passes, the caller reads 503. */
export function engineOf(client: () => Client | null): Engine {
  return {
    async execute<T>(workflow: string, { id, queue, input, deadlineMs, summary }: Parameters<Engine["execute"]>[1]) {
      const temporal = client();
      if (temporal === null) throw away();
      const deadline = Date.now() + deadlineMs;
      const handle = await within(temporal, deadline, () => started(temporal, workflow, { id, queue, input, summary }));
      return within<T>(temporal, deadline, () => handle.result());
    },
    async start(workflow, options) {
      const temporal = client();
      if (temporal === null) throw away();
      await within(temporal, Date.now() + CALL_MS, () => started(temporal, workflow, options));
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
      await temporal?.withDeadline(Date.now() + CALL_MS, () => temporal.workflow.getHandle(id).signal(name)).catch(() => {});
    },
    async isReachable() {
      const temporal = client();
      if (temporal === null) return false;
      try {
        await temporal.connection.withDeadline(Date.now() + 1_000, () => temporal.connection.workflowService.getSystemInfo({}));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function started(temporal: Client, workflow: string, { id, queue, input, summary }: Started) {
  return temporal.workflow.start(workflow, {
    workflowId: id,
    taskQueue: queue,
    args: [input],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    ...(summary !== undefined && { staticSummary: summary }),
  });
}

interface Started {
  id: string;
  queue: string;
  input: object;
  summary: string | undefined;
}

async function within<T>(client: Client, deadline: number, call: () => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(deadline, call);
  } catch (cause) {
    if (cause instanceof WorkflowFailedError) throw cause;
    throw away(cause);
  }
}

function away(cause?: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", "The workflow engine did not answer in time: try again", { retryAfterSeconds: 5 }, { cause });
}
