import { randomUUID } from "node:crypto";
import type mongoose from "mongoose";
import { isDuplicateKey } from "./duplicate.ts";

/** Milliseconds for which other processes wait for a holder that died. Long enough for a replica set to elect a new primary. */
export const LEASE_MS = 30_000;
const RENEWALS = 3;

export interface Lease {
  /** Fired when the lease could not be renewed in time, so that another process may hold it. */
  lost: AbortSignal;
  release(): Promise<void>;
}

export interface LeaseRow {
  _id: string | number;
  holder?: string;
  until?: Date;
}

/**
 * Takes a lease, or returns null while another process holds it. The lease is renewed until it is released, by the database's clock. The
 * lease of a process that died ends by itself.
 */
export async function takeLease(rows: mongoose.mongo.Collection<LeaseRow>, _id: string, leaseMs: number): Promise<Lease | null> {
  const holder = randomUUID();
  const held = [{ $set: { holder, until: { $add: ["$$NOW", leaseMs] } } }];
  const isOver = { _id, $expr: { $lt: ["$until", "$$NOW"] } };
  let renewedAt = performance.now();
  try {
    await rows.updateOne({ _id, holder }, held, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if ((await rows.updateOne(isOver, held)).matchedCount === 0) return null;
  }
  const lost = new AbortController();
  const lose = () => lost.abort(new Error("Another process may prepare the database now"));
  const renew = async () => {
    const askedAt = performance.now();
    if (askedAt - renewedAt > leaseMs) lose();
    const { matchedCount } = await rows.updateOne({ _id, holder }, held);
    if (matchedCount === 1) renewedAt = askedAt;
    else lose();
  };
  const timer = setInterval(() => renew().catch(() => {}), leaseMs / RENEWALS); // the next renewal tries again
  timer.unref();
  return {
    lost: lost.signal,
    async release() {
      clearInterval(timer);
      await rows.deleteOne({ _id, holder }).catch(() => {}); // the lease ends by itself
    },
  };
}
