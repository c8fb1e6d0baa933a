import { createRequire } from "node:module";
import type { Resource } from "@opentelemetry/resources";
import type { SpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { ClientInterceptors } from "@temporalio/client";
import { OpenTelemetryWorkflowClientInterceptor } from "@temporalio/interceptors-opentelemetry/lib/client/index.js";
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryActivityOutboundInterceptor,
} from "@temporalio/interceptors-opentelemetry/lib/worker/index.js";
import type { OpenTelemetrySinks } from "@temporalio/interceptors-opentelemetry/lib/workflow/definitions.js";
import type { InjectedSinks, WorkerInterceptors } from "@temporalio/worker";

/**
 * What a process adds to its clients and workers so that a trace continues from a request through workflows to the mail
 * server.
 */
export interface Tracing {
  client: ClientInterceptors;
  worker: WorkerInterceptors;
  /** Receives the spans of workflows, which cannot send anything out of their isolate. */
  sinks: InjectedSinks<OpenTelemetrySinks>;
  /** Modules that the bundle of the workflows must have. */
  workflowModules: string[];
}

/**
 * Temporal's own interceptors. They carry a trace in headers of starts, signals and activities, which the replay of a
 * history does not compare.
 */
export function interceptorsOf(processor: SpanProcessor, resource: Resource): Tracing {
  const client = { workflow: [new OpenTelemetryWorkflowClientInterceptor()] };
  return {
    client,
    worker: {
      client,
      activity: [
        (ctx) => ({
          inbound: new OpenTelemetryActivityInboundInterceptor(ctx),
          outbound: new OpenTelemetryActivityOutboundInterceptor(ctx),
        }),
      ],
    },
    sinks: { exporter: makeWorkflowExporter(processor, resource) },
    workflowModules: [WORKFLOW_INTERCEPTORS],
  };
}

/** What the bundle contains besides the workflows when they are traced. */
export const WORKFLOW_INTERCEPTORS = createRequire(import.meta.url).resolve(
  "@temporalio/interceptors-opentelemetry/lib/workflow-interceptors",
);
