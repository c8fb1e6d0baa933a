import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { sharedBundle } from "../support/server-host.ts";
import type { World } from "../support/world.ts";
import type { WorkerOrders } from "./worker.ts";

const AGAIN_MS = 1_000;

/** A worker process that can be killed and comes back at once. */
export class KilledWorker {
  readonly #orders: WorkerOrders;
  readonly #script: URL;
  #child: ChildProcess | null = null;

  constructor(orders: WorkerOrders, script = new URL("./worker.ts", import.meta.url)) {
    this.#orders = orders;
    this.#script = script;
  }

  start(): void {
    const script = fileURLToPath(this.#script);
    const child = spawn(process.execPath, ["--no-warnings", script, JSON.stringify(this.#orders)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#child = child;
    // A worker that ends by itself, for example at a start while a server is away, is started again, as a supervisor
    // would do
    child.once("exit", () => setTimeout(() => this.#child === child && this.start(), AGAIN_MS));
  }

  /** SIGKILL: nothing of it gets a chance to finish. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}

/**
 * The worker of a world, not yet started. `certificate` is what its servers show, `engine` where Temporal is if the
 * world has none.
 */
export async function killedWorkerOf(
  world: World,
  certificate: string,
  engine?: string,
  more: Pick<
    WorkerOrders,
    "placement" | "warmupWaits" | "watching" | "providers" | "verification" | "leadSearch" | "crm" | "agent"
  > = {},
): Promise<KilledWorker> {
  return new KilledWorker({
    mongodbUri: world.mongodbUri,
    temporalAddress: world.temporal?.address ?? engine ?? "",
    ...(world.temporal !== null && { namespace: world.temporal.namespace }),
    secretKey: world.services.keyRing.current.key.toString("base64"),
    certificate,
    trackUrl: world.baseUrl,
    ...(await sharedBundle()),
    ...more,
  });
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
