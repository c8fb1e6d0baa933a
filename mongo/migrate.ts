import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type mongoose from "mongoose";
import { isDuplicateKey } from "./duplicate.ts";
import { correctIndexes, findIndexFaults, type Indexed } from "./indexes.ts";
import { UnfitDatabase, unfit } from "./unfit.ts";

type Db = mongoose.mongo.Db;

export interface Migration {
  /** One more than the number of the previous migration. A number is never used for another migration. */
  number: number;
  name: string;
  /** Set when the change only adds something, so that the previous version keeps working with the migrated database. */
  expands?: true;
  /**
   * Whether the migration is left for later, because it would stop processes of the previous version. A command asks
   * for it. It stays missing until then, and later migrations do not wait for it.
   */
  isLeft?(db: Db): Promise<boolean>;
  /** Is called again when the process died before the end, so it must be safe to repeat. */
  run(db: Db, during: During): Promise<void>;
}

/** What a long migration needs: a line for the log, and a signal to end, because the next process repeats it. */
export interface During {
  say(line: string): void;
  ending: AbortSignal;
}

export interface Preparation {
  migrations: readonly Migration[];
  collections: readonly Indexed[];
  /** The numbers of migrations that are not left for later. */
  asked?: readonly number[];
  /** Ends the waiting immediately, or the work after the current step. */
  stopping?: AbortSignal;
  say?: (line: string) => void;
  leaseMs?: number;
}

interface Row extends LeaseRow {
  name?: string;
  expands?: boolean;
  doneAt?: Date;
}

const COLLECTION = "migrations";
const LEASE = "lease";
const POLL_MS = 250;

/**
 * Brings a database to the state that this program expects: runs the missing migrations in order, then corrects the
 * indexes. One process at a time does this while the others wait. When there is nothing to do, no process waits and
 * nothing is written. When a newer version has migrated the database with additions only, this version changes nothing
 * and leaves the indexes to the newer one (scale 3).
 * @throws UnfitDatabase when a newer version has made changes that are no additions, when a migration fails, or when an
 * index cannot be built
 */
export async function migrate(db: Db, preparation: Preparation): Promise<void> {
  const { collections, stopping, leaseMs = LEASE_MS, say = () => {} } = preparation;
  const rows = db.collection<Row>(COLLECTION);
  for (let waits = 0; ; waits++) {
    stopping?.throwIfAborted();
    const storedRows = await rows.find().toArray();
    if (isExpanded(storedRows, preparation)) return;
    const hasWork = (await dueOf(db, storedRows, preparation)).length > 0;
    const isLeased = storedRows.some(({ _id }) => _id === LEASE);
    if (!hasWork && !isLeased && (await findIndexFaults(db, collections)).length === 0) return;
    const lease = await takeLease(rows, LEASE, leaseMs);
    if (lease !== null) return prepare(db, preparation, lease);
    if (waits === 0) say("Another process prepares the database: waiting for it");
    await delay(POLL_MS, undefined, stopping && { signal: stopping });
  }
}

/** How far a database is from the state that this program expects. */
export interface Unprepared {
  /** Whether no migration has ever run, as in a database that is new. */
  isNew: boolean;
  pendingMigrations: number;
  /** Missing collections, and indexes that are missing or must be dropped, as `findIndexFaults` names them. */
  indexFaults: string[];
}

/**
 * What `migrate` would do. Only reads.
 * @throws UnfitDatabase when a newer version has made changes that are no additions
 */
export async function findUnprepared(
  db: Db,
  preparation: Pick<Preparation, "migrations" | "collections">,
): Promise<Unprepared> {
  const storedRows = await db.collection<Row>(COLLECTION).find().toArray();
  const isNew = storedRows.length === 0;
  if (isExpanded(storedRows, preparation)) return { isNew, pendingMigrations: 0, indexFaults: [] };
  return {
    isNew,
    pendingMigrations: (await dueOf(db, storedRows, preparation)).length,
    indexFaults: await findIndexFaults(db, preparation.collections),
  };
}

async function prepare(db: Db, preparation: Preparation, { lost, release }: Lease): Promise<void> {
  const { collections, stopping, say = () => {} } = preparation;
  const rows = db.collection<Row>(COLLECTION);
  const ending = AbortSignal.any(stopping === undefined ? [lost] : [lost, stopping]);
  try {
    // Read again, because the previous holder of the lease may have run some of them
    for (const { number, name, expands, run } of await dueOf(db, await rows.find().toArray(), preparation)) {
      ending.throwIfAborted();
      say(`Migration ${number} of the database: ${name}`);
      await run(db, { say, ending }).catch((error) => {
        ending.throwIfAborted();
        if (error instanceof UnfitDatabase) throw error;
        throw unfit(`Migration ${number} of the database failed: ${name}`, error);
      });
      ending.throwIfAborted();
      const row = { name, doneAt: new Date(), ...(expands && { expands }) };
      await rows.updateOne({ _id: number }, { $setOnInsert: row }, { upsert: true });
    }
    ending.throwIfAborted();
    await correctIndexes(db, collections, say);
  } finally {
    await release();
  }
}

/** Whether a migration has run. A database without it may have left it for later. */
export async function hasMigrated(db: Db, number: number): Promise<boolean> {
  return (await db.collection<Row>(COLLECTION).countDocuments({ _id: number }, { limit: 1 })) > 0;
}

/** The migrations that the database is missing and that are not left for later, in order. */
async function dueOf(
  db: Db,
  rows: readonly Row[],
  { migrations, asked = [] }: Pick<Preparation, "migrations" | "asked">,
): Promise<Migration[]> {
  const done = new Set(rows.map(({ _id }) => _id));
  const due: Migration[] = [];
  for (const migration of migrations) {
    const { number, isLeft } = migration;
    if (done.has(number)) continue;
    if (asked.includes(number) || (await isLeft?.(db)) !== true) due.push(migration);
  }
  return due;
}

/**
 * Whether a newer version has migrated the database and left it usable for this one.
 * @throws UnfitDatabase when it is not usable
 */
function isExpanded(rows: readonly Row[], { migrations }: Pick<Preparation, "migrations">): boolean {
  const last = migrations.at(-1)?.number ?? 0;
  const newer = rows.filter(({ _id }) => typeof _id === "number" && _id > last);
  const changed = newer.filter(({ expands }) => expands !== true).map(({ _id }) => _id);
  if (changed.length === 0) return newer.length > 0;
  const knownUpTo = `this version knows migrations up to ${last}`;
  throw new UnfitDatabase(
    `A newer version of the program has migrated the database to ${Math.max(...changed.map(Number))}, and ${knownUpTo}: start the newer one`,
  );
}

/**
 * Milliseconds for which other processes wait for a lease holder that died. A replica set can elect a new primary in
 * that time.
 */
const LEASE_MS = 30_000;
const RENEWALS = 3;

interface Lease {
  /** Fires when the lease could not be renewed in time and another process may hold it. */
  lost: AbortSignal;
  release(): Promise<void>;
}

export interface LeaseRow {
  _id: string | number;
  holder?: string;
  until?: Date;
}

/**
 * Takes a lease, or returns null while another process holds it. The lease is renewed until it is released. Its expiry
 * is measured by the database's clock. The lease of a process that died expires.
 */
async function takeLease(
  rows: mongoose.mongo.Collection<LeaseRow>,
  _id: string,
  leaseMs: number,
): Promise<Lease | null> {
  const holder = randomUUID();
  const leaseUpdate = [{ $set: { holder, until: { $add: ["$$NOW", leaseMs] } } }];
  const isOver = { _id, $expr: { $lt: ["$until", "$$NOW"] } };
  let renewedAt = performance.now();
  try {
    await rows.updateOne({ _id, holder }, leaseUpdate, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if ((await rows.updateOne(isOver, leaseUpdate)).matchedCount === 0) return null;
  }
  const leaseLoss = new AbortController();
  const lose = () => leaseLoss.abort(new Error("Another process may prepare the database now"));
  const renew = async () => {
    const askedAt = performance.now();
    if (askedAt - renewedAt > leaseMs) lose();
    const { matchedCount } = await rows.updateOne({ _id, holder }, leaseUpdate);
    if (matchedCount === 1) renewedAt = askedAt;
    else lose();
  };
  const timer = setInterval(() => renew().catch(() => {}), leaseMs / RENEWALS); // the next renewal tries again
  timer.unref();
  return {
    lost: leaseLoss.signal,
    async release() {
      clearInterval(timer);
      await rows.deleteOne({ _id, holder }).catch(() => {}); // the lease ends by itself
    },
  };
}
