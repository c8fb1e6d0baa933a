import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connection } from "@temporalio/client";
import { registerSearchAttributes, SEARCH_ATTRIBUTES } from "../temporal/search-attributes.ts";
import { type Child, claim, type Exit, launch, whenReady } from "./child.ts";
import { liveRecord } from "./pid-file.ts";
import { accepts, assertFree, freePort } from "./ports.ts";
import type { ProgramEnv, WriteLine } from "./programs/find.ts";
import { findTemporal } from "./programs/temporal-program.ts";

/**
 * The HTTP API accepts commands from any page, listens on its own port and cannot be switched off. Allowing only this
 * name, which no Host has, blocks it. An empty list would still allow requests that name no host.
 */
export const NO_HTTP_API = { "frontend.httpAllowedHosts": ["no host at all"] };

/**
 * Tasks of several workspaces in a queue take turns. That holds within a partition of a queue, so each has one to which
 * tasks are written.
 */
export const FAIR_QUEUES = { "matching.enableFairness": true, "matching.numTaskqueueWritePartitions": 1 };

/** Temporal's web pages. They have no login, so they answer only requests that carry the secret. */
export interface PagesOptions {
  /** 0 takes a free port. */
  port: number;
  /** `startFront` adds it to each request. */
  secret: string;
  /** Whether workflows can be changed there. */
  writes: boolean;
}

export interface TemporalOptions {
  /** The service's data folder, which contains `temporal.db`; null keeps the data in memory. */
  dataDir: string | null;
  /** 0 takes a free port. */
  port: number;
  /** Null: no web pages. They need a server that is built from our Go module. */
  pages: PagesOptions | null;
  /** Keywords; by default SEARCH_ATTRIBUTES of temporal/search-attributes.ts. */
  searchAttributes?: readonly string[];
  /** Server settings by name, such as `history.timerProcessorMaxTimeShift`. */
  dynamicConfig?: Readonly<Record<string, unknown>>;
  /** The value of TEMPORAL_BIN. */
  binary: string | undefined;
  env: ProgramEnv;
  log: WriteLine;
}

export interface Temporal {
  /** host:port of the gRPC service. The namespace is `default`. */
  address: string;
  pid: number;
  port: number;
  /** The port of its web pages on 127.0.0.1; null when there are none. */
  pagesPort: number | null;
  /** Resolves when it has ended, by `stop` or by itself. */
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts a Temporal server and waits until its namespace answers. It ends with this process.
 * @throws Error that says what to do: no program found, folder in use, or port taken.
 */
export async function startTemporal(options: TemporalOptions): Promise<Temporal> {
  const { pages } = options;
  const { path } = await findTemporal({ ...options, withPages: pages !== null });
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), "outreach-temporal-")));
  const release = await claim(home, "temporal");
  let child: Child | undefined;
  const stop = async () => {
    await child?.stop();
    release();
    if (options.dataDir === null) await rm(home, { recursive: true, force: true });
  };
  try {
    const port = await choose(options.port, "TEMPORAL_PORT");
    const pagesPort = pages === null ? null : pages.port || (await freePort());
    const input = pages === null ? {} : { input: pages.secret };
    child = await launch({
      name: "temporal",
      binary: path,
      args: flags(options, port, pagesPort),
      home,
      port,
      ...input,
    });
    await whenReady(child, "The Temporal server", () => answers(port));
    await register(options.searchAttributes ?? SEARCH_ATTRIBUTES, port);
    const { pid, exited } = child;
    return { address: `127.0.0.1:${port}`, pid, port, pagesPort, exited, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

/** The address of the Temporal server that another process runs on this data folder; null when none does. */
export async function findRunningTemporal(dataDir: string): Promise<string | null> {
  const record = await liveRecord(dataDir, "temporal");
  return record ? `127.0.0.1:${record.port}` : null;
}

async function choose(wanted: number, variable: string): Promise<number> {
  if (wanted === 0) return freePort();
  await assertFree(wanted, variable);
  return wanted;
}

function flags(
  { dataDir, pages, searchAttributes = SEARCH_ATTRIBUTES, dynamicConfig = {} }: TemporalOptions,
  port: number,
  pagesPort: number | null,
) {
  // Without the write-ahead log the server is two to three times slower. FULL keeps acknowledged data when the machine
  // loses power.
  const pragmas = ["--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=FULL"];
  return [
    ...["server", "start-dev", "--ip", "127.0.0.1", "--port", String(port), "--log-level", "warn"],
    // Without a flag the Temporal CLI shows its pages
    ...(pagesPort === null ? ["--headless"] : ["--ui-port", String(pagesPort)]),
    ...(pages?.writes === true ? ["--ui-writes"] : []),
    ...(dataDir === null ? [] : ["--db-filename", join(dataDir, "temporal.db"), ...pragmas]),
    ...searchAttributes.flatMap((name) => ["--search-attribute", `${name}=Keyword`]),
    ...Object.entries({ ...NO_HTTP_API, ...FAIR_QUEUES, ...dynamicConfig }).flatMap(([key, value]) => [
      "--dynamic-config-value",
      `${key}=${JSON.stringify(value)}`,
    ]),
  ];
}

/**
 * The server registers the names in its flags only when it creates the database, so names that were added later are
 * registered here.
 */
async function register(names: readonly string[], port: number): Promise<void> {
  const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
  try {
    await registerSearchAttributes(connection, "default", names);
  } finally {
    await connection.close();
  }
}

/** Whether the namespace answers over gRPC. The port opens a moment earlier. */
async function answers(port: number): Promise<boolean> {
  if (!(await accepts(port))) return false;
  const connection = Connection.lazy({ address: `127.0.0.1:${port}` });
  try {
    await connection.withDeadline(Date.now() + 1_000, () =>
      connection.workflowService.describeNamespace({ namespace: "default" }),
    );
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
