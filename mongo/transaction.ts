import { AsyncLocalStorage } from "node:async_hooks";
import mongoose from "mongoose";

const open = new AsyncLocalStorage<mongoose.ClientSession>();
const riders = new AsyncLocalStorage<Rider>();
const incomplete = new WeakSet<mongoose.ClientSession>();
const followers = new WeakMap<mongoose.ClientSession, (() => Promise<void>)[]>();

/** The session every command of the running transaction belongs to. */
export function currentSession(): mongoose.ClientSession | null {
  return open.getStore() ?? null;
}

/** What goes with the first transaction that a piece of work commits: none of it exists without this. */
interface Rider {
  board: (done: unknown) => Promise<void>;
  hasArrived: boolean;
}

/**
 * Runs `work`; `board` is called with the answer of its first transaction at that one's end, and commits with it. `hasArrived` tells
 * whether it did.
 */
export async function withRider<T>(board: (done: unknown) => Promise<void>, work: (hasArrived: () => boolean) => Promise<T>): Promise<T> {
  const rider = { board, hasArrived: false };
  return riders.run(rider, () => work(() => rider.hasArrived));
}

/**
 * Runs `work` in one transaction (snapshot, majority, journaled) and runs it again whenever the database says that it may;
 * so `work` re-reads all it decides on and has no other effect. Inside another transaction it joins that one.
 * Work that answers null says that it has changed nothing.
 */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentSession();
  if (outer !== null) return join(outer, work);
  const session = await mongoose.connection.startSession();
  const rider = riders.getStore();
  const whole = () => {
    followers.set(session, []); // those of an attempt that was undone are gone with it
    return ridden(rider, work);
  };
  try {
    const done = await session.withTransaction(() => open.run(session, whole), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority", j: true },
      readPreference: "primary",
    });
    if (done !== null && rider !== undefined) rider.hasArrived = true;
    for (const follow of followers.get(session) ?? []) await follow().catch(() => {}); // what has committed is no error; the guard keeps the promise
    return done;
  } finally {
    await session.endSession();
  }
}

/** Whether a transaction joined the running one and failed: what it wrote is still in, so the whole had better not commit. */
export function hasFailedPart(): boolean {
  const session = currentSession();
  return session !== null && incomplete.has(session);
}

/** Runs `work` once the running transaction has committed. A process that dies between the two leaves it undone. */
export function afterCommit(work: () => Promise<void>): void {
  const session = currentSession();
  if (session === null) throw new Error("There is no transaction to follow");
  followers.get(session)?.push(work);
}

/** Runs `work` apart from the running transaction and its rider, so that it stays when that one is undone. */
export function outsideTransaction<T>(work: () => Promise<T>): Promise<T> {
  return open.exit(() => riders.exit(work));
}

async function ridden<T>(rider: Rider | undefined, work: () => Promise<T>): Promise<T> {
  const done = await work();
  if (done !== null && rider !== undefined && !rider.hasArrived) await riders.exit(() => rider.board(done));
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
