import { setTimeout as delay } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import mongoose from "mongoose";
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from "rate-limiter-flexible";

const SOON_MS = 1_000;
const TABLE = "rate_limits";
/** How many milliseconds a count may wait until the other processes see it. */
const TOLD_AFTER_MS = 500;
/** Near its limit each use of a key is counted in the database at once. */
const NEAR_SHARE = 0.2;
/** The most keys whose shared count a process remembers. */
const MOST_KEYS = 10_000;

export interface Use {
  isAllowed: boolean;
  remaining: number;
  /** Milliseconds until the window ends. */
  resetMs: number;
}

export interface Rate extends Use {
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
  const { own, takeBackOwn, shared, takeBackShared } = limiters(name, points, seconds);
  return async (key) => {
    const ownCount = await own(key);
    // When this process alone has counted enough to refuse, it does not query the database, which protects the database
    // from floods
    if (!ownCount.isAllowed) return { ...ownCount, takeBack: () => takeBackOwn(key) };
    const counted = await shared(key, 1);
    const { isAllowed, remaining, resetMs } = counted ?? ownCount;
    const windowEnd = Date.now() + resetMs;
    const takeBack = async () => {
      await takeBackOwn(key);
      if (counted !== null) await takeBackShared(key, windowEnd);
    };
    return { isAllowed, remaining, resetMs, takeBack };
  };
}

/**
 * As `createRateLimit`, for limits that most calls are far from: a process tells the database of the uses of half a
 * second together. When the same key is used in several processes in that time, a few more uses may be allowed.
 */
export function createRequestLimit(name: string, points: number, seconds: number): (key: string) => Promise<Use> {
  const { own, shared } = limiters(name, points, seconds);
  let known = new LRUCache<string, Known>({ max: MOST_KEYS, ttl: seconds * 1_000 });
  forgetting.push(() => {
    known = new LRUCache({ max: MOST_KEYS, ttl: seconds * 1_000 });
  });
  const tell = async (key: string, uses: number): Promise<Use | null> => {
    const counted = await shared(key, uses);
    const { untold = 0, remaining = points, endsAt = 0 } = known.get(key) ?? {};
    if (counted === null) {
      // Asked again later, so that not every call waits for a slow database
      known.set(key, { remaining, endsAt: Date.now() + SOON_MS, toldAt: Date.now(), untold: untold + uses });
      return null;
    }
    const ends = Date.now() + counted.resetMs;
    // An answer that came late knows less than the one before
    const least = Math.abs(ends - endsAt) < SOON_MS ? Math.min(remaining, counted.remaining) : counted.remaining;
    known.set(key, { remaining: least, endsAt: ends, toldAt: Date.now(), untold });
    return counted;
  };
  const isFar = ({ toldAt, endsAt, remaining, untold }: Known, now: number) =>
    toldAt > now - TOLD_AFTER_MS && endsAt > now && remaining - untold > points * NEAR_SHARE;
  const tellLater = (key: string) =>
    setTimeout(() => {
      const now = known.get(key);
      if (now === undefined || now.untold === 0) return;
      const uses = now.untold;
      now.untold = 0;
      void tell(key, uses);
    }, TOLD_AFTER_MS).unref();
  return async (key) => {
    const ownCount = await own(key);
    if (!ownCount.isAllowed) return ownCount;
    const now = known.get(key);
    if (now === undefined || !isFar(now, Date.now())) {
      const uses = 1 + (now?.untold ?? 0);
      if (now !== undefined) now.untold = 0;
      return (await tell(key, uses)) ?? ownCount;
    }
    now.untold++;
    if (now.untold === 1) tellLater(key);
    const remaining = Math.min(ownCount.remaining, now.remaining - now.untold);
    return { isAllowed: true, remaining, resetMs: now.endsAt - Date.now() };
  };
}

/** What a process knows of a key's shared count, without its own uses that it has not told yet. */
interface Known {
  remaining: number;
  endsAt: number;
  toldAt: number;
  untold: number;
}

function limiters(name: string, points: number, seconds: number) {
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
  return {
    own: (key: string) => consumePoints(own, key, 1),
    takeBackOwn,
    /** Null while the database does not answer in time. */
    shared: (key: string, uses: number) => inTime(consumePoints(connectedLimiter(), key, uses)).catch(() => null),
    takeBackShared: (key: string, windowEnd: number) => inTime(takeBackShared(key, windowEnd)).catch(noop),
  };
}

async function consumePoints(limiter: RateLimiterMongo | RateLimiterMemory, key: string, uses: number): Promise<Use> {
  try {
    return rateOf(await limiter.consume(key, uses), true);
  } catch (err) {
    if (err instanceof RateLimiterRes) return rateOf(err, false);
    throw err;
  }
}

function rateOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAllowed: boolean): Use {
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
