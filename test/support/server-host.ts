import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";
import mongoose from "mongoose";
import { programEnv, readConfig } from "../../config.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { type Mongod, startMongod } from "../../embedded/mongod.ts";
import { startTemporal, type Temporal } from "../../embedded/temporal.ts";
import { createLog } from "../../runtime/log.ts";
import { registerSearchAttributes, unusableSearchAttributes } from "../../temporal/search-attributes.ts";
import { until } from "../fakes/wait.ts";

const [WORKFLOWS, ENGINE] = ["/workflows", "/engine"];

export interface ServerHost {
  url: string;
  stop(): Promise<void>;
}

/**
 * Tells test files where to find what they share: a MongoDB, a Temporal server and the bundle of the workflows. The
 * first question makes it.
 */
export async function startServerHost(): Promise<ServerHost> {
  const dataDir = await mkdtemp(join(tmpdir(), "outreach-test-"));
  let mongod: Promise<Mongod> | undefined;
  let bundle: Promise<string> | undefined;
  let engine: Promise<SharedEngine> | undefined;
  const find = async (url: string | undefined) => {
    if (url === WORKFLOWS) {
      bundle ??= bundled(dataDir);
      return bundle;
    }
    if (url === ENGINE) {
      engine ??= startSharedEngine();
      return JSON.stringify(await (await engine).newNamespace());
    }
    mongod ??= keepingMongod(dataDir);
    return (await mongod).uri;
  };
  const server = createServer((req, res) => {
    res.setHeader("Connection", "close"); // the next file asks much later
    find(req.url).then(
      (found) => res.end(found),
      (err) => res.writeHead(500).end(String(err)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      await (await engine?.catch(() => undefined))?.stop();
      await (await mongod?.catch(() => undefined))?.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Where the workflows lie bundled in one script, since bundling them takes seconds. */
async function bundled(dataDir: string): Promise<string> {
  const { bundleWorkflows } = await import("../../worker/queues.ts");
  const path = join(dataDir, "workflows.js");
  await writeFile(path, (await bundleWorkflows(createLog("error"))).code);
  return path;
}

/** The address of the shared MongoDB. */
export function sharedMongodb(): Promise<string> {
  return asked("/");
}

/** The bundle of the workflows, in the form that a worker takes. */
export async function sharedBundle(): Promise<{ codePath: string }> {
  return { codePath: await asked(WORKFLOWS) };
}

/** A namespace of the shared Temporal server that no file has used. */
export interface TestNamespace {
  address: string;
  namespace: string;
}

export async function newNamespace(): Promise<TestNamespace> {
  return JSON.parse(await asked(ENGINE));
}

interface SharedEngine {
  newNamespace(): Promise<TestNamespace>;
  stop(): Promise<void>;
}

async function startSharedEngine(): Promise<SharedEngine> {
  const server = await throwAwayTemporal();
  const connection = await Connection.connect({ address: server.address });
  let made = 0;
  return {
    async newNamespace() {
      const namespace = `test-${++made}`;
      await connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs(DAY_MS),
      });
      await until(() => isUsable(connection, namespace), { deadlineMs: 60_000, what: `the namespace ${namespace}` });
      return { address: server.address, namespace };
    },
    async stop() {
      await connection.close();
      await server.stop();
    },
  };
}

async function isUsable(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await registerSearchAttributes(connection, namespace);
    return (await unusableSearchAttributes(new Client({ connection, namespace }))).length === 0;
  } catch {
    return false;
  }
}

/** A Temporal server in memory that belongs to its caller. */
function throwAwayTemporal(): Promise<Temporal> {
  const start = () =>
    startTemporal({
      dataDir: null,
      port: 0,
      pages: null,
      dynamicConfig: { "history.timerProcessorMaxTimeShift": "50ms", "system.namespaceCacheRefreshInterval": "1s" },
      binary: readConfig().TEMPORAL_BIN ?? undefined,
      env: programEnv(),
      log: () => {},
    });
  // It chooses free ports for its parts a moment before it takes them, and another connection may take one in that
  // moment
  return start().catch(start);
}

async function asked(path: string): Promise<string> {
  const host = process.env["TEST_SERVER_HOST"];
  if (host === undefined) throw new Error("The tests are started by Jest with test/support/global-setup.ts");
  const response = await fetch(new URL(path, host));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/**
 * The shared MongoDB deletes nothing by itself. Every minute it would delete expired rows. Tests store rows of long
 * ago, and a test that looks at them in that instant would miss them.
 */
async function keepingMongod(dataDir: string): Promise<Mongod> {
  const mongod = await throwAwayMongod(dataDir);
  const client = await mongoose.mongo.MongoClient.connect(mongod.uri);
  await client.db("admin").command({ setParameter: 1, ttlMonitorEnabled: false });
  await client.close();
  return mongod;
}

/** A MongoDB that belongs to one test, to be killed. */
export function throwAwayMongod(dataDir: string, port = 0): Promise<Mongod> {
  const { MONGOD_BIN } = readConfig();
  return startMongod({ dataDir, port, binary: MONGOD_BIN ?? undefined, env: programEnv(), log: () => {} });
}
