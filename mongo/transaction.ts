import { AsyncLocalStorage } from "node:async_hooks";
import mongoose from "mongoose";
import { inTurn, letFirstPass, takesTurns } from "./precedence.ts";

const open = new AsyncLocalStorage<mongoose.ClientSession>();
const riders = new AsyncLocalStorage<Rider>();
const incomplete = new WeakSet<mongoose.ClientSession>();
const followers = new WeakMap<mongoose.ClientSession, (() => Promise<void>)[]>();

/** The session of the running transaction; null outside of one. */
export function currentSession(): mongoose.ClientSession | null {
  return open.getStore() ?? null;
}

/**
 * A write or a check that is added to the first transaction of a piece of work, or to each of its transactions. If the
 * write or the check fails, that transaction does not commit.
 */
interface Rider {
  board: (done: unknown) => Promise<void>;
  boards: "FIRST" | "EACH";
  hasArrived: boolean;
  /** The rider of the work around this one, which boards after it. */
  outer: Rider | undefined;
}

/**
 * Runs `work` with a rider: at the end of the first transaction in it, or of each, `board` is called with that
 * transaction's result and commits with it. `hasArrived` tells `work` whether that has happened. The work may be part
 * of other work that has a rider too. Then both board.
 */
export async function withRider<T>(
  board: (done: unknown) => Promise<void>,
  work: (hasArrived: () => boolean) => Promise<T>,
  { boards = "FIRST" }: { boards?: Rider["boards"] } = {},
): Promise<T> {
  const rider: Rider = { board, boards, hasArrived: false, outer: riders.getStore() };
  return riders.run(rider, () => work(() => rider.hasArrived));
}

/**
 * Runs `work` in one transaction (snapshot, majority, journaled) and repeats it whenever the database allows a retry.
 * `work` must therefore read again everything it decides on and must have no other effect. Inside another transaction
 * it joins that one. Work that returns null states that it has changed nothing.
 */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentSession();
  if (outer !== null) return join(outer, work);
  const session = await mongoose.connection.startSession();
  const riders = waitingRiders();
  const runAttempt = () => {
    followers.set(session, []); // drops the followers of an attempt that was undone
    return runWithRiders(riders, work);
  };
  try {
    const done = await retryWithTurns<T>((attempt) =>
      session.withTransaction(() => open.run(session, () => attempt(runAttempt)), {
        readConcern: { level: "snapshot" },
        writeConcern: { w: "majority", j: true },
        readPreference: "primary",
      }),
    );
    if (done !== null) for (const rider of riders) rider.hasArrived = true;
    // A failure after the commit is no error: what has committed stays, and the address guard still prevents an email
    for (const follow of followers.get(session) ?? []) await follow().catch(() => {});
    return done;
  } finally {
    await session.endSession();
  }
}

/** Milliseconds for which attempts take turns. Later the driver's pauses decide, until it gives up. */
const TAKES_TURNS_MS = 60_000;

/** Ends a transaction whose first attempt met a conflict. */
class MetConflict extends Error {}

/**
 * Runs a transaction whose attempts let stops pass and take turns with those of the same owner. The driver's own pauses
 * grow from 5 to 500 ms with each conflict, and newcomers would win meanwhile.
 */
async function retryWithTurns<T>(
  transact: (attempt: (whole: () => Promise<T>) => Promise<T>) => Promise<T>,
): Promise<T> {
  const until = performance.now() + TAKES_TURNS_MS;
  for (let isFurther = false; ; isFurther = true) {
    let attempts = 0;
    const once = (whole: () => Promise<T>) => {
      if (++attempts > 1 && takesTurns() && performance.now() < until) throw new MetConflict();
      return letFirstPass().then(whole);
    };
    try {
      return await inTurn(isFurther, () => transact(async (whole) => once(whole)));
    } catch (err) {
      if (!(err instanceof MetConflict)) throw err;
    }
  }
}

/**
 * Whether work that joined the running transaction has failed. Its writes are still part of the transaction, so the
 * whole should not commit.
 */
export function hasFailedPart(): boolean {
  const session = currentSession();
  return session !== null && incomplete.has(session);
}

/**
 * Runs `work` once the running transaction has committed. When the process dies between the two, `work` is never run.
 */
export function afterCommit(work: () => Promise<void>): void {
  const session = currentSession();
  if (session === null) throw new Error("There is no transaction to follow");
  followers.get(session)?.push(work);
}

/**
 * Runs `work` apart from the running transaction and its rider, so that its writes stay when that transaction is
 * undone.
 */
export function outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return open.exit(() => riders.exit(work));
}

/** The riders that have not arrived, the innermost first. */
function waitingRiders(): Rider[] {
  const all: Rider[] = [];
  for (let rider = riders.getStore(); rider !== undefined; rider = rider.outer) all.push(rider);
  return all.filter(({ hasArrived, boards }) => boards === "EACH" || !hasArrived);
}

async function runWithRiders<T>(waiting: readonly Rider[], work: () => Promise<T>): Promise<T> {
  const done = await work();
  if (done !== null) for (const rider of waiting) await riders.exit(() => rider.board(done));
  return done;
}

async function join<T>(outer: mongoose.ClientSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    incomplete.add(outer);
    throw err;
  }
}
