import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import mongoose from "mongoose";
import { z } from "zod";
import { type Child, claim, type Exit, launch, whenReady } from "./child.ts";
import { liveRecord } from "./pid-file.ts";
import { accepts, assertFree, freePort, portTakenError } from "./ports.ts";
import type { ProgramEnv, WriteLine } from "./programs/find.ts";
import { findMongod } from "./programs/mongod-program.ts";

const { MongoClient, MongoServerError } = mongoose.mongo;
type Admin = ReturnType<InstanceType<typeof MongoClient>["db"]>;

const ReplicaSet = z.looseObject({
  version: z.number(),
  members: z.array(z.looseObject({ host: z.string() })).length(1),
});
const ALREADY_INITIALIZED = 23;
const NOT_YET_INITIALIZED = 94;
const DATA_FOLDER_IN_USE = 100;
const PORT_TAKEN = 48;

export interface MongodOptions {
  /** The service's data folder. The database is in its folder `mongod/`. */
  dataDir: string;
  /** 0 takes a free port. */
  port: number;
  /** The value of MONGOD_BIN. */
  binary: string | undefined;
  env: ProgramEnv;
  log: WriteLine;
}

export interface Mongod {
  uri: string;
  pid: number;
  port: number;
  /** Resolves when it has ended, by `stop` or by itself. */
  exited: Promise<Exit>;
  stop(): Promise<void>;
}

/**
 * Starts a one-node replica set on the data folder and waits until it accepts writes. It ends with this process.
 * @throws Error that says what to do: no program found, folder in use, or port taken.
 */
export async function startMongod({ dataDir, port: wanted, binary, env, log }: MongodOptions): Promise<Mongod> {
  const { path } = await findMongod(binary, env, log);
  const release = await claim(dataDir, "mongod");
  let child: Child | undefined;
  try {
    if (wanted !== 0) await assertFree(wanted, "MONGOD_PORT");
    const port = wanted || (await freePort());
    const dbPath = join(dataDir, "mongod");
    await mkdir(dbPath, { recursive: true });
    child = await launch({ name: "mongod", binary: path, args: flags(dbPath, port), home: dataDir, port });
    const started = child;
    await untilPrimary(started, dataDir, port);
    return {
      uri: uriOf(port),
      pid: started.pid,
      port,
      exited: started.exited,
      async stop() {
        await started.stop();
        release();
      },
    };
  } catch (err) {
    await child?.stop();
    release();
    throw err;
  }
}

/** The URI of the mongod that another process runs on this data folder; null when none does. */
export async function runningMongod(dataDir: string): Promise<string | null> {
  const record = await liveRecord(dataDir, "mongod");
  return record ? uriOf(record.port) : null;
}

function uriOf(port: number): string {
  return `mongodb://127.0.0.1:${port}/?replicaSet=rs0`;
}

function flags(dbPath: string, port: number): string[] {
  const small = ["--wiredTigerCacheSizeGB", "0.25", "--oplogSize", "128", "--networkMessageCompressors", "disabled"];
  const safe = [
    "--bind_ip",
    "127.0.0.1",
    "--nounixsocket",
    "--noscripting",
    "--setParameter",
    "transactionLifetimeLimitSeconds=10",
  ];
  return ["--replSet", "rs0", ...safe, ...small, "--port", String(port), "--dbpath", dbPath];
}

async function untilPrimary(child: Child, dataDir: string, port: number): Promise<void> {
  const wait = (isReady: () => Promise<boolean>) =>
    whenReady(child, "mongod", isReady, (exit) => explain(child, exit, dataDir, port));
  await wait(() => accepts(port)); // a client whose first connection fails stays closed
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  try {
    await wait(() => isPrimary(client.db("admin"), port));
  } finally {
    await client.close();
  }
}

/** Takes one step towards a primary on this port: it initiates a new set, or moves a set that ran on another port. */
async function isPrimary(admin: Admin, port: number): Promise<boolean> {
  const { isWritablePrimary } = await admin.command({ hello: 1 });
  if (isWritablePrimary) return true;
  const host = `127.0.0.1:${port}`;
  const config = await configOf(admin);
  if (!config) await initiate(admin, host);
  else if (config.members[0]?.host !== host) {
    const members = [{ ...config.members[0], host }];
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  }
  return false;
}

async function initiate(admin: Admin, host: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host }] } });
  } catch (err) {
    // A restarted set may still be reading its configuration; the next look finds it.
    if (!(err instanceof MongoServerError) || (err.code !== ALREADY_INITIALIZED && err.code !== NOT_YET_INITIALIZED))
      throw err;
  }
}

async function configOf(admin: Admin): Promise<z.output<typeof ReplicaSet> | null> {
  try {
    return ReplicaSet.parse((await admin.command({ replSetGetConfig: 1 }))["config"]);
  } catch (err) {
    if (err instanceof MongoServerError && err.code === NOT_YET_INITIALIZED) return null;
    throw err;
  }
}

async function explain(child: Child, { code }: Exit, dataDir: string, port: number): Promise<Error> {
  if (code === PORT_TAKEN) return portTakenError(port, "MONGOD_PORT");
  if (code === DATA_FOLDER_IN_USE) {
    return new Error(
      `${join(dataDir, "mongod")} is in use by another mongod: stop that, or set DATA_DIR to another folder`,
    );
  }
  return new Error(
    `mongod ended with exit code ${code}; the end of ${join(dataDir, "mongod.log")}:\n${await child.lastWords()}`,
  );
}
