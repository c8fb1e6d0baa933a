import { AsyncLocalStorage } from "node:async_hooks";
import mongoose from "mongoose";
import { inTurn, letFirstPass, takesTurns } from "./precedence.ts";

const open = new AsyncLocalStorage<mongoose.ClientSession>();
const riders = new AsyncLocalStorage<Rider>();
const incomplete = new WeakSet<mongoose.ClientSession>();
const followers = new WeakMap<mongoose.ClientSession, (() => Promise<void>)[]>();
const closings = new WeakMap<mongoose.ClientSession, Map<ClosingWrite<never>, unknown>>();

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
  /** The rider of the enclosing work. It runs after this one. */
  outer: Rider | undefined;
}

/**
 * Runs `work` with a rider: at the end of the first transaction in `work`, or of each, `board` is called with that
 * transaction's result and commits with it. `work` can call `hasArrived` to learn whether that has happened. When the
 * enclosing work has a rider too, both run.
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
 * `work` must therefore read everything again that it decides on, and must have no other effect. Inside another
 * transaction, `work` joins that transaction. Returning null means that `work` has changed nothing.
 */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentSession();
  if (outer !== null) return join(outer, work);
  const session = await mongoose.connection.startSession();
  const riders = waitingRiders();
  const runAttempt = () => {
    // Drops what an attempt left that was rolled back
    followers.set(session, []);
    closings.set(session, new Map());
    return runWithRiders(riders, work).then(async (done) => {
      await writeClosings(session);
      return done;
    });
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
    // A failure after the commit is not an error. The committed data stays, and the address guard still prevents an
    // email
    for (const follow of followers.get(session) ?? []) await follow().catch(() => {});
    return done;
  } finally {
    await session.endSession();
  }
}

/**
 * For this many milliseconds, attempts wait in the owner's queue. After that only the driver's pauses apply, until the
 * driver gives up.
 */
const TAKES_TURNS_MS = 60_000;

/** Ends a transaction after its first attempt met a conflict. */
class MetConflict extends Error {}

/**
 * Runs a transaction whose attempts wait for stops and for conflicting attempts of the same owner. The driver alone
 * would pause from 5 up to 500 ms after each conflict, and newer transactions would overtake this one meanwhile.
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
 * transaction should not commit.
 */
export function hasFailedPart(): boolean {
  const session = currentSession();
  return session !== null && incomplete.has(session);
}

/** Runs `work` after the running transaction has committed. If the process dies before that, `work` is never run. */
export function afterCommit(work: () => Promise<void>): void {
  const session = currentSession();
  if (session === null) throw new Error("afterCommit was called outside of a transaction");
  followers.get(session)?.push(work);
}

/** Something that a transaction collects while it runs and writes once, as its last step before it commits. */
export interface ClosingWrite<T> {
  begin(): T;
  write(collected: T): Promise<void>;
}

/** What the running transaction has collected for this closing write so far. Add to it. */
export function collectedFor<T>(closing: ClosingWrite<T>): T {
  const session = currentSession();
  const all = session === null ? undefined : closings.get(session);
  if (all === undefined) throw new Error("collectedFor was called outside of a transaction");
  const key = closing as unknown as ClosingWrite<never>; // The map holds closing writes of any type
  if (!all.has(key)) all.set(key, closing.begin());
  return all.get(key) as T; // only `begin` of this closing write sets it
}

async function writeClosings(session: mongoose.ClientSession): Promise<void> {
  for (const [closing, collected] of closings.get(session) ?? []) await closing.write(collected as never); // as above
}

/**
 * Runs `work` in the running transaction, or else in one of its own. Its own transaction commits nothing of the rider
 * of the enclosing work, because it is only a part of that work.
 */
export function inAnyTransaction<T>(work: () => Promise<T>): Promise<T> {
  return currentSession() === null ? riders.exit(() => inTransaction(work)) : work();
}

/**
 * Runs `work` outside of the running transaction and its rider, so that its writes stay when the transaction is rolled
 * back.
 */
export function outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return open.exit(() => riders.exit(work));
}

/** The riders that must still run in this transaction, innermost first. */
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
