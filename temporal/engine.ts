import { type Client, WorkflowFailedError } from "@temporalio/client";
import { AppError } from "../domain/errors.ts";
import type { Missing } from "../domain/readiness.ts";
import { createMissingCheck } from "./missing.ts";
import { type Run, startRun } from "./run.ts";
import { type EngineState, loadEngineState } from "./state.ts";

/** Temporal as a verb sees it. Only verbs that must return a fact from outside wait for a workflow. */
export interface Engine {
  /**
   * Starts a run, or joins the open one with its id, and waits for its result until the deadline. What the work refuses is part of the
   * result; a run that failed was tried again in vain, and is 503 like one that is late.
   */
  execute<T>(run: Run, deadlineMs: number): Promise<T>;
  /** Starts a run, or joins the open one with its id. */
  start(run: Run): Promise<void>;
  /** Whether a workflow has ended, waiting at most `waitMs`. Also false while Temporal does not answer. */
  hasEnded(id: string, waitMs: number): Promise<boolean>;
  /** Signals a workflow. When it has ended or cannot be reached, nothing happens. */
  signal(id: string, name: string): Promise<void>;
  isReachable(): Promise<boolean>;
  /** What is missing for accepted work to be done; nothing while all is well. Takes two seconds at most. */
  findMissing(): Promise<Missing[]>;
  /** The server and our queues; null while it does not answer. Takes two seconds at most. */
  loadState(): Promise<EngineState | null>;
}

const CALL_MS = 5_000;

/** `client` returns null while Temporal is unreachable. Then, and when the deadline passes, the caller gets 503. */
export function createEngine(client: () => Client | null): Engine {
  return {
    findMissing: createMissingCheck(client),
    loadState: () => loadEngineState(client()),
    async execute<T>(run: Run, deadlineMs: number) {
      const temporal = client();
      if (temporal === null) throw away();
      const deadline = Date.now() + deadlineMs;
      const handle = await within(temporal, deadline, () => startRun(temporal, run));
      return within<T>(temporal, deadline, () => handle.result());
    },
    async start(run) {
      const temporal = client();
      if (temporal === null) throw away();
      await within(temporal, Date.now() + CALL_MS, () => startRun(temporal, run));
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

async function within<T>(client: Client, deadline: number, call: () => Promise<T>): Promise<T> {
  try {
    return await client.withDeadline(deadline, call);
  } catch (cause) {
    throw cause instanceof WorkflowFailedError ? unavailable("The work could not be finished: try again", cause) : away(cause);
  }
}

function away(cause?: unknown): AppError {
  return unavailable("The workflow engine did not answer in time: try again", cause);
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds: 5 }, { cause });
}
