import type { Collection, Filter } from "../mongo/collection.ts";
import type { Owned } from "../mongo/schema.ts";
import { isOverTime } from "../mongo/unfit.ts";

/** Milliseconds that a caller waits for a count; a count in the background may take `BEHIND_MS`. */
const WAIT_MS = 1_000;
export const BEHIND_MS = 30_000;
const SAMPLE = 1_000;

/** A number of entries, and whether it is exact. */
export interface Total {
  total: number;
  /** False when the number was estimated from a sample, because counting would take too long. */
  totalIsExact: boolean;
}

export function exact(total: number): Total {
  return { total, totalIsExact: true };
}

/** Only the total of an object with more fields. */
export function totalIn({ total, totalIsExact }: Total): Total {
  return { total, totalIsExact };
}

/**
 * Counts within the time that a caller waits. A search must read each match, because the word index can contain a
 * document several times, which takes too long for a common word. On a busy machine, even counting index keys can. Then
 * the number is estimated until the background count is ready.
 */
export async function countInTime(
  count: (maxTimeMs: number) => Promise<number>,
  estimate: () => Promise<number>,
  later: (total: Total, begunAt: number) => void,
): Promise<Total> {
  try {
    return exact(await count(WAIT_MS));
  } catch (error) {
    if (!isOverTime(error)) throw error;
  }
  const at = performance.now();
  count(BEHIND_MS).then(
    (total) => later(exact(total), at),
    () => {},
  );
  return { total: await estimate(), totalIsExact: false };
}

/** Estimates how many documents of `among` match the filter, from the share among the first of them. */
export async function estimateCount<T extends Owned>(
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
