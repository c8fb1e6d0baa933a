import mongoose from "mongoose";
import "./scoped.ts";
import "./api-key.ts";
import "./mail-domain.ts";
import "./restoration.ts";
import "./signing-key.ts";
import "./workspace.ts";

/** Connects once per process; writes are majority and journaled, and a missing database is known within 5 s. */
export async function connect(uri: string): Promise<void> {
  mongoose.set("bufferCommands", false);
  await mongoose.connect(uri, {
    writeConcern: { w: "majority", journal: true },
    serverSelectionTimeoutMS: 4_000,
    maxPoolSize: 50,
    dbName: databaseOf(uri),
  });
  const hello = await admin().command({ hello: 1 });
  if (hello["setName"] === undefined) {
    await mongoose.disconnect();
    throw new Error("MongoDB is a standalone server: it has no transactions. Start it with --replSet and initiate it");
  }
}

/** Makes collections (a transaction cannot) with their indexes, each collection's in one command. Safe to run at every start. */
export async function ensureIndexes(): Promise<void> {
  const existing = new Set((await database().listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
  await Promise.all(
    Object.values(mongoose.models).map(async ({ schema, collection: { collectionName } }) => {
      if (!existing.has(collectionName)) await database().createCollection(collectionName);
      const indexes = schema.indexes().map(([key, options]) => ({ ...options, key }) as mongoose.mongo.IndexDescription);
      if (indexes.length > 0) await database().collection(collectionName).createIndexes(indexes);
      for (const name of RETIRED[collectionName] ?? []) await dropIndex(collectionName, name);
    }),
  );
}

/** Indexes that say what holds no more, by collection: a database that an earlier version made has them still. */
const RETIRED: Readonly<Record<string, readonly string[]>> = {
  // An address was one mailbox of the whole installation; it is one of each workspace
  mailboxes: ["email_1"],
};

const INDEX_NOT_FOUND = 27;

/** Another process that starts at once may have dropped it first. */
async function dropIndex(collection: string, name: string): Promise<void> {
  try {
    await database().collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
  }
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

function databaseOf(uri: string): string {
  const path = new URL(uri.replace(/^mongodb(\+srv)?:/, "http:")).pathname.slice(1);
  return path === "" ? "outreach" : path;
}
