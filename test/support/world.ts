import { createHash, randomUUID } from "node:crypto";
import { Client, Connection } from "@temporalio/client";
import type { Router } from "express";
import mongoose from "mongoose";
import { createApp } from "../../api/app.ts";
import type { ConsoleFiles } from "../../api/console/pages.ts";
import { LIMITS, type RateLimits } from "../../api/limits.ts";
import { VERSION } from "../../api/version.ts";
import { KEY_POLICY, type Policy, policyOf, type Way } from "../../domain/access/policy.ts";
import { keyRing } from "../../domain/access/seal.ts";
import { NO_CALENDARS } from "../../domain/agent/calendar-provider.ts";
import { NO_CRM } from "../../domain/crm/provider.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALL_SCOPES, type Scope } from "../../domain/scopes.ts";
import { toolServerOf } from "../../mcp/http.ts";
import { connect, disconnect, prepareDatabase } from "../../models/connect.ts";
import { forgetRates } from "../../mongo/rate-limit.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { loadAddressHash, loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import type { Services } from "../../operations/context.ts";
import type { Route } from "../../operations/declaration.ts";
import { createSetupCheck } from "../../runtime/doctor/run-apart.ts";
import { listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { readinessOf } from "../../runtime/readiness.ts";
import { openTracking } from "../../runtime/tracking.ts";
import { announceAbuseLimits } from "../../store/campaigns/conduct.ts";
import { announcePlans } from "../../store/workspace-limits.ts";
import { createEngine } from "../../temporal/engine.ts";
import { awaitEnd, until } from "../fakes/wait.ts";
import { keptPromise } from "./contract.ts";
import { type Rest, restOf } from "./rest.ts";
import { newNamespace, sharedMongodb, type TestNamespace } from "./server-host.ts";
import { signInOwner } from "./signed-in.ts";

export interface WorldOptions {
  /** Takes a separate database, for tests that look at or change what all workspaces share, such as indexes. */
  apart?: boolean;
  /** Takes a namespace of the shared Temporal server, for this file alone. */
  temporal?: boolean;
  /**
   * Called once the database and Temporal answer (`realWorker()` of real-worker.ts). The function it returns is
   * called at the end.
   */
  worker?: (world: {
    services: Services;
    temporal: TestNamespace & { client: Client };
  }) => Promise<() => Promise<void>>;
  /** Used instead of the shared MongoDB. */
  mongodbUri?: string;
  routes?: readonly Route[];
  /** Further routers beside the API. */
  also?: (services: Services) => Router[];
  limits?: RateLimits;
  /** The built console; without it no page beside those that sign people in is served. */
  console?: ConsoleFiles;
  /** Hits of one address that are stored in a minute; as many as come unless named. */
  mostHitsAMinute?: number;
  settings?: Partial<Services["settings"]>;
  /** Settings that the check of the set-up reads besides those of the world's servers. */
  setup?: Record<string, string>;
  /** Gets the lines of the log. */
  onLog?: (line: string) => void;
}

export interface World {
  services: Services;
  baseUrl: string;
  /** The address of its database. */
  mongodbUri: string;
  /** Null without `temporal`. */
  temporal: (TestNamespace & { client: Client }) | null;
  /** Makes a new workspace and a key of these scopes, or of all 41 when none is named. */
  workspace(...scopes: Scope[]): Promise<{
    workspaceId: string;
    ownerId: string;
    key: string;
    rest: Rest;
    withScopes(...scopes: Scope[]): Promise<Rest>;
    /** A key that may send as this policy says; parts that it leaves out are those of every key. */
    withPolicy(policy: PolicyAsked, ...scopes: Scope[]): Promise<Rest>;
    /** Such a key itself, for the tool server. */
    keyWithPolicy(policy: PolicyAsked, ...scopes: Scope[]): Promise<string>;
    /** Its owner, signed in in their own browser. */
    person(): Promise<Rest>;
  }>;
  close(): Promise<void>;
}

/** Parts of a policy; `sends` stands for what one word about sending does. */
export type PolicyAsked = Partial<Policy> & { sends?: Way };

/** The API on a free port, a database on a real MongoDB, and Temporal when asked for. One world per test file. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const server = options.mongodbUri ?? (await sharedMongodb());
  const kind =
    options.mongodbUri !== undefined ? "own" : options.apart || options.temporal || options.worker ? "apart" : "shared";
  const mongodbUri = server.replace("/?", `/${DATABASES[kind]}?`);
  await connected(mongodbUri);
  await prepare(mongodbUri, kind);
  // What such a file does to the indexes ends with it
  if (options.apart || kind === "own") prepared.delete(mongodbUri);
  const temporal = options.temporal || options.worker ? await startEngine() : null;
  const services = await servicesOf(temporal?.client ?? null, options.settings, {
    MONGODB_URI: mongodbUri,
    SECRET_KEY,
    ...(temporal && { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace }),
    ...options.setup,
  });
  const log = createLog(options.onLog ? "info" : "silent", { write: (line) => options.onLog?.(line) });
  const ready = readinessOf(services.engine, { missing: [] });
  const { routes, limits = UNLIMITED } = options;
  const tracking = openTracking(services, log, { mostAMinute: options.mostHitsAMinute ?? UNLIMITED.perCredential });
  const also = [tracking.door.pages, toolServerOf(services), ...(options.also?.(services) ?? [])];
  const app = createApp(services, {
    log,
    ready,
    limits,
    also,
    ...(routes && { routes }),
    ...(options.console && { console: options.console }),
  });
  const listener = await listen(tracking.door.before(app), 0, { host: "127.0.0.1" });
  const stopWorker = temporal && options.worker ? await options.worker({ services, temporal }) : null;
  const baseUrl = `http://127.0.0.1:${listener.port}`;
  return {
    services,
    baseUrl,
    mongodbUri,
    temporal,
    workspace: (...scopes) => newWorkspace(baseUrl, scopes, routes === undefined ? keptPromise : undefined),
    async close() {
      await awaitEnd("The worker", stopWorker?.());
      await awaitEnd("The API", listener.close());
      await awaitEnd("The tracking", tracking.close());
      await awaitEnd("The database", disconnect());
      await awaitEnd("The connection to Temporal", temporal?.stop());
    },
  };
}

/** As the service does, a world asks again a database that did not answer: while code is compiled, nothing does. */
async function connected(mongodbUri: string): Promise<void> {
  let refusal: unknown;
  const tryIt = async () => {
    try {
      await connect(mongodbUri);
      return true;
    } catch (err) {
      refusal = err;
      await disconnect();
      return false;
    }
  };
  await until(tryIt, { deadlineMs: 60_000, what: "the database" }).catch(() => {
    throw refusal;
  });
}

/**
 * The API works only within a workspace, so worlds without a worker share a database. A worker looks through
 * all workspaces, so each world with one has its own database. The file before may have used it: making 50 collections
 * anew takes half a second.
 */
const DATABASES = {
  shared: `test_shared_${process.env["JEST_WORKER_ID"] ?? "0"}`,
  apart: `test_apart_${process.env["JEST_WORKER_ID"] ?? "0"}`,
  own: "test",
};

/**
 * The databases that this process has prepared. Comparing the indexes of all collections for each file took a tenth of
 * the shorter ones.
 */
const prepared = new Set<string>();

async function prepare(mongodbUri: string, kind: keyof typeof DATABASES): Promise<void> {
  if (kind === "apart" && (await clear())) prepared.delete(mongodbUri);
  if (!prepared.has(mongodbUri)) await prepareDatabase(() => loadAddressHash(keyRing(SECRET_KEY, [])));
  prepared.add(mongodbUri);
  // All files come from one address: what one file guessed wrong must not count against the next
  await forgetRates();
}

const FEW = 500;
/** Without them every migration would run again. */
const MIGRATIONS = "migrations";

/** Empties the database. Collections of many documents are dropped, and whether one was is what this answers. */
async function clear(): Promise<boolean> {
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const cleared = collections.filter(({ collectionName }) => collectionName !== MIGRATIONS).map(clearOne);
  return (await Promise.all(cleared)).includes(true);
}

async function clearOne(collection: mongoose.mongo.Collection): Promise<boolean> {
  const count = await collection.estimatedDocumentCount();
  if (count > FEW) return collection.drop();
  if (count > 0) await collection.deleteMany({});
  return false;
}

/** One secret for all worlds, because stored values in a shared database are sealed with it. */
export const SECRET_KEY = createHash("sha256").update("what the tests keep").digest("base64");

/** Tests of the limits name their own; all others may call as fast as they can. */
const UNLIMITED: RateLimits = { ...LIMITS, perCredential: 1_000_000 };

/** Sign-ups in tests come from few networks. */
const UNCOUNTED = { perAddress: 1_000_000, perNetwork: 1_000_000, perDay: 1_000_000 };

interface EngineOfWorld extends TestNamespace {
  client: Client;
  stop(): Promise<void>;
}

async function startEngine(): Promise<EngineOfWorld> {
  const { address, namespace } = await newNamespace();
  const connection = await Connection.connect({ address });
  return { address, namespace, client: new Client({ connection, namespace }), stop: () => connection.close() };
}

async function servicesOf(
  client: Client | null,
  settings: Partial<Services["settings"]> = {},
  setup: Record<string, string>,
): Promise<Services> {
  const ring = keyRing(SECRET_KEY, []);
  await announcePlans(settings.billing?.plans ?? null);
  await announceAbuseLimits(settings.conduct ?? null, settings.newcomer ?? null);
  return {
    engine: createEngine(() => client),
    keyRing: ring,
    signing: await loadSigningKeys(ring),
    checkSetup: createSetupCheck(new AbortController().signal, { ...process.env, ...setup }),
    settings: {
      publicUrl: "http://localhost:3000",
      trackUrl: "http://localhost:3000",
      trustProxy: false,
      proxyNetworks: ["127.0.0.0/8"],
      ownHosts: [],
      hasSystemMail: false,
      hasPostmaster: false,
      hasLeadSearchProvider: false,
      hasAgent: false,
      agentModel: null,
      creditsPerMonth: 0,
      billing: null,
      allowSignUp: false,
      signUp: UNCOUNTED,
      conduct: null,
      newcomer: null,
      egressAllow: "",
      allowInsecureMail: false,
      providers: NO_PROVIDERS,
      calendars: NO_CALENDARS,
      crm: NO_CRM,
      sheetsUrl: null,
      rspamdUrl: null,
      engineRunsUrl: null,
      version: VERSION,
      ...settings,
    },
  };
}

/** Every response is checked against the OpenAPI document, unless the world has routes of its own. */
async function newWorkspace(
  baseUrl: string,
  scopes: Scope[],
  check?: typeof keptPromise,
): ReturnType<World["workspace"]> {
  const { workspaceId, ownerId } = await createWorkspace({ name: "Acme", email: `owner-${randomUUID()}@acme.test` });
  const keyOf = async (held: Scope[], { sends, ...policy }: PolicyAsked = {}) => {
    const granted = held.length === 0 ? ALL_SCOPES : held;
    return (
      await createKey({
        workspaceId,
        name: "test",
        scopes: granted,
        createdBy: ownerId,
        policy: { ...KEY_POLICY, ...(sends !== undefined && policyOf(sends)), ...policy },
      })
    ).key;
  };
  const key = await keyOf(scopes);
  const url = `${baseUrl}/api/v1`;
  return {
    workspaceId,
    ownerId,
    key,
    rest: restOf(url, key, check),
    withScopes: async (...held) => restOf(url, await keyOf(held), check),
    withPolicy: async (policy, ...held) => restOf(url, await keyOf(held, policy), check),
    keyWithPolicy: (policy, ...held) => keyOf(held, policy),
    person: async () => (await signInOwner({ baseUrl }, { workspaceId, ownerId })).rest,
  };
}
