import { setTimeout as delay } from "node:timers/promises";
import type mongoose from "mongoose";
import { areIndexesRight, correctIndexes, type Indexed } from "./indexes.ts";
import { LEASE_MS, type Lease, type LeaseRow, takeLease } from "./lease.ts";
import { UnfitDatabase, unfit } from "./unfit.ts";

type Db = mongoose.mongo.Db;

export interface Migration {
  /** One more than the number of the migration before. It is never given to another migration. */
  number: number;
  name: string;
  /** Called again when its process died before the end, so the work done until then must do no harm. */
  run(db: Db): Promise<void>;
}

export interface Preparation {
  migrations: readonly Migration[];
  collections: readonly Indexed[];
  /** Ends the waiting at once, and the work after the step in progress. */
  stopping?: AbortSignal;
  say?: (line: string) => void;
  leaseMs?: number;
}

interface Row extends LeaseRow {
  name?: string;
  doneAt?: Date;
}

const COLLECTION = "migrations";
const LEASE = "lease";
const POLL_MS = 250;

/**
 * Brings a database to the state that this program expects: runs the missing migrations in order, then corrects the indexes. One process at
 * a time does this while the others wait. When nothing is to be done, no process waits and nothing is written.
 * @throws UnfitDatabase when a newer program has prepared the database, when a migration fails, or when an index cannot be built
 */
export async function migrate(db: Db, preparation: Preparation): Promise<void> {
  const { collections, stopping, leaseMs = LEASE_MS, say = () => {} } = preparation;
  const rows = db.collection<Row>(COLLECTION);
  for (let waits = 0; ; waits++) {
    stopping?.throwIfAborted();
    const known = await rows.find().toArray();
    const hasWork = pendingOf(known, preparation).length > 0;
    const isLeased = known.some(({ _id }) => _id === LEASE);
    if (!hasWork && !isLeased && (await areIndexesRight(db, collections))) return;
    const lease = await takeLease(rows, LEASE, leaseMs);
    if (lease !== null) return prepare(db, preparation, lease);
    if (waits === 0) say("Another process prepares the database: waiting for it");
    await delay(POLL_MS, undefined, stopping && { signal: stopping });
  }
}

async function prepare(db: Db, preparation: Preparation, { lost, release }: Lease): Promise<void> {
  const { collections, stopping, say = () => {} } = preparation;
  const rows = db.collection<Row>(COLLECTION);
  const ending = AbortSignal.any(stopping === undefined ? [lost] : [lost, stopping]);
  try {
    // Read again, because the previous holder of the lease may have run some of them
    for (const { number, name, run } of pendingOf(await rows.find().toArray(), preparation)) {
      ending.throwIfAborted();
      say(`Migration ${number} of the database: ${name}`);
      await run(db).catch((error) => {
        throw unfit(`Migration ${number} of the database failed: ${name}`, error);
      });
      ending.throwIfAborted();
      await rows.updateOne({ _id: number }, { $setOnInsert: { name, doneAt: new Date() } }, { upsert: true });
    }
    ending.throwIfAborted();
    await correctIndexes(db, collections, say);
  } finally {
    await release();
  }
}

/** The migrations that the database is missing, in order. */
function pendingOf(rows: readonly Row[], { migrations }: Preparation): Migration[] {
  const done = new Set(rows.map(({ _id }) => _id));
  const last = migrations.at(-1)?.number ?? 0;
  const newest = Math.max(0, ...rows.flatMap(({ _id }) => (typeof _id === "number" ? _id : [])));
  if (newest > last) {
    const known = `this one knows them up to ${last}`;
    throw new UnfitDatabase(`A newer version of the program has migrated the database to ${newest}, and ${known}: start the newer one`);
  }
  return migrations.filter(({ number }) => !done.has(number));
}
