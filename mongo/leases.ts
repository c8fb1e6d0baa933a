import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { isDuplicateKey } from "./duplicate.ts";
import { createLeaseHolder, type Hold, LEASE_MS, type LeaseStore } from "./lease-holder.ts";
import type { LeaseTable } from "./lease-plan.ts";

/** The part of one kind of work that belongs to this process. */
export interface WorkShare {
  /** Runs `work` with the parts that this process holds; null when it holds none now (`LeaseHolder`). */
  use<T>(work: (hold: Hold) => Promise<T>, mostMs?: number): Promise<T> | null;
  /** Gives the parts up, so that another process takes them. Call it when no use is running any more. */
  end(): Promise<void>;
}

export interface Leases {
  of(kind: string): WorkShare;
  /** Ends the renewals and all uses. What has not been given up is free when its lease ends. */
  stop(): void;
}

export interface LeaseOptions {
  /** How many parts each kind of work has. */
  sizes: Record<string, number>;
  onFault(error: unknown): void;
  /** The level of this process now (`Holder`). */
  level?(): number;
  store?: LeaseStore;
  /** Is called after each renewal with the number of parts that this process holds, by kind. */
  onRenewed?(counts: Record<string, number>): void;
}

/** Milliseconds between two looks for uses whose lease is over. */
const LOOK_MS = 100;
const TABLE = "work";

/**
 * Shares work with the other processes that do the same: each holds an equal number of parts under a lease of a few
 * seconds, which one write a second renews for all parts together. A process that joins gets its share from the
 * others; one that ends gives its parts up at once; those of one that died are taken when its lease ends. Resolves after
 * the first renewal, so a process that is alone then holds everything.
 */
export async function startLeases(options: LeaseOptions): Promise<Leases> {
  const { sizes, onFault, level = () => 0, store = leaseStore(), onRenewed } = options;
  const holder = createLeaseHolder({
    id: randomUUID(),
    store,
    sizes,
    nowMs: () => performance.now(),
    level,
    random: Math.random,
    onFault,
    onFreed: () => void renew(),
  });
  const left = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  // A timer for the end of the lease could fire too early, and a renewal that hangs would not set it again
  const looks = setInterval(holder.endLost, LOOK_MS);

  /** One renewal after the other, each followed by the timer of the next. */
  function renew(): Promise<void> {
    last = last.then(async () => {
      if (isStopped) return;
      clearTimeout(timer);
      const nextMs = await holder.renew();
      onRenewed?.(Object.fromEntries(Object.keys(sizes).map((kind) => [kind, holder.count(kind)])));
      if (!isStopped) timer = setTimeout(renew, nextMs);
    });
    return last;
  }

  function stop(): void {
    isStopped = true;
    clearTimeout(timer);
    clearInterval(looks);
    holder.stop();
  }

  await renew();
  return {
    of: (kind) => ({
      use: (work, mostMs) => holder.use(kind, work, mostMs),
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
    const set = {
      version: { $ifNull: ["$version", 0] },
      at: "$$NOW",
      parts: { $ifNull: ["$parts", {}] },
      [`holders.${id}`]: lease,
    };
    const table = await rows().findOneAndUpdate({ _id: TABLE }, [{ $set: set }], {
      upsert: true,
      returnDocument: "after",
      maxTimeMS: LEASE_MS,
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
    async change({ version, parts, removed, ends }) {
      const leases = Object.fromEntries(Object.entries(ends).map(([id, until]) => [`holders.${id}.until`, until]));
      const change = {
        $set: { parts },
        $inc: { version: 1 },
        $unset: Object.fromEntries(removed.map((id) => [`holders.${id}`, true as const])),
      };
      const call = rows().updateOne({ _id: TABLE, version, ...leases }, change, { maxTimeMS: LEASE_MS });
      return (await within(call)).matchedCount === 1;
    },
  };
}
