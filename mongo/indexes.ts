import type mongoose from "mongoose";
import pLimit from "p-limit";
import { unfit } from "./unfit.ts";

type Db = mongoose.mongo.Db;

/** A collection of the program, with every index that the program needs besides the index on `_id`. */
export interface Indexed {
  collection: string;
  indexes: readonly IndexWanted[];
  /** Names of indexes that only versions no longer in use needed. */
  retired?: readonly string[];
}

interface IndexWanted {
  name: string;
  key: Record<string, 1 | -1 | "text">;
  unique?: boolean;
  partialFilterExpression?: Record<string, unknown>;
  expireAfterSeconds?: number;
}

/** An index as the database reports it. */
type IndexFound = { name: string; key: Record<string, unknown> } & Record<string, unknown>;

/**
 * How many collections are prepared at once. On a slow disk, a higher number would exceed the pool's wait limit for a
 * connection.
 */
const AT_ONCE = 8;

const INDEX_NOT_FOUND = 27;
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;

/**
 * What differs from the collections and indexes that the program needs: missing collections by name, and missing,
 * retired or differently defined indexes as `collection.index`. Only reads.
 */
export async function findIndexFaults(db: Db, collections: readonly Indexed[]): Promise<string[]> {
  const existing = await loadCollectionNames(db);
  const faults = await Promise.all(
    collections.map(async (one) => {
      if (!existing.has(one.collection)) return [one.collection];
      const found = await foundIn(db, one.collection);
      const names = new Set(found.map(({ name }) => name));
      const missing = one.indexes.flatMap(({ name }) => (names.has(name) ? [] : [name]));
      return [...missing, ...unwanted(found, one)].map((name) => `${one.collection}.${name}`);
    }),
  );
  return faults.flat();
}

/**
 * Creates missing collections, which a transaction cannot do, drops retired indexes, and builds missing indexes. An
 * index whose definition changed is dropped and built again; until then its uniqueness or expiry is not enforced. Waits
 * for builds that an earlier process left running. Collections and indexes that the program does not know are not
 * touched, because a newer version may need them.
 * @throws UnfitDatabase that names an index which cannot be built
 */
export async function correctIndexes(
  db: Db,
  collections: readonly Indexed[],
  say: (line: string) => void,
): Promise<void> {
  const existing = await loadCollectionNames(db);
  const calls = pLimit(AT_ONCE);
  await Promise.all(
    collections.map((one) =>
      calls(async () => {
        const { collection, indexes } = one;
        if (!existing.has(collection)) await createMissing(db, collection);
        else {
          for (const name of unwanted(await foundIn(db, collection), one)) {
            say(`Dropping the index ${name} of ${collection}: it is retired or has another definition`);
            await dropIndex(db, collection, name);
          }
        }
        if (indexes.length > 0) await build(db, one);
      }),
    ),
  );
}

/** Creates a collection. One that another process has made meanwhile, by writing to it, counts as created. */
async function createMissing(db: Db, collection: string): Promise<void> {
  try {
    await db.createCollection(collection);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === NAMESPACE_EXISTS)) throw error;
  }
}

/** Drops an index. An index or a collection that does not exist counts as dropped. */
export async function dropIndex(db: Db, collection: string, name: string): Promise<void> {
  try {
    await db.collection(collection).dropIndex(name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== INDEX_NOT_FOUND && code !== NAMESPACE_NOT_FOUND) throw error;
  }
}

async function build(db: Db, { collection, indexes }: Indexed): Promise<void> {
  try {
    await db.collection(collection).createIndexes(indexes.map((index) => ({ ...index })));
  } catch (error) {
    // Indexes that are built together fail together. The database's error names the failed index and the duplicate key.
    // The message leaves the key out
    const [, name = indexes.map((index) => index.name).join(", ")] = / index: (\S+)/.exec(String(error)) ?? [];
    throw unfit(`An index of ${collection} cannot be built: ${name}`, error);
  }
}

async function loadCollectionNames(db: Db): Promise<Set<string>> {
  return new Set((await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name));
}

async function foundIn(db: Db, collection: string): Promise<IndexFound[]> {
  const found: IndexFound[] = (await db.collection(collection).listIndexes().toArray()).map((index) => ({ ...index }));
  return found.filter(({ name }) => name !== "_id_");
}

/** The names of the indexes that are retired or whose definition differs from the one that the program needs. */
function unwanted(found: readonly IndexFound[], { indexes, retired = [] }: Indexed): string[] {
  const intended = new Map(indexes.map((index) => [index.name, describeIndex({ ...index })]));
  return found
    .filter(
      (index) =>
        retired.includes(index.name) || (intended.get(index.name) ?? describeIndex(index)) !== describeIndex(index),
    )
    .map(({ name }) => name);
}

/**
 * A comparable description of an index. The order of the keys counts, that of the options does not. The database adds a
 * version, and `false` for options that are not set.
 */
function describeIndex({ name, key, v: _version, background: _old, ...options }: IndexFound): string {
  const set = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify([name, Object.entries(key), set.sort(([a], [b]) => (a < b ? -1 : 1))]);
}
