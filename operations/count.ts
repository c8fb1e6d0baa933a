import type { Collection, Filter } from "../mongo/collection.ts";
import { isOverTime } from "../mongo/over-time.ts";
import type { Owned } from "../mongo/schema.ts";

/** A caller waits so long; what is counted behind may take longer. */
const WAIT_MS = 1_000;
export const BEHIND_MS = 30_000;
const SAMPLE = 1_000;

/**
 * A count within a caller's patience. The index of words cannot tell that a document meets it once, so each is read: too long for a
 * word that all have, and on a busy machine even a count of keys may be. Then it is estimated until it has been counted behind.
 */
export async function countInTime(
  count: (maxTimeMs: number) => Promise<number>,
  estimate: () => Promise<number>,
  later: (total: number, begunAt: number) => void,
): Promise<number> {
  try {
    return await count(WAIT_MS);
  } catch (error) {
    if (!isOverTime(error)) throw error;
  }
  const at = performance.now();
  count(BEHIND_MS).then(
    (total) => later(total, at),
    () => {},
  );
  return estimate();
}

/** How many of `among` meet the filter, by the share of those that come first in its order. */
export async function estimated<T extends Owned>(
  collection: Collection<T>,
  filter: Filter<T>,
  { among, sort, hint }: { among: Filter<T>; sort: Record<string, 1 | -1>; hint: string },
): Promise<number> {
  const all = await collection.count(among, { hint, maxTimeMs: BEHIND_MS });
  const sample = await collection.read(among, { sort, limit: SAMPLE, select: { _id: 1 }, hint });
  if (sample.length === 0) return 0;
  const ids = { _id: { $in: sample.map(({ _id }) => _id) } };
  const met = await collection.read({ $and: [filter, ids] }, { select: { _id: 1 }, hint: "_id_" });
  return Math.round((all * met.length) / sample.length);
}
