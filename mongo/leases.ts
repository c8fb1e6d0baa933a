import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { isDuplicateKey } from "./duplicate.ts";
import { createLeaseHolder, type Hold, LEASE_MS, type LeaseStore } from "./lease-holder.ts";
import type { LeaseTable } from "./lease-plan.ts";
import { hasProcessEnded, markOwnProcess } from "./process-mark.ts";

/** The part of one kind of work that belongs to this process. */
export interface WorkShare {
  /** Runs `work` with the parts that this process holds; null when it holds none now. */
  use<T>(work: (hold: Hold) => Promise<T>): Promise<T> | null;
  /** Gives the parts up, so that another process takes them. Call it when no use is running any more. */
  end(): Promise<void>;
}

export interface Leases {
  of(kind: string): WorkShare;
  /** Ends the renewals. What has not been given up is free when its lease ends. */
  stop(): void;
}

interface LeaseOptions {
  /** How many parts each kind of work has. */
  sizes: Record<string, number>;
  onFault(error: unknown): void;
  /** Is called after each renewal with the number of parts that this process holds, by kind. */
  onRenewed?(counts: Record<string, number>): void;
}

/** Milliseconds to wait after a failed renewal. */
const AGAIN_MS = 500;
const TABLE = "work";

/**
 * Shares work with the other processes that do the same: each holds an equal number of parts under a lease of a few
 * seconds, which one write a second renews for all parts together. A process that joins gets its share from the
 * others; one that ends gives its parts up at once; those of one that died are taken when its lease ends, or at once by
 * a process of the same machine. Resolves after the first renewal, so a process that is alone then holds everything.
 */
export async function startLeases({ sizes, onFault, onRenewed }: LeaseOptions): Promise<Leases> {
  const holder = createLeaseHolder({
    id: randomUUID(),
    store: leaseStore(),
    sizes,
    nowMs: () => performance.now(),
    process: markOwnProcess(),
    isGone: ({ process }) => hasProcessEnded(process),
    onFreed: () => void renew(),
  });
  const left = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  /** One renewal after the other, each followed by the timer of the next. */
  function renew(): Promise<void> {
    last = last.then(async () => {
      if (isStopped) return;
      clearTimeout(timer);
      let nextMs = AGAIN_MS;
      try {
        nextMs = await holder.renew();
      } catch (error) {
        onFault(error);
      }
      onRenewed?.(Object.fromEntries(Object.keys(sizes).map((kind) => [kind, holder.count(kind)])));
      clearTimeout(expiry);
      if (isStopped) return;
      timer = setTimeout(renew, nextMs);
      expiry = setTimeout(holder.endLost, holder.leftMs());
    });
    return last;
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    clearTimeout(expiry);
  }

  await renew();
  return {
    of: (kind) => ({
      use: (work) => holder.use(kind, work),
      async end() {
        holder.leave(kind);
        await renew();
        left.add(kind);
        // The last one removed this process from the table, and another renewal would add it again
        if (left.size === Object.keys(sizes).length) stop();
      },
    }),
    stop,
  };
}

/** The table in the database. A call that has no answer within a lease fails. */
export function leaseStore(): LeaseStore {
  const rows = () => mongoose.connection.collection<LeaseTable & { _id: string }>("work_leases");
  const within = <T>(call: Promise<T>): Promise<T> =>
    Promise.race([
      call,
      delay(LEASE_MS, undefined, { ref: false }).then(() => Promise.reject(new Error("No answer within the lease"))),
    ]);
  const addOrRenew = async (id: string, holder: object): Promise<LeaseTable> => {
    const lease = { ...holder, until: { $add: ["$$NOW", LEASE_MS] } };
    const version = { $add: [{ $ifNull: ["$version", 0] }, 1] };
    const set = { version, at: "$$NOW", parts: { $ifNull: ["$parts", {}] }, [`holders.${id}`]: lease };
    const table = await rows().findOneAndUpdate({ _id: TABLE }, [{ $set: set }], {
      upsert: true,
      returnDocument: "after",
    });
    if (table === null) throw new Error("The table of leases could not be written");
    return table;
  };
  return {
    renew(id, holder) {
      // Two processes may create the table at once
      const again = (error: unknown) => {
        if (isDuplicateKey(error)) return addOrRenew(id, holder);
        throw error;
      };
      return within(addOrRenew(id, holder).catch(again));
    },
    async replace(version, { holders, parts }) {
      const change = { $set: { holders, parts }, $inc: { version: 1 } };
      return (await within(rows().updateOne({ _id: TABLE, version }, change))).matchedCount === 1;
    },
  };
}
