import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ExportResult } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace-base";
import type { RequestHandler } from "express";
import type { Config } from "../config.ts";
import type { Shutdown } from "./shutdown.ts";
import type { Tracing } from "./tracing-temporal.ts";

const STOP_MS = 3_000;
let started: Tracing | null = null;

/** The tracing of this process; null unless OTEL_EXPORTER_OTLP_ENDPOINT is set. */
export function tracing(): Tracing | null {
  return started;
}

/**
 * Begins to trace where an endpoint is set. Call it before any code of Temporal. Without an endpoint, OpenTelemetry's
 * SDK is not loaded.
 */
export async function startTracing(config: Config, shutdown: Shutdown): Promise<void> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return;
  const [
    { OTLPTraceExporter },
    { Resource },
    { BasicTracerProvider, BatchSpanProcessor },
    { AsyncLocalStorageContextManager },
    temporal,
  ] = await Promise.all([
    import("@opentelemetry/exporter-trace-otlp-http"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/context-async-hooks"),
    import("./tracing-temporal.ts"),
  ]);
  const resource = new Resource({ "service.name": config.OTEL_SERVICE_NAME });
  const exporter = withoutSecrets(new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` }));
  const processor = new BatchSpanProcessor(exporter);
  const provider = new BasicTracerProvider({ resource, spanProcessors: [processor] });
  provider.register({ contextManager: new AsyncLocalStorageContextManager().enable() });
  started = temporal.interceptorsOf(processor, resource);
  shutdown.add("The traces", STOP_MS, () => provider.shutdown());
}

/** Gives each request a span in its own trace. Trace headers of callers are ignored, since anyone may call. */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (started === null) return next();
  const span = trace.getTracer("outreach").startSpan(req.method, { kind: SpanKind.SERVER, root: true });
  res.once("close", () =>
    endSpan(span, req.method, res.locals["route"] ?? "none", res.statusCode, String(res.getHeader("X-Trace-Id"))),
  );
  return context.with(trace.setSpan(context.active(), span), next);
};

function endSpan(span: Span, method: string, route: string, status: number, traceId: string): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "outreach.trace_id": traceId,
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Everything that spans may contain: ids, our own names, codes. */
const ALLOWED = new Set([
  ...["http.request.method", "http.route", "http.response.status_code", "outreach.trace_id", "smtp.outcome"],
  ...[
    "run_id",
    "temporalWorkflowId",
    "temporalActivityId",
    "workflowId",
    "runId",
    "workflowType",
    "taskQueue",
    "attempt",
  ],
]);

/**
 * The interceptors record the texts of errors, and a library's text may contain an address. This allow-list keeps all
 * of them inside.
 */
export function withoutSecrets(inner: SpanExporter): SpanExporter {
  return {
    export: (spans: ReadableSpan[], done: (result: ExportResult) => void) => inner.export(spans.map(allowedSpan), done),
    shutdown: () => inner.shutdown(),
    forceFlush: async () => inner.forceFlush?.(),
  };
}

function allowedSpan(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name, value]) => ALLOWED.has(name) && typeof value !== "object"),
  );
  const failures = span.events.map(({ name, time, attributes: eventAttributes = {} }) => {
    const type = eventAttributes["exception.type"];
    return {
      name: name === "exception" ? name : "event",
      time,
      attributes: type === undefined ? {} : { "exception.type": type },
    };
  });
  const shown = { attributes, events: failures, status: { code: span.status.code } };
  return Object.create(span, Object.getOwnPropertyDescriptors(shown));
}
