import { freePort } from "../../embedded/ports.ts";
import { until } from "../fakes/wait.ts";
import { runService, type Service } from "../support/service.ts";
import type { World } from "../support/world.ts";

/** From just before a kill until the next process was seen to serve, in epoch milliseconds. */
export interface Outage {
  killedAt: number;
  servesAt: number;
}

const START_MS = 60_000;
const END_MS = 20_000;

/** An API process that can be killed and comes back at once on the same port. */
export class KilledApi {
  readonly outages: Outage[] = [];
  readonly url: string;
  readonly #variables: Record<string, string>;
  #service: Service | null = null;

  private constructor(variables: Record<string, string>) {
    this.#variables = variables;
    this.url = `http://127.0.0.1:${variables["PORT"]}`;
  }

  /** The API on the database of a world, whose clients come as if from addresses of their own (`X-Forwarded-For`). */
  static async on(world: World, { engine, mongodbUri }: { engine: string; mongodbUri: string }): Promise<KilledApi> {
    const [PORT, API_METRICS_PORT] = [String(await freePort()), String(await freePort())];
    return new KilledApi({
      PORT,
      API_METRICS_PORT,
      HOST: "127.0.0.1",
      TRUST_PROXY: "1",
      LOG_LEVEL: "error",
      MONGODB_URI: mongodbUri,
      TEMPORAL_ADDRESS: engine,
      SECRET_KEY: world.services.keyRing.current.key.toString("base64"),
    });
  }

  /** Resolves once it serves from the database. */
  async start(): Promise<void> {
    const service = runService(this.#variables, [], "api/main.ts");
    this.#service = service;
    const serves = async () => (await fetch(`${this.url}/t/o/none`).catch(() => null))?.status === 200;
    await until(serves, { deadlineMs: START_MS, what: `the API to serve:\n${service.output()}`, longestMs: 50 });
  }

  /**
   * SIGKILL: nothing of it gets a chance to finish. The next one is started after `between`; resolves once it serves.
   */
  async kill(between: () => Promise<void> = async () => {}): Promise<void> {
    const killedAt = Date.now();
    const outage = { killedAt, servesAt: Number.POSITIVE_INFINITY };
    this.outages.push(outage);
    await this.#service?.end("SIGKILL", END_MS);
    await between();
    await this.start();
    outage.servesAt = Date.now();
  }

  /** Lets it end in order. Returns its code; null where it does not run. */
  async stop(): Promise<number | null> {
    const service = this.#service;
    this.#service = null;
    return service === null ? null : service.end("SIGTERM", END_MS);
  }

  output(): string {
    return this.#service?.output() ?? "";
  }
}
