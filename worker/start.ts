import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
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
import type { Services } from "../operations/context.ts";
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
import { buildIdOfSources, makeCurrent } from "./deployment.ts";
import { installRuntime, type RunningWorker, startWorker } from "./queues.ts";
import { collectSdkMetrics } from "./sdk-metrics.ts";

const RETRY_MS = 5_000;
/** Milliseconds for which a start waits to become the current version. During an upgrade it may have to wait for other processes. */
const CURRENT_MS = 5_000;

/** Where an image carries the bundled workflows (`worker/bundle.ts` writes the file). */
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
}

/** Starts the workers of this process by its configuration, and tries again until Temporal accepts them. Call it once per process. */
export async function startConfigured(options: ConfiguredWorker): Promise<RunningWorker> {
  const { config, mongodbUri, temporal, link, services, log, stopping, graceMs } = options;
  let isWorking = false;
  const metrics = await startMetrics(options, () => isWorking);
  const egress = await createConfiguredEgress(config, mongodbUri);
  const { keyRing, signing } = services;
  if (config.RESTORED_FROM !== null) await settleRestore(config.RESTORED_FROM, link.client, log, stopping);
  const buildId = buildIdOfSources();
  const ending = new AbortController();
  for (;;) {
    try {
      await provideSearchAttributes(temporal, log, stopping);
      const running = await startWorker({
        ...{ temporal, client: link.client, keyRing, signing, egress, log },
        trackUrl: config.TRACK_URL,
        publicUrl: config.PUBLIC_URL,
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
      const current = makeCurrent({ client: link.client, buildId, log, stopping: AbortSignal.any([stopping, ending.signal]) });
      await Promise.race([current, delay(CURRENT_MS, undefined, { ref: false })]);
      isWorking = true;
      log.info({ queues: config.WORKER_QUEUES, buildId }, "workers ready");
      const stop = () => {
        isWorking = false;
        ending.abort();
        return running.stop().finally(metrics.close);
      };
      return { stop };
    } catch (err) {
      stopping.throwIfAborted();
      log.error({ err }, "The workers did not start: trying again");
      await delay(RETRY_MS, undefined, { signal: stopping });
    }
  }
}

/** Serves this process's own metrics, the SDK's, and those of the installation where the keepers of the outbox run. */
async function startMetrics({ config, link, log }: ConfiguredWorker, isWorking: () => boolean): Promise<Listener> {
  const ofSdk = collectSdkMetrics();
  installRuntime(log, ofSdk.buffer);
  const engine = createEngine(link.client);
  const installation = config.WORKER_QUEUES.includes("engine") ? createInstallationMetrics(engine.findMissing) : async () => "";
  const more = async () => (await Promise.all([ofSdk.text(), installation()])).join("\n");
  const ready = readinessOf(engine, { missing: [] });
  const listener = await serveMetrics({ config, port: config.METRICS_PORT, variable: "METRICS_PORT", more, ready, isWorking });
  return { ...listener, close: () => listener.close().finally(ofSdk.close) };
}
