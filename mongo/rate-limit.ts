import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";

const SOON_MS = 1_000;
const TABLE = "rate_limits";

export interface Rate {
  isAllowed: boolean;
  remaining: number;
  resetMs: number;
  /** Takes this count back, unless its window is over. It never fails: a count that stays ends with its window. */
  takeBack(): Promise<void>;
}

interface RateOptions {
  /** Whether a count can go down again. Then a process must not remember by itself that a name has used up its window. */
  mayTakeBack?: boolean;
}

/** Counts what each name does in a window, together with the other processes; by this process alone while the database is away. */
export function createRateLimit(
  name: string,
  points: number,
  seconds: number,
  { mayTakeBack = false }: RateOptions = {},
): (key: string) => Promise<Rate> {
  const options = { keyPrefix: name, points, duration: seconds };
  // A crash may forget the last counts: waiting for the journal would make each call some milliseconds longer
  const collectionOf = (db: typeof mongoose.connection.db) =>
    (db ?? mongoose.connection).collection(TABLE, { writeConcern: { w: 1, journal: false } });
  let limiter: RateLimiterMongo | null = null;
  let of: unknown = null;
  const connected = () => {
    const { db } = mongoose.connection;
    // A process connects once; tests do it again, to another database
    if (limiter === null || of !== db) {
      limiter = new RateLimiterMongo({
        ...options,
        storeClient: { collection: () => collectionOf(db) },
        tableName: TABLE,
        disableIndexesCreation: true, // those of its model are made at start
        inMemoryBlockOnConsumed: mayTakeBack ? 0 : points,
      });
      of = db;
    }
    return limiter;
  };
  const alone = new RateLimiterMemory(options);
  const takeBackAlone = async (key: string) => {
    if (((await alone.get(key))?.consumedPoints ?? 0) > 0) await alone.reward(key);
  };
  /** The library would begin a new window with a count below zero where the one that was counted in is over. */
  const takeBackTogether = async (key: string, windowEnd: number) => {
    const window = { $gt: new Date(), $lte: new Date(windowEnd + SOON_MS) };
    const counted = { key: connected().getKey(key), points: { $gt: 0 }, expire: window };
    await collectionOf(mongoose.connection.db).updateOne(counted, { $inc: { points: -1 } });
  };
  return async (key) => {
    let isAlone = false;
    const rateOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Rate => {
      const resetMs = Math.max(0, msBeforeNext);
      const windowEnd = Date.now() + resetMs;
      const takeBack = () => inTime(isAlone ? takeBackAlone(key) : takeBackTogether(key, windowEnd)).catch(nothing);
      return { isAllowed, remaining: Math.max(0, remainingPoints), resetMs, takeBack };
    };
    try {
      const counted = inTime(connected().consume(key)).catch((err) => {
        if (err instanceof RateLimiterRes) throw err;
        isAlone = true;
        return alone.consume(key);
      });
      return rateOf(await counted, true);
    } catch (err) {
      if (err instanceof RateLimiterRes) return rateOf(err, false);
      throw err;
    }
  };
}

/** What the database says in a second; the call that is counted must not wait for it as long as for its own reads. */
async function inTime<T>(counted: Promise<T>): Promise<T> {
  const ending = new AbortController();
  const late = delay(SOON_MS, undefined, { signal: ending.signal, ref: false }).then(() =>
    Promise.reject(new Error("Not counted in time")),
  );
  late.catch(nothing);
  counted.catch(nothing);
  try {
    return await Promise.race([counted, late]);
  } finally {
    ending.abort();
  }
}

function nothing(): void {}
