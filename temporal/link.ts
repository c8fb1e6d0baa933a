import { setTimeout as delay } from "node:timers/promises";
import { Client, type ClientInterceptors, Connection } from "@temporalio/client";
import { loadClientConnectConfig } from "@temporalio/envconfig";
import { type Config, temporalEnv } from "../config.ts";

const PROBE_MS = 1_000;
const EVERY_MS = 2_000;
/** Milliseconds. gRPC's own pause between attempts to reconnect would grow to two minutes. */
const BACKOFF = { "grpc.initial_reconnect_backoff_ms": 250, "grpc.max_reconnect_backoff_ms": 2_000 };

/**
 * The settings to reach a Temporal server. `connection` fits both the client's `Connection` and the worker's
 * `NativeConnection`.
 */
export interface TemporalSettings {
  namespace: string;
  connection: {
    address: string;
    tls?: NonNullable<ReturnType<typeof loadClientConnectConfig>["connectionOptions"]["tls"]>;
    apiKey?: string;
    metadata?: Record<string, string>;
  };
}

/**
 * The configured server, with the TLS, API key and metadata from the settings and from Temporal's own variables and
 * profile. An embedded server has none of these.
 */
export function temporalSettings(config: Config, embedded: string | null = null): TemporalSettings {
  if (embedded !== null) return { namespace: "default", connection: { address: embedded } };
  if (config.TEMPORAL_ADDRESS === null)
    throw new Error("TEMPORAL_ADDRESS is not set: it must be the host:port of a Temporal server");
  const { namespace = config.TEMPORAL_NAMESPACE, connectionOptions } = loadClientConnectConfig({
    overrideEnvVars: temporalEnv(config),
  });
  const { tls, apiKey, metadata = {} } = connectionOptions;
  const texts = Object.entries(metadata).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return {
    namespace,
    connection: {
      address: config.TEMPORAL_ADDRESS,
      ...(tls != null && { tls }),
      ...(typeof apiKey === "string" && { apiKey }),
      ...(texts.length > 0 && { metadata: Object.fromEntries(texts) }),
    },
  };
}

export interface TemporalLink {
  /** The client, or null while the server does not answer, so that no caller waits in vain. */
  client(): Client | null;
  close(): Promise<void>;
}

/** Connects in the background and reconnects after every outage. It never throws because the server is unreachable. */
export function linkTemporal(
  { namespace, connection: options }: TemporalSettings,
  interceptors: ClientInterceptors = {},
): TemporalLink {
  const connection = Connection.lazy({ ...options, channelArgs: BACKOFF });
  const client = new Client({ connection, namespace, interceptors });
  const closing = new AbortController();
  let isUp = false;
  const watch = async () => {
    while (!closing.signal.aborted) {
      isUp = await answers(connection);
      await delay(isUp ? EVERY_MS : EVERY_MS / 4, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  };
  const watching = watch();
  return {
    client: () => (isUp ? client : null),
    async close() {
      closing.abort();
      await watching; // a call that is retried on a closed connection ends the process
      await connection.close();
    },
  };
}

async function answers(connection: Connection): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + PROBE_MS, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}
