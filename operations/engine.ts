import { type Client, WorkflowFailedError, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from "@temporalio/client";
import { AppError } from "../domain/errors.ts";

/** Temporal seen from a verb: only those that must answer with an outside fact await a workflow. */
export interface Engine {
  /** Runs a workflow (or joins the one of that id) and waits for its result until the deadline. */
  execute<T>(workflow: string, options: { id: string; queue: string; input: object; deadlineMs: number; summary?: string }): Promise<T>;
  isReachable(): Promise<boolean>;
}

/** `client` answers null while Temporal is away; then, and when the deadline passes, the caller reads 503. */
export function engineOf(client: () => Client | null): Engine {
  return {
    async execute<T>(workflow: string, { id, queue, input, deadlineMs, summary }: Parameters<Engine["execute"]>[1]) {
      const temporal = client();
      if (temporal === null) throw away();
      const deadline = Date.now() + deadlineMs;
      const handle = await within(temporal, deadline, () =>
        temporal.workflow.start(workflow, {
          workflowId: id,
          taskQueue: queue,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
          workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
          ...(summary !== undefined && { staticSummary: summary }),
        }),
      );
      return within<T>(temporal, deadline, () => handle.result());
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
