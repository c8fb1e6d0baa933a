import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { programEnv, readConfig } from "../config.ts";
import type { Policy } from "../domain/access/policy.ts";
import { type KeyRing, keyRing } from "../domain/access/seal.ts";
import { ALL_SCOPES, type Scope } from "../domain/scopes.ts";
import { type Mongod, startMongod } from "../embedded/mongod.ts";
import { freePort } from "../embedded/ports.ts";
import { startTemporal, type Temporal } from "../embedded/temporal.ts";
import { connect, disconnect, prepareDatabase } from "../models/connect.ts";
import { createKey } from "../operations/access/api-keys.ts";
import { loadAddressHash, loadSigningKeys } from "../operations/access/signing-keys.ts";
import { createWorkspace } from "../operations/access/workspaces.ts";
import { createLog } from "../runtime/log.ts";
import { type Certificate, makeCertificate } from "../test/fakes/certificate.ts";
import { until } from "../test/fakes/wait.ts";
import { type Rest, restOf } from "../test/support/rest.ts";
import { bundleWorkflows } from "../worker/queues.ts";
import type { SinkOrders, Taken } from "./sending/sink.ts";
import { Part } from "./system/processes.ts";
import type { WorkerOrders } from "./system/worker.ts";

const CERTIFICATE_FILE = "ca.pem";

/** The parts of the service, each in its own process, with servers that only the benchmark uses. */
export interface Rig {
  folder: string;
  mongod: Mongod;
  keyRing: KeyRing;
  temporal: Temporal;
  client: Client;
  sink: Sink;
  /** The certificate of the mail servers. */
  certificate: Certificate;
  /** Creates a workspace and an API key with all scopes. */
  workspace(): Promise<BenchWorkspace>;
  api: { pid: number; url: string };
  /** Returns the worker and starts it if it is not running. `flags` are flags of Node. */
  worker(flags?: string[], more?: Pick<WorkerOrders, "crm" | "providers" | "queues">): Promise<Part>;
  /** Kills the worker with SIGKILL; the next call of `worker` starts another. */
  killWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface BenchWorkspace {
  workspaceId: string;
  rest: Rest;
  /**
   * Calls the workspace with another API key, with these scopes or all. A further key is needed because each may call
   * only 600 times a minute.
   */
  another(...scopes: Scope[]): Promise<Rest>;
  /** Calls the workspace with an API key that has this policy. */
  bound(policy: Policy): Promise<Rest>;
}

interface Sink {
  pid: number;
  smtpPort: number;
  subscriberUrl: string;
  counts(): Promise<{ mails: number; webhooks: number }>;
  /** Returns what the sink has received so far, and empties it. */
  take(): Promise<Taken>;
}

/**
 * Starts a MongoDB for the benchmark, connects this process to it and loads its keys. `close` stops it.
 */
export async function startDatabase(
  ring = keyRing(randomBytes(32).toString("base64"), []),
): Promise<{ folder: string; mongod: Mongod; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-bench-"));
  const mongod = await startMongod({
    dataDir: folder,
    port: 0,
    binary: readConfig().MONGOD_BIN ?? undefined,
    env: programEnv(),
    log: console.error,
  });
  await connect(mongod.uri);
  await prepareDatabase(() => loadAddressHash(ring));
  await loadSigningKeys(ring);
  return {
    folder,
    mongod,
    async close() {
      await disconnect();
      await mongod.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * `apiEnv` are environment variables of the API, in addition to those that the rig sets; `dynamicConfig` are settings of
 * the Temporal server.
 */
export async function startRig(
  apiEnv: Record<string, string> = {},
  dynamicConfig: Record<string, unknown> = {},
): Promise<Rig> {
  const secretKey = randomBytes(32).toString("base64");
  const ring = keyRing(secretKey, []);
  const { folder, mongod, close: closeDatabase } = await startDatabase(ring);
  const temporal = await startTemporal({
    dataDir: folder,
    port: 0,
    pages: null,
    dynamicConfig,
    binary: readConfig().TEMPORAL_BIN ?? undefined,
    env: programEnv(),
    log: console.error,
  });
  const certificate = await makeCertificate();
  await writeFile(join(folder, CERTIFICATE_FILE), certificate.cert);
  const codePath = join(folder, "workflows.js");
  await writeFile(codePath, (await bundleWorkflows(createLog("error"))).code);
  const sinkPart = await Part.start(new URL("./sending/sink.ts", import.meta.url), {
    certificate,
  } satisfies SinkOrders);
  const api = await startApi({ folder, mongod, temporal, secretKey }, apiEnv);
  const connection = await Connection.connect({ address: temporal.address });
  const orders: WorkerOrders = {
    mongodbUri: mongod.uri,
    temporalAddress: temporal.address,
    secretKey,
    certificate: certificate.cert,
    codePath,
  };
  let worker: Promise<Part> | null = null;
  const ports = await sinkPart.ask<{ smtp: number; subscriberUrl: string }>("ports");
  return {
    folder,
    mongod,
    keyRing: ring,
    temporal,
    certificate,
    client: new Client({ connection }),
    sink: {
      pid: sinkPart.pid,
      smtpPort: ports.smtp,
      subscriberUrl: ports.subscriberUrl,
      counts: () => sinkPart.ask("counts"),
      take: () => sinkPart.ask("take"),
    },
    api,
    workspace: () => workspaceAt(api.url),
    worker(flags = [], more = {}) {
      worker ??= Part.start(new URL("./system/worker.ts", import.meta.url), { ...orders, ...more }, [
        ...MEMORY_FLAGS,
        ...flags,
      ]);
      return worker;
    },
    async killWorker() {
      await (await worker)?.kill();
      worker = null;
    },
    async close() {
      await (await worker)?.stop();
      await Promise.all([api.stop(), sinkPart.stop()]);
      await connection.close();
      await temporal.stop();
      await closeDatabase();
    },
  };
}

/**
 * The Node flags with which package.json, Dockerfile and docker-compose.yml start the service. They make garbage
 * collection run earlier, at little cost.
 */
const MEMORY_FLAGS = ["--max-semi-space-size=8", "--heap-growing-percent=50"];

interface ApiOrders {
  folder: string;
  mongod: Mongod;
  temporal: Temporal;
  secretKey: string;
}

/** Starts the API process as in production. */
async function startApi({ folder, mongod, temporal, secretKey }: ApiOrders, apiEnv: Record<string, string>) {
  const port = await freePort();
  const env = {
    ...programEnv(),
    PORT: String(port),
    MONGODB_URI: mongod.uri,
    TEMPORAL_ADDRESS: temporal.address,
    SECRET_KEY: secretKey,
    EGRESS_ALLOW: "localhost:*",
    EXTRA_CA_FILE: join(folder, CERTIFICATE_FILE),
    LOG_LEVEL: "error",
    API_METRICS_PORT: "0", // another rig may run at the same time
    ...apiEnv,
  };
  const child = spawn(process.execPath, ["--no-warnings", ...MEMORY_FLAGS, "api/main.ts"], {
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  process.once("exit", () => child.kill());
  const url = `http://127.0.0.1:${port}`;
  await until(() => statusOf(`${url}/readyz`).then((status) => status === 200), {
    deadlineMs: 30_000,
    what: "the API to be ready",
  });
  return {
    pid: child.pid ?? 0,
    url,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The HTTP status of the URL; 0 if no server answers. */
export async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

async function workspaceAt(url: string): Promise<BenchWorkspace> {
  const { workspaceId, ownerId } = await createWorkspace({ name: "Bench", email: "owner@bench.test" });
  const keyOf = async (scopes: readonly Scope[], policy?: Policy) => {
    const grantedScopes = scopes.length > 0 ? [...scopes] : ALL_SCOPES;
    const { key } = await createKey({
      workspaceId,
      name: "bench",
      scopes: grantedScopes,
      createdBy: ownerId,
      ...(policy && { policy }),
    });
    return restOf(`${url}/api/v1`, key);
  };
  const another = (...scopes: Scope[]) => keyOf(scopes);
  return { workspaceId, rest: await another(), another, bound: (policy) => keyOf([], policy) };
}
