import type { Metric } from "@temporalio/common";
import { MetricsBuffer } from "@temporalio/worker";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { DAY_MS, HOUR_MS } from "../domain/time/durations.ts";

/** What the Temporal SDK counts, in its own names. */
export interface SdkMetrics {
  buffer: MetricsBuffer;
  /** The lines that Prometheus reads. */
  text(): Promise<string>;
  close(): void;
}

/** The SDK drops what does not fit. A busy worker counts some thousand times a second. */
const BUFFER = 100_000;
const DRAIN_MS = 1_000;
const LABELS = [
  ...["namespace", "task_queue", "operation", "service_name", "worker_type", "poller_type", "workflow_type", "activity_type"],
  ...["failure_reason", "status_code", "eager"],
];
/** Milliseconds, by the end of a histogram's name: those that the SDK's own exporter uses. */
const BUCKETS = [
  {
    end: /workflow_endtoend_latency$/,
    limits: [100, 500, 1_000, 1_500, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, HOUR_MS, DAY_MS],
  },
  { end: /workflow_task_(execution|replay)_latency$/, limits: [1, 10, 20, 50, 100, 200, 500, 1_000] },
  { end: /activity_(execution|succeed_endtoend)_latency$/, limits: [50, 100, 500, 1_000, 5_000, 10_000, 60_000] },
  { end: /schedule_to_start_latency$/, limits: [100, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000] },
  { end: /$/, limits: [50, 100, 500, 1_000, 2_500, 10_000] },
];

/**
 * Collects them inside this process. The exporter of the SDK would open a port that answers anybody, also a page of another site under a
 * name that leads to this machine.
 */
export function collectSdkMetrics(): SdkMetrics {
  const buffer = new MetricsBuffer({ maxBufferSize: BUFFER });
  const registry = new Registry();
  const meters = new Map<string, Meter>();
  const drain = () => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      const meter = meters.get(metric.name) ?? meterOf(metric, registry);
      meters.set(metric.name, meter);
      meter(
        Object.fromEntries(LABELS.flatMap((label) => (attributes[label] === undefined ? [] : [[label, String(attributes[label])]]))),
        value,
      );
    }
  };
  const draining = setInterval(drain, DRAIN_MS).unref();
  return {
    buffer,
    text() {
      drain();
      return registry.metrics();
    },
    close: () => clearInterval(draining),
  };
}

type Meter = (labels: Record<string, string>, value: number) => void;

function meterOf({ name, kind, description = name }: Metric, registry: Registry): Meter {
  const about = { name, help: description, labelNames: LABELS, registers: [registry] };
  if (kind === "counter") {
    const counter = new Counter(about);
    return (labels, value) => counter.inc(labels, value);
  }
  if (kind === "histogram") {
    const histogram = new Histogram({ ...about, buckets: BUCKETS.find(({ end }) => end.test(name))?.limits ?? [] });
    return (labels, value) => histogram.observe(labels, value);
  }
  const gauge = new Gauge(about);
  return (labels, value) => (kind === "gauge" ? gauge.set(labels, value) : gauge.inc(labels, value));
}
