import { DefaultLogger, type LogMetadata, type MetricsBuffer, Runtime } from "@temporalio/worker";
import type { Log } from "../runtime/log.ts";

/**
 * Call it once per process, before anything else of Temporal. Temporal's log lines become ours, and its metrics go into
 * the buffer.
 */
export function installRuntime(log: Log, metrics: MetricsBuffer | null): void {
  Runtime.install({
    logger: new DefaultLogger("WARN", ({ level, message, meta }) => {
      // Most queues carry only activities, as intended
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

/** Which activity or workflow failed, at which attempt, and why. The error's text is written only if we wrote it. */
function failedIn(meta: LogMetadata = {}): Record<string, unknown> {
  const { activityType: activity, workflowType: workflow, workflowId, taskQueue: queue, attempt, error } = meta;
  return { activity, workflow, workflowId, queue, attempt, ...(error !== undefined && { err: error }) };
}
