import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Metric } from "@temporalio/common";
import { MetricsBuffer } from "@temporalio/worker";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Ready, WorkerState } from "../api/health.ts";
import {
  agentAccess,
  billingSettings,
  type Config,
  calendarProviders,
  crmProviders,
  leadSearchAccess,
  mailProviders,
  postmasterAccess,
  stripeAccess,
  systemSmtp,
} from "../config.ts";
import { DAY_MS, HOUR_MS } from "../domain/time/durations.ts";
import type { Services } from "../operations/context.ts";
import { buildIdOfSources } from "../runtime/build-id.ts";
import { createConfiguredEgress } from "../runtime/egress.ts";
import { createInstallationMetrics } from "../runtime/installation-gauges.ts";
import type { Listener } from "../runtime/listen.ts";
import type { Log } from "../runtime/log.ts";
import { serveMetrics } from "../runtime/metrics.ts";
import { readinessOf } from "../runtime/readiness.ts";
import { settleRestore } from "../runtime/restore.ts";
import { provideSearchAttributes } from "../runtime/search-attributes.ts";
import { createEngine } from "../temporal/engine.ts";
import type { TemporalLink, TemporalSettings } from "../temporal/link.ts";
import { followVersion, type VersionState } from "./deployment.ts";
import { type RunningWorker, startWorker } from "./queues.ts";
import { installRuntime } from "./runtime.ts";

const RETRY_MS = 5_000;
/**
 * Milliseconds for which a start waits to become the current version. During an upgrade it may have to wait for other
 * processes.
 */
const CURRENT_MS = 5_000;
/** Milliseconds for which a shutdown waits for a request about the version. */
const UNFOLLOW_MS = 1_000;

/** The file with the bundled workflows in a container image (`worker/bundle.ts` writes it). */
export const BUNDLE = fileURLToPath(new URL("./workflows.bundle.js", import.meta.url));

export interface ConfiguredWorker {
  config: Config;
  mongodbUri: string;
  temporal: TemporalSettings;
  link: TemporalLink;
  services: Pick<Services, "keyRing" | "signing">;
  log: Log;
  stopping: AbortSignal;
  graceMs?: number;
  /**
   * Whether this version becomes the current one at its start, because no other process works for this Temporal server.
   * Otherwise `followVersion` and the operator decide.
   */
  takesOver?: boolean;
}

/**
 * Starts the workers that the configuration requests, and retries until Temporal accepts them. Call it once per
 * process.
 */
export async function startConfigured(options: ConfiguredWorker): Promise<RunningWorker> {
  const { config, mongodbUri, temporal, link, services, log, stopping, graceMs, takesOver = false } = options;
  let isWorking = false;
  let running: RunningWorker | null = null;
  let versionState = (): VersionState => "UNKNOWN";
  const buildId = buildIdOfSources();
  const worker = () => ({
    version: buildId,
    versionState: versionState(),
    queues: running?.pollerStates() ?? {},
  });
  const metrics = await startMetrics(options, () => isWorking, worker);
  const egress = await createConfiguredEgress(config, mongodbUri);
  const { keyRing, signing } = services;
  if (config.RESTORED_FROM !== null) await settleRestore(config.RESTORED_FROM, link.client, log, stopping);
  const ending = new AbortController();
  for (;;) {
    try {
      await provideSearchAttributes(temporal, log, stopping);
      const started = await startWorker({
        temporal,
        client: link.client,
        keyRing,
        signing,
        egress,
        log,
        trackUrl: config.TRACK_URL,
        publicUrl: config.PUBLIC_URL,
        abuseContact: config.ABUSE_CONTACT,
        providers: mailProviders(config),
        systemSmtp: systemSmtp(config),
        sheetsUrl: config.SHEETS_URL,
        rspamdUrl: config.RSPAMD_URL,
        postmaster: postmasterAccess(config),
        verifyHelo: config.VERIFY_HELO_NAME,
        leadSearch: leadSearchAccess(config),
        agent: agentAccess(config),
        creditsPerMonth: config.CREDITS_PER_MONTH,
        stripe: stripeAccess(config),
        billingPlans: billingSettings(config)?.plans,
        calendars: calendarProviders(config),
        crm: crmProviders(config),
        blockLists: config.DNSBL_ZONES,
        networks: { scanners: config.SCANNER_NETWORKS, relays: config.RELAY_NETWORKS },
        queues: config.WORKER_QUEUES,
        buildId,
        ...(graceMs !== undefined && { graceMs }),
        ...(existsSync(BUNDLE) && { bundle: { codePath: BUNDLE } }),
      });
      running = started;
      const following = followVersion({
        client: link.client,
        buildId,
        log,
        stopping: AbortSignal.any([stopping, ending.signal]),
        takesOver,
      });
      versionState = following.state;
      await Promise.race([following.settled, delay(CURRENT_MS, undefined, { ref: false })]);
      isWorking = true;
      log.info({ queues: config.WORKER_QUEUES, buildId }, "workers ready");
      const stop = () => {
        isWorking = false;
        ending.abort();
        // A request about the version changes nothing any more for a process that ends
        const unfollowed = Promise.race([following.ended, delay(UNFOLLOW_MS, undefined, { ref: false })]);
        return Promise.all([started.stop(), unfollowed])
          .then(() => {})
          .finally(metrics.close);
      };
      return { ...started, stop };
    } catch (err) {
      stopping.throwIfAborted();
      log.error({ err }, "The workers did not start: trying again");
      await delay(RETRY_MS, undefined, { signal: stopping });
    }
  }
}

/**
 * Serves the metrics of this process and of the Temporal SDK. A process that serves the outbox also serves the metrics
 * of the deployment.
 */
async function startMetrics(
  { config, link, log }: ConfiguredWorker,
  isWorking: () => boolean,
  worker: () => WorkerState,
): Promise<Listener> {
  const ofSdk = collectSdkMetrics();
  installRuntime(log, ofSdk.buffer);
  const engine = createEngine(link.client);
  const installation = config.WORKER_QUEUES.includes("engine")
    ? createInstallationMetrics(engine.findMissing)
    : async () => "";
  const more = async () => (await Promise.all([ofSdk.text(), installation()])).join("\n");
  const general = readinessOf(engine, { missing: [] });
  const ready: Ready = async () => ({ ...(await general()), worker: worker() });
  const listener = await serveMetrics({
    config,
    port: config.METRICS_PORT,
    variable: "METRICS_PORT",
    more,
    ready,
    isWorking,
  });
  return { ...listener, close: () => listener.close().finally(ofSdk.close) };
}

/** The metrics of the Temporal SDK, under its own names. */
interface SdkMetrics {
  buffer: MetricsBuffer;
  /** The lines that Prometheus reads. */
  text(): Promise<string>;
  close(): void;
}

/**
 * The most metric updates in the buffer; the SDK drops further ones. A busy worker creates some thousand per second.
 */
const BUFFER = 100_000;
const DRAIN_MS = 1_000;
const LABELS = [
  ...[
    "namespace",
    "task_queue",
    "operation",
    "service_name",
    "worker_type",
    "poller_type",
    "workflow_type",
    "activity_type",
  ],
  ...["failure_reason", "status_code", "eager"],
];
/** Histogram buckets in milliseconds, by the end of the metric's name. They equal those of the SDK's own exporter. */
const BUCKETS = [
  {
    end: /workflow_endtoend_latency$/,
    limits: [
      100,
      500,
      1_000,
      1_500,
      2_000,
      5_000,
      10_000,
      30_000,
      60_000,
      120_000,
      300_000,
      600_000,
      1_800_000,
      HOUR_MS,
      DAY_MS,
    ],
  },
  { end: /workflow_task_(execution|replay)_latency$/, limits: [1, 10, 20, 50, 100, 200, 500, 1_000] },
  { end: /activity_(execution|succeed_endtoend)_latency$/, limits: [50, 100, 500, 1_000, 5_000, 10_000, 60_000] },
  { end: /schedule_to_start_latency$/, limits: [100, 500, 1_000, 5_000, 10_000, 100_000, 1_000_000] },
  { end: /$/, limits: [50, 100, 500, 1_000, 2_500, 10_000] },
];

/**
 * Collects the metrics inside this process. The SDK's own exporter would open a port that responds to any host name, so
 * that other websites could read it (DNS rebinding).
 */
function collectSdkMetrics(): SdkMetrics {
  const buffer = new MetricsBuffer({ maxBufferSize: BUFFER });
  const registry = new Registry();
  const meters = new Map<string, Meter>();
  const drain = () => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      const meter = meters.get(metric.name) ?? meterOf(metric, registry);
      meters.set(metric.name, meter);
      meter(
        Object.fromEntries(
          LABELS.flatMap((label) => (attributes[label] === undefined ? [] : [[label, String(attributes[label])]])),
        ),
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
