import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";

const SOON_MS = 1_000;
const TABLE = "rate_limits";

export interface Rate {
  isAllowed: boolean;
  remaining: number;
  resetMs: number;
  /**
   * Undoes this count, unless its window is over. It never fails: a count that could not be undone expires with its
   * window.
   */
  takeBack(): Promise<void>;
}

const forgetting: (() => void)[] = [];

/** Resets all counts, as if every window had ended. For tests. */
export async function forgetRates(): Promise<void> {
  for (const forget of forgetting) forget();
  await mongoose.connection.db?.collection(TABLE).deleteMany({});
}

/**
 * Counts how often each key is used in a window, across all processes. This process also keeps its own count in memory.
 * While the database is unreachable or slow, that count alone decides, without starting from zero.
 */
export function createRateLimit(name: string, points: number, seconds: number): (key: string) => Promise<Rate> {
  const options = { keyPrefix: name, points, duration: seconds };
  // A crash may lose the last counts, because waiting for the journal would make each call some milliseconds slower
  const collectionOf = (db: typeof mongoose.connection.db) =>
    (db ?? mongoose.connection).collection(TABLE, { writeConcern: { w: 1, journal: false } });
  let limiter: RateLimiterMongo | null = null;
  let own = new RateLimiterMemory(options);
  let of: unknown = null;
  const connectedLimiter = () => {
    const { db } = mongoose.connection;
    // A process connects only once, but tests connect again to another database
    if (limiter === null || of !== db) {
      limiter = new RateLimiterMongo({
        ...options,
        storeClient: { collection: () => collectionOf(db) },
        tableName: TABLE,
        disableIndexesCreation: true, // the model creates its indexes at start
      });
      of = db;
    }
    return limiter;
  };
  forgetting.push(() => {
    own = new RateLimiterMemory(options);
  });
  const takeBackOwn = async (key: string) => {
    if (((await own.get(key))?.consumedPoints ?? 0) > 0) await own.reward(key);
  };
  /** When the counted window is over, the library would start a new window with a negative count. */
  const takeBackShared = async (key: string, windowEnd: number) => {
    const window = { $gt: new Date(), $lte: new Date(windowEnd + SOON_MS) };
    const counted = { key: connectedLimiter().getKey(key), points: { $gt: 0 }, expire: window };
    await collectionOf(mongoose.connection.db).updateOne(counted, { $inc: { points: -1 } });
  };
  return async (key) => {
    const ownCount = await consumePoints(own, key);
    // When this process alone has counted enough to refuse, it does not query the database, which protects the database
    // from floods
    if (!ownCount.isAllowed) return { ...ownCount, takeBack: () => takeBackOwn(key) };
    const shared = await inTime(consumePoints(connectedLimiter(), key)).catch(() => null);
    const { isAllowed, remaining, resetMs } = shared ?? ownCount;
    const windowEnd = Date.now() + resetMs;
    const takeBack = async () => {
      await takeBackOwn(key);
      if (shared !== null) await inTime(takeBackShared(key, windowEnd)).catch(noop);
    };
    return { isAllowed, remaining, resetMs, takeBack };
  };
}

async function consumePoints(
  limiter: RateLimiterMongo | RateLimiterMemory,
  key: string,
): Promise<Omit<Rate, "takeBack">> {
  try {
    return rateOf(await limiter.consume(key), true);
  } catch (err) {
    if (err instanceof RateLimiterRes) return rateOf(err, false);
    throw err;
  }
}

function rateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Omit<Rate, "takeBack"> {
  return { isAllowed, remaining: Math.max(0, remainingPoints), resetMs: Math.max(0, msBeforeNext) };
}

/**
 * The count, if the database answers within a second. The counted call must not wait for the count as long as for its
 * own reads.
 */
async function inTime<T>(counted: Promise<T>): Promise<T> {
  const ending = new AbortController();
  const late = delay(SOON_MS, undefined, { signal: ending.signal, ref: false }).then(() =>
    Promise.reject(new Error("Not counted in time")),
  );
  late.catch(noop);
  counted.catch(noop);
  try {
    return await Promise.race([counted, late]);
  } finally {
    ending.abort();
  }
}

function noop(): void {}
