import { AsyncLocalStorage } from "node:async_hooks";
import mongoose from "mongoose";

const open = new AsyncLocalStorage<mongoose.ClientSession>();
const incomplete = new WeakSet<mongoose.ClientSession>();

/** The session every command of the running transaction belongs to. */
export function currentSession(): mongoose.ClientSession | null {
  return open.getStore() ?? null;
}

/**
 * Runs `work` in one transaction (snapshot, majority, journaled) and runs it again whenever the database says that it may;
 * so `work` re-reads all it decides on and has no other effect. Inside another transaction it joins that one.
 */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentSession();
  if (outer !== null) return join(outer, work);
  const session = await mongoose.connection.startSession();
  try {
    return await session.withTransaction(() => open.run(session, work), {
      readConcern: { level: "snapshot" },
      writeConcern: { w: "majority", j: true },
      readPreference: "primary",
    });
  } finally {
    await session.endSession();
  }
}

/** Whether a transaction joined the running one and failed: what it wrote is still in, so the whole had better not commit. */
export function hasFailedPart(): boolean {
  const session = currentSession();
  return session !== null && incomplete.has(session);
}

async function join<T>(outer: mongoose.ClientSession, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    incomplete.add(outer);
    throw err;
  }
}
