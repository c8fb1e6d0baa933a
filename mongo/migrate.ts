import { setTimeout as delay } from "node:timers/promises";
import type mongoose from "mongoose";
import { areIndexesRight, correctIndexes, type Indexed } from "./indexes.ts";
import { LEASE_MS, type Lease, type LeaseRow, takeLease } from "./lease.ts";
import { UnfitDatabase, unfit } from "./unfit.ts";

type Db = mongoose.mongo.Db;

export interface Migration {
  /** One more than that of the one before; never given to another. */
  number: number;
  name: string;
  /** Is called again when its process died before the end: what it has done by then must do no harm. */
  run(db: Db): Promise<void>;
}

export interface Preparation {
  migrations: readonly Migration[];
  collections: readonly Indexed[];
  /** Ends the waiting, and the work after the step that is under way. */
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
 * Brings a database to what this program expects: the migrations it has not had, in order, then its indexes. One process at a time does
 * it, and the others wait; where there is nothing to do nobody waits, and nothing is written.
 * @throws UnfitDatabase when a newer program has prepared it, and when a migration fails or an index cannot be built
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
    // Read anew: whoever held the lease before may have done them
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

/** Those the database has not had, in order. */
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
