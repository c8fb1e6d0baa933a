import mongoose from "mongoose";
import { foldText } from "../domain/fold.ts";
import { threadWords } from "../domain/inbox/thread-words.ts";
import { addressHashOf, type KeyedHash } from "../domain/leads/address-hash.ts";
import { failOnClosedConnections } from "../mongo/closed-connections.ts";
import type { Indexed } from "../mongo/indexes.ts";
import { findUnprepared, hasMigrated, migrate, type Preparation, type Unprepared } from "../mongo/migrate.ts";
import { ADDRESSES_KEYED, migrationsBy } from "../mongo/migrations.ts";
import { NoReplicaSet } from "../mongo/unfit.ts";
import { readMongodbUri } from "../mongo/uri.ts";
import "./scoped.ts";
import "./access/abuse-limits.ts";
import "./access/api-key.ts";
import "./access/membership.ts";
import "./access/oauth-record.ts";
import "./access/plan-limits.ts";
import "./access/purged-workspace.ts";
import "./access/rate-count.ts";
import "./access/signing-key.ts";
import "./access/workspace.ts";
import "./deliverability/mail-domain.ts";
import "./lead-search/prospect-company.ts";
import "./lead-search/prospect-import.ts";
import "./lead-search/prospect-value.ts";
import "./lead-search/prospect.ts";
import "./mailboxes/api-quota.ts";
import "./restoration.ts";
import "./sign-in/known-browser.ts";
import "./sign-in/session.ts";
import "./sign-in/sign-in-link.ts";
import "./sign-in/sign-up-request.ts";
import "./sign-in/user.ts";
import "./tracking/tracking-name.ts";
import "./verification/probed-host.ts";
import "./verification/verified-address.ts";
import "./verification/verified-domain.ts";
import "./warmup/warmup-mail.ts";
import "./work-leases.ts";

/**
 * Connects once per process. Writes wait for a majority with journal. Operations fail within 5 s when the database is
 * unreachable.
 */
export async function connect(uri: string): Promise<void> {
  await openConnection(uri);
  const hello = await admin().command({ hello: 1 });
  if (hello["setName"] === undefined) {
    await mongoose.disconnect();
    throw new NoReplicaSet(
      "MongoDB is a standalone server: it has no transactions. Start it with --replSet and initiate it",
    );
  }
}

/** The same without the check that the server is part of a replica set, for a caller that reports this itself. */
export async function openConnection(uri: string): Promise<void> {
  failOnClosedConnections();
  mongoose.set("bufferCommands", false);
  await mongoose.connect(uri, {
    writeConcern: { w: "majority", journal: true },
    serverSelectionTimeoutMS: 4_000,
    maxPoolSize: 50,
    // Without this limit, a call may wait for a connection forever after its pool has lost the server
    waitQueueTimeoutMS: 20_000,
    dbName: readMongodbUri(uri).database ?? "outreach",
  });
}

/**
 * Brings the database to the state that this program expects: migrated, with the collections and indexes of its
 * schemas. Safe to run at every start and in several processes at once. `openKeyedHash` loads the key that hashes
 * addresses; a migration needs it once.
 * @throws UnfitDatabase when that is impossible
 */
export async function prepareDatabase(
  openKeyedHash: () => Promise<KeyedHash>,
  options: Pick<Preparation, "asked" | "stopping" | "say"> = {},
): Promise<void> {
  await migrate(database(), { ...preparation(openKeyedHash), ...options });
}

/**
 * What `prepareDatabase` would do. Only reads.
 * @throws UnfitDatabase when it would refuse the database because a newer version has migrated it
 */
export function loadUnprepared(): Promise<Unprepared> {
  return findUnprepared(database(), preparation(neverOpened));
}

/** @throws Error always */
function neverOpened(): Promise<KeyedHash> {
  throw new Error("No migration runs here");
}

function preparation(openKeyedHash: () => Promise<KeyedHash>): Pick<Preparation, "migrations" | "collections"> {
  return {
    migrations: migrationsBy({ threadWords, addressHash: addressHashOf, foldWord: foldText, openKeyedHash }),
    collections: Object.values(mongoose.models).map(indexedOf),
  };
}

/** Makes the hashes of addresses keyed, once; every other process must have ended. */
export function keyStoredAddresses(
  openKeyedHash: () => Promise<KeyedHash>,
  say: (line: string) => void,
): Promise<void> {
  return prepareDatabase(openKeyedHash, { asked: [ADDRESSES_KEYED], say });
}

/** Whether hashes of addresses have a key in this database (rules/security 5.5). */
export function areAddressesKeyed(): Promise<boolean> {
  return hasMigrated(database(), ADDRESSES_KEYED);
}

/**
 * Indexes to drop, by collection, because no version in use needs them. An index is listed here one release after the
 * last version that needs it.
 */
const RETIRED: Record<string, readonly string[]> = {
  mailboxes: ["email_1"],
  webhook_deliveries: ["startedAt_1"],
};

function indexedOf({ schema, collection: { collectionName } }: mongoose.Model<unknown>): Indexed {
  const indexes = schema.indexes().map(([key, { name, unique, partialFilterExpression, expireAfterSeconds }]) => ({
    key,
    name: name ?? nameOf(key),
    ...(unique && { unique: true }),
    ...(partialFilterExpression !== undefined && { partialFilterExpression }),
    ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
  }));
  return {
    collection: collectionName,
    indexes: indexes as Indexed["indexes"], // the schemas register nothing else
    retired: RETIRED[collectionName] ?? [],
  };
}

/** The name that the driver gives to an index that has no explicit name. */
function nameOf(key: object): string {
  return Object.entries(key)
    .map(([field, order]) => `${field}_${order}`)
    .join("_");
}

export async function isConnected(): Promise<boolean> {
  try {
    await admin().command({ ping: 1, maxTimeMS: 1_000 });
    return true;
  } catch {
    return false;
  }
}

export function disconnect(): Promise<void> {
  return mongoose.disconnect();
}

function database() {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("MongoDB is not connected");
  return db;
}

function admin() {
  return database().admin();
}
