import { DefaultLogger, type LogMetadata, type MetricsBuffer, Runtime } from "@temporalio/worker";
import type { Log } from "../runtime/log.ts";

/**
 * Forwards Temporal's log lines to our log and its metrics to the buffer. Call it once per process, before anything
 * else of Temporal.
 */
export function installRuntime(log: Log, metrics: MetricsBuffer | null): void {
  Runtime.install({
    logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
      // Most queues intentionally have no workflows, only activities
      if (message.startsWith("No workflows registered")) return;
      log[level === "ERROR" ? "error" : "warn"](failedIn(meta), message);
    }),
    telemetryOptions: {
      logging: { forward: {}, filter: "WARN" },
      ...(metrics !== null && { metrics: { buffer: metrics } }),
    },
    shutdownSignals: [],
  });
}

/**
 * Returns which activity or workflow failed, at which attempt, and why. The error's message is logged only if it is our
 * own.
 */
function failedIn(meta: LogMetadata = {}): Record<string, unknown> {
  const { activityType: activity, workflowType: workflow, workflowId, taskQueue: queue, attempt, error } = meta;
  return { activity, workflow, workflowId, queue, attempt, ...(error !== undefined && { err: error }) };
}
