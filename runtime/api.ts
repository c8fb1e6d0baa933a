import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { Router } from "express";
import { createApp } from "../api/app.ts";
import type { Ready } from "../api/health.ts";
import { waiting } from "../api/waiting.ts";
import { keyRing } from "../domain/access/seal.ts";
import { assertFree } from "../embedded/ports.ts";
import { connect, disconnect, ensureIndexes, isConnected } from "../models/connect.ts";
import { load } from "../operations/access/signing-keys.ts";
import type { ServiceSettings, Services } from "../operations/context.ts";
import { recipientsOverdue } from "../operations/recipients/overdue.ts";
import type { Engine } from "../temporal/engine.ts";
import { type Listener, listen } from "./listen.ts";
import type { Log } from "./log.ts";
import { announceRestore } from "./restore.ts";

const RETRY_MS = 1_000;
const PROBE_MS = 2_000;

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
  /** Routers that are mounted next to the API once the database answers. */
  also?: (services: Services) => Router[];
}

/**
 * Listens at once and answers 503 until the database responds. From then on the driver reconnects by itself.
 * @throws Error when the port is taken.
 */
export async function startApi(options: ApiOptions): Promise<{ port: number; close(): Promise<void> }> {
  const { port, host, engine, log } = options;
  const stopping = new AbortController();
  const ready: Ready = async () => {
    const mongodb = await isUp();
    return { mongodb, engine: await engine.isReachable(), recipientsOverdue: mongodb ? await soon(recipientsOverdue()) : null };
  };
  let handler: RequestListener = waiting(ready);
  if (port !== 0) await assertFree(port, "PORT");
  const listener: Listener = await listen((req, res) => handler(req, res), port, { host: host ?? undefined });
  const opening = servicesOf(options, stopping.signal).then((services) => {
    if (services === null) return;
    handler = createApp(services, { log, ready, ...(options.also && { also: options.also(services) }) });
    log.info({ port: listener.port }, "ready");
  });
  return {
    port: listener.port,
    async close() {
      stopping.abort();
      await opening;
      await listener.close();
      await disconnect();
    },
  };
}

/** Null when the process was stopped before the database answered. */
async function servicesOf(
  { mongodbUri, secretKey, retiredKeys, engine, settings, restoredFrom = null, log }: ApiOptions,
  stopping: AbortSignal,
): Promise<Services | null> {
  const ring = keyRing(secretKey, [...retiredKeys]);
  while (!stopping.aborted) {
    try {
      await connect(mongodbUri);
      await ensureIndexes();
      if (restoredFrom !== null) await announceRestore(restoredFrom, log);
      return { engine, keyRing: ring, signing: await load(ring), settings };
    } catch (err) {
      log.error({ err }, "The database does not answer: trying again");
      await disconnect();
      await delay(RETRY_MS, undefined, { signal: stopping }).catch(() => {});
    }
  }
  return null;
}

/** A health probe must be answered faster than a write may take. */
function isUp(): Promise<boolean> {
  return Promise.race([isConnected(), delay(PROBE_MS, false, { ref: false })]);
}

function soon(count: Promise<number>): Promise<number | null> {
  return Promise.race([count, delay(PROBE_MS, null, { ref: false })]).catch(() => null);
}
