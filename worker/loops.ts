import type { Client } from "@temporalio/client";
import { OUTBOX_LEVEL, OUTBOX_PARTS } from "../domain/outbox.ts";
import { startLeases } from "../mongo/leases.ts";
import type { Log } from "../runtime/log.ts";
import { countHeldParts } from "../runtime/metrics.ts";
import type { KnownNetworks } from "../store/tracking/settle-hits.ts";
import { startDispatcher } from "./dispatcher.ts";
import { startPurger } from "./purger.ts";
import { startReconciler } from "./reconciler.ts";
import { startSettler } from "./settler.ts";

export interface LoopSettings {
  client: () => Client | null;
  log: Log;
  /** Networks of mail scanners and relays. Without them no hit is judged by its network. */
  networks?: KnownNetworks;
  reconcileEveryMs?: number;
}

export interface Loops {
  /** Stops each loop after the work in progress, and lets other processes take its work at once. */
  stop(): Promise<void>;
  /** Ends the renewal of the leases of loops that have not stopped. */
  cut(): void;
}

const NO_NETWORKS: KnownNetworks = { scanners: [], relays: [] };
/** The work that all processes share, and its number of parts. The names are stored. */
const SHARED_WORK = { outbox: OUTBOX_PARTS, settler: 1, reconciler: 1, purger: 1 };
/** Milliseconds without Temporal after which a process leaves the shared work to others. */
const WITHOUT_MS = 5_000;

/** Starts the loops that work for the whole deployment. Each process does its share of them. */
export async function startLoops(settings: LoopSettings): Promise<Loops> {
  const { client, log, networks = NO_NETWORKS, reconcileEveryMs } = settings;
  const leases = await startLeases({
    sizes: SHARED_WORK,
    onFault: (err) => log.warn({ err }, "the lease of shared work could not be renewed"),
    level: createLevel(client),
    onRenewed: countHeldParts,
  });
  const loops = [
    startDispatcher(client, log, leases.of("outbox")),
    startReconciler(client, log, leases.of("reconciler"), reconcileEveryMs),
    startPurger(client, log, leases.of("purger"), reconcileEveryMs),
    startSettler(networks, log, leases.of("settler")),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
    cut: leases.stop,
  };
}

/** The level of this process (`Holder`): the lowest of all while it has had no Temporal for a while. */
function createLevel(client: () => Client | null): () => number {
  let reachedAt = performance.now();
  return () => {
    if (client() !== null) reachedAt = performance.now();
    return performance.now() - reachedAt < WITHOUT_MS ? OUTBOX_LEVEL : 0;
  };
}
