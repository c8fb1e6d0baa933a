import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";

const SOON_MS = 1_000;

export interface Rate {
  isAllowed: boolean;
  remaining: number;
  resetMs: number;
}

/** Counts what each name does in a window, together with the other processes; by this process alone while the database is away. */
export function createRateLimit(name: string, points: number, seconds: number): (key: string) => Promise<Rate> {
  const options = { keyPrefix: name, points, duration: seconds };
  let limiter: RateLimiterMongo | null = null;
  let of: unknown = null;
  const connected = () => {
    const { db } = mongoose.connection;
    // A process connects once; tests do it again, to another database
    if (limiter === null || of !== db) {
      limiter = new RateLimiterMongo({
        ...options,
        // A crash may forget the last counts: waiting for the journal would make each call some milliseconds longer
        storeClient: {
          collection: (table: string) => (db ?? mongoose.connection).collection(table, { writeConcern: { w: 1, journal: false } }),
        },
        tableName: "rate_limits",
        disableIndexesCreation: true, // those of its model are made at start
        inMemoryBlockOnConsumed: points,
      });
      of = db;
    }
    return limiter;
  };
  const alone = new RateLimiterMemory(options);
  return async (key) => {
    try {
      return rateOf(await inTime(connected().consume(key)).catch((err) => aloneUnlessRefused(alone, key, err)), true);
    } catch (err) {
      if (err instanceof RateLimiterRes) return rateOf(err, false);
      throw err;
    }
  };
}

/** What the database says in a second; the call that is counted must not wait for it as long as for its own reads. */
async function inTime(counted: Promise<RateLimiterRes>): Promise<RateLimiterRes> {
  const ending = new AbortController();
  const late = delay(SOON_MS, undefined, { signal: ending.signal, ref: false }).then(() =>
    Promise.reject(new Error("Not counted in time")),
  );
  late.catch(() => {});
  counted.catch(() => {});
  try {
    return await Promise.race([counted, late]);
  } finally {
    ending.abort();
  }
}

function aloneUnlessRefused(alone: RateLimiterMemory, key: string, err: unknown): Promise<RateLimiterRes> {
  return err instanceof RateLimiterRes ? Promise.reject(err) : alone.consume(key);
}

function rateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Rate {
  return { isAllowed, remaining: Math.max(0, remainingPoints), resetMs: Math.max(0, msBeforeNext) };
}
