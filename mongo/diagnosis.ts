import mongoose from "mongoose";
import { readMongodbUri } from "./uri.ts";

const { MongoClient, MongoServerError } = mongoose.mongo;

/** Why a connection to MongoDB failed. */
export type ConnectionFault =
  | "UNREACHABLE"
  | "LOGIN_REFUSED"
  | "STANDALONE"
  | "NOT_INITIATED"
  | "NO_PRIMARY"
  | "OTHER_SET";

/** What the server at the other end of the open connection says about itself. */
export interface Server {
  version: string;
  /** The name of its replica set; null for a standalone server and for the router of a sharded cluster. */
  setName: string | null;
  /** Whether it is the router of a sharded cluster. */
  isRouter: boolean;
  clock: ClockReading;
}

/** The clock of a server, in milliseconds, with this process's own clock right before and right after. */
export interface ClockReading {
  beforeMs: number;
  serverMs: number;
  afterMs: number;
}

export type Majority = "CONFIRMED" | "LATE" | "FORBIDDEN" | "FAILED";

/** The rights of the connection's user on its database. */
export interface Rights {
  hasLogin: boolean;
  missing: string[];
}

const ASK_MS = 4_000;
const [UNAUTHORIZED, AUTHENTICATION_FAILED, ATLAS_ERROR, WRITE_CONCERN_FAILED] = [13, 18, 8000, 64];
/** The actions that the service and the preparation of its database use. */
const NEEDED = [
  "find",
  "insert",
  "update",
  "remove",
  "createCollection",
  "createIndex",
  "dropIndex",
  "listCollections",
  "listIndexes",
];

/**
 * Finds out why a connection failed. The driver reports a server that does not fit the address as unreachable, so each
 * named server is asked directly, without a login.
 */
export async function findConnectionFault(uri: string, error: unknown): Promise<ConnectionFault> {
  if ([UNAUTHORIZED, AUTHENTICATION_FAILED, ATLAS_ERROR].includes(codeOf(error) ?? 0)) return "LOGIN_REFUSED";
  const { isSrv, servers, options } = readMongodbUri(uri);
  if (isSrv) return "UNREACHABLE"; // the driver asks no server of such an address directly
  const kept = [...options].filter(([name]) => /^(tls|ssl)/i.test(name));
  const query = new URLSearchParams([...kept, ["directConnection", "true"]]);
  const answers = await Promise.all(servers.map((server) => askHello(`mongodb://${server}/?${query}`)));
  const [hello] = answers.filter((answer) => answer !== null);
  if (hello === undefined) return "UNREACHABLE";
  if (hello["isreplicaset"] === true) return "NOT_INITIATED";
  if (hello["setName"] === undefined) return "STANDALONE";
  return [null, hello["setName"]].includes(options.get("replicaSet")) ? "NO_PRIMARY" : "OTHER_SET";
}

async function askHello(uri: string): Promise<mongoose.mongo.Document | null> {
  let client: mongoose.mongo.MongoClient | null = null;
  try {
    client = new MongoClient(uri, { serverSelectionTimeoutMS: ASK_MS });
    return await client.db("admin").command({ hello: 1 });
  } catch {
    return null;
  } finally {
    await client?.close();
  }
}

/** Asks the server who it is. `now` reads the clock of this process. @throws Error of the driver */
export async function loadServer(now: () => number): Promise<Server> {
  const admin = database().admin();
  const { version } = await admin.command({ buildInfo: 1, maxTimeMS: ASK_MS });
  const beforeMs = now();
  const hello = await admin.command({ hello: 1, maxTimeMS: ASK_MS });
  const clock = { beforeMs, serverMs: Number(hello["localTime"]), afterMs: now() };
  return {
    version: String(version),
    setName: typeof hello["setName"] === "string" ? hello["setName"] : null,
    isRouter: hello["msg"] === "isdbgrid",
    clock,
  };
}

/**
 * Whether a write for a majority is confirmed. The write matches no document, so it changes nothing, but the server
 * confirms it only once a majority has everything that was written before.
 */
export async function probeMajority(): Promise<Majority> {
  try {
    await database()
      .collection<{ _id: string }>("migrations")
      .updateOne(
        { _id: "no document has this id" },
        { $unset: { never: "" } },
        { writeConcern: { w: "majority", journal: true, wtimeoutMS: ASK_MS } },
      );
    return "CONFIRMED";
  } catch (error) {
    const code = codeOf(error);
    return code === WRITE_CONCERN_FAILED ? "LATE" : code === UNAUTHORIZED ? "FORBIDDEN" : "FAILED";
  }
}

/** After how many seconds the server aborts a transaction; null when the user may not ask for it. */
export async function loadTransactionLifetime(): Promise<number | null> {
  try {
    const answer = await database().admin().command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
    return Number(answer["transactionLifetimeLimitSeconds"]);
  } catch {
    return null;
  }
}

/** Whether the server runs JavaScript in queries; null when it does not answer. */
export async function isScriptingOn(): Promise<boolean | null> {
  try {
    await database().collection("migrations").findOne({ $where: "true" }, { maxTimeMS: ASK_MS });
    return true;
  } catch (error) {
    return error instanceof MongoServerError && error.code !== UNAUTHORIZED ? false : null;
  }
}

/** The rights of the user. @throws Error of the driver */
export async function loadRights(): Promise<Rights> {
  const db = database();
  const { authInfo } = await db.command({ connectionStatus: 1, showPrivileges: true, maxTimeMS: ASK_MS });
  const privileges: Privilege[] = authInfo.authenticatedUserPrivileges ?? [];
  const held = privileges.flatMap(({ resource, actions }) => (covers(resource, db.databaseName) ? actions : []));
  const hasLogin = authInfo.authenticatedUsers.length > 0;
  return { hasLogin, missing: hasLogin || (await isClosed()) ? NEEDED.filter((one) => !held.includes(one)) : [] };
}

interface Privilege {
  resource: { db?: string; collection?: string; anyResource?: boolean };
  actions: string[];
}

function covers({ db, collection, anyResource }: Privilege["resource"], name: string): boolean {
  return anyResource === true || ((db === "" || db === name) && collection === "");
}

/** Whether the server refuses a connection without a login. */
async function isClosed(): Promise<boolean> {
  try {
    await database().collection("migrations").findOne({}, { maxTimeMS: ASK_MS });
    return false;
  } catch (error) {
    return codeOf(error) === UNAUTHORIZED;
  }
}

function codeOf(error: unknown): number | null {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;
}

function database() {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("MongoDB is not connected");
  return db;
}
