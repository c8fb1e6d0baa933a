import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";

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
        insuranceLimiter: new RateLimiterMemory(options),
      });
      of = db;
    }
    return limiter;
  };
  return async (key) => {
    try {
      return rateOf(await connected().consume(key), true);
    } catch (err) {
      if (err instanceof RateLimiterRes) return rateOf(err, false);
      throw err;
    }
  };
}

function rateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Rate {
  return { isAllowed, remaining: Math.max(0, remainingPoints), resetMs: Math.max(0, msBeforeNext) };
}
