import type { RequestListener } from "node:http";
import type { Router } from "express";
import { createApp } from "../api/app.ts";
import type { ConsoleFiles } from "../api/console/pages.ts";
import type { Ready } from "../api/health.ts";
import { oauthOf } from "../api/oauth/mount.ts";
import { VERSION } from "../api/version.ts";
import { createWaitingApp } from "../api/waiting.ts";
import {
  billingSettings,
  type Config,
  calendarProviders,
  conductLimits,
  crmProviders,
  mailProviders,
  newcomerLimits,
  programEnv,
  signUpLimits,
} from "../config.ts";
import type { Egress } from "../connectors/net/egress.ts";
import { keyRing } from "../domain/access/seal.ts";
import { assertFree } from "../embedded/ports.ts";
import { cacheFolder } from "../embedded/programs/cache.ts";
import { toolServerOf } from "../mcp/http.ts";
import { disconnect } from "../models/connect.ts";
import { loadSigningKeys } from "../operations/access/signing-keys.ts";
import type { ServiceSettings, Services } from "../operations/context.ts";
import { announceAbuseLimits } from "../store/campaigns/conduct.ts";
import { announcePlans } from "../store/workspace-limits.ts";
import type { Engine } from "../temporal/engine.ts";
import { temporalSettings } from "../temporal/link.ts";
import { findConsole } from "./console-files.ts";
import { type DatabaseState, openDatabase } from "./database.ts";
import { createSetupCheck } from "./doctor/run-apart.ts";
import { createConfiguredEgress } from "./egress.ts";
import { type Listener, listen } from "./listen.ts";
import type { Log } from "./log.ts";
import { countRequest } from "./metrics.ts";
import { readinessOf } from "./readiness.ts";
import { announceRestore } from "./restore.ts";
import { traceRequests } from "./tracing.ts";
import { openTracking, type Tracking } from "./tracking.ts";

export interface ApiOptions {
  port: number;
  /** Null means all interfaces. */
  host?: string | null;
  mongodbUri: string;
  secretKey: string;
  retiredKeys: readonly string[];
  engine: Engine;
  settings: ServiceSettings;
  /** The instant of the backup from which the database was restored. */
  restoredFrom?: Date | null;
  log: Log;
  /** Finds the built console, or builds it, until the signal says that the process ends. */
  openConsole?: (stopping: AbortSignal) => ConsoleFiles;
  /** Routers that are mounted next to the API once the database answers. */
  also?: (services: Services) => Router[];
}

export interface RunningApi {
  port: number;
  /**
   * The services of the API once the database has answered; null when the API was stopped before. Rejects when the
   * database can never be used; then nothing is served as long as the process runs.
   */
  opened: Promise<Services | null>;
  ready: Ready;
  /** Whether requests are served from the database. */
  isOpen(): boolean;
  close(): Promise<void>;
}

/** Starts the API by the configuration of this process. */
export async function startConfiguredApi(
  config: Config & { SECRET_KEY: string },
  { mongodbUri, engine, log }: Pick<ApiOptions, "mongodbUri" | "engine" | "log">,
): Promise<RunningApi> {
  let egress: Promise<Egress> | null = null;
  const openEgress = () => {
    egress ??= createConfiguredEgress(config, mongodbUri);
    return egress;
  };
  const api = await startApi({
    port: config.PORT,
    host: config.HOST,
    mongodbUri,
    engine,
    log,
    secretKey: config.SECRET_KEY,
    retiredKeys: config.SECRET_KEYS_RETIRED,
    restoredFrom: config.RESTORED_FROM,
    settings: serviceSettings(config),
    openConsole: (stopping) => findConsole(cacheFolder(programEnv()), log, stopping),
    also: (services) => [oauthOf(services, { egress: openEgress }), toolServerOf(services)],
  });
  return {
    ...api,
    async close() {
      await api.close();
      await (await egress?.catch(() => null))?.close();
    },
  };
}

/** The configuration that operations and pages need. */
function serviceSettings(config: Config): ServiceSettings {
  const { PUBLIC_URL, TRACK_URL, TRUST_PROXY, PROXY_NETWORKS, ALLOWED_HOSTS } = config;
  return {
    publicUrl: PUBLIC_URL,
    trackUrl: TRACK_URL,
    trustProxy: TRUST_PROXY,
    proxyNetworks: PROXY_NETWORKS,
    ownHosts: ALLOWED_HOSTS,
    egressAllow: config.EGRESS_ALLOW,
    allowInsecureMail: config.ALLOW_INSECURE_MAIL,
    providers: mailProviders(config),
    calendars: calendarProviders(config),
    crm: crmProviders(config),
    sheetsUrl: config.SHEETS_URL,
    rspamdUrl: config.RSPAMD_URL,
    hasSystemMail: config.SYSTEM_SMTP_URL !== null,
    hasLeadSearchProvider: config.LEAD_SEARCH_URL !== null,
    creditsPerMonth: config.CREDITS_PER_MONTH,
    hasAgent: config.AGENT_URL !== null,
    agentModel: config.AGENT_MODEL,
    hasPostmaster: config.POSTMASTER_CREDENTIALS !== null,
    allowSignUp: config.ALLOW_SIGNUP,
    signUp: signUpLimits(config),
    conduct: conductLimits(config),
    newcomer: newcomerLimits(config),
    billing: billingSettings(config),
    engineRunsUrl: engineRunsUrl(config),
    version: VERSION,
  };
}

/**
 * The embedded server's pages listen only on this machine, so an operator on another machine needs a setting that names
 * their address.
 */
function engineRunsUrl(config: Config): string | null {
  const { TEMPORAL_UI, TEMPORAL_UI_URL, TEMPORAL_UI_PORT, TEMPORAL_ADDRESS } = config;
  const isEmbedded = TEMPORAL_ADDRESS === null;
  const hasPages = isEmbedded && TEMPORAL_UI && TEMPORAL_UI_PORT !== 0;
  const pages = TEMPORAL_UI_URL ?? (hasPages ? `http://127.0.0.1:${TEMPORAL_UI_PORT}` : null);
  if (pages === null) return null;
  const namespace = isEmbedded ? "default" : temporalSettings(config).namespace;
  return `${pages}/namespaces/${encodeURIComponent(namespace)}/workflows`;
}

/**
 * Listens immediately and answers 503 until the database responds. From then on the driver reconnects by itself.
 * @throws Error when the port is taken.
 */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { port, host, engine, log } = options;
  const stopping = new AbortController();
  const console = options.openConsole?.(stopping.signal);
  const opening: DatabaseState = { missing: [] };
  const ready = readinessOf(engine, opening);
  const waiting: RequestListener = createWaitingApp(ready, options.settings, console);
  let handler = waiting;
  if (port !== 0) await assertFree(port, "PORT");
  const listener: Listener = await listen((req, res) => handler(req, res), port, { host: host ?? undefined });
  let tracking: Tracking | null = null;
  const opened = servicesOf(options, stopping.signal, opening).then((services) => {
    if (services === null) return null;
    tracking = openTracking(services, log);
    const { door } = tracking;
    const app = createApp(services, {
      log,
      ready,
      onAnswered: countRequest,
      before: [traceRequests],
      ...(console && { console }),
      also: [door.pages, ...(options.also?.(services) ?? [])],
    });
    handler = door.before(app);
    log.info({ port: listener.port }, "ready");
    return services;
  });
  return {
    port: listener.port,
    opened,
    ready,
    isOpen: () => handler !== waiting,
    async close() {
      stopping.abort();
      await opened.catch(() => {}); // callers that wait for `opened` get the error
      await listener.close();
      await tracking?.close();
      await disconnect();
    },
  };
}

/** Null when the process was stopped before the database answered. */
async function servicesOf(
  { mongodbUri, secretKey, retiredKeys, engine, settings, restoredFrom = null, log }: ApiOptions,
  stopping: AbortSignal,
  opening: DatabaseState,
): Promise<Services | null> {
  const ring = keyRing(secretKey, [...retiredKeys]);
  try {
    const open = async () => {
      if (restoredFrom !== null) await announceRestore(restoredFrom, log);
      await announcePlans(settings.billing?.plans ?? null);
      await announceAbuseLimits(settings.conduct, settings.newcomer);
      if (settings.allowSignUp && !settings.hasSystemMail)
        log.warn("ALLOW_SIGNUP without SYSTEM_SMTP_URL: addresses are not confirmed, and anyone who signs up can send");
      const checkSetup = createSetupCheck(stopping);
      return { engine, keyRing: ring, signing: await loadSigningKeys(ring), settings, checkSetup };
    };
    return await openDatabase(mongodbUri, ring, log, stopping, open, opening);
  } catch (err) {
    if (stopping.aborted) return null;
    throw err;
  }
}
