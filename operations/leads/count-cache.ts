import { LEAD_INDEX } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";
import { countInTime, estimateCount, exact, type Total } from "../count.ts";
import type { LeadQuery } from "./filter.ts";

/** A smaller total is not cached. */
const LARGE = 1_000;
const NEWEST = { _id: -1 } as const;

/** A total and the start ids of late pages, which are cached together. */
export interface CachedCount extends Total {
  newest: string | null;
  /** Requested offsets, each with the id of the lead there. */
  anchors: Map<number, string>;
}

const kept = new CostAwareCache<CachedCount>(({ total }) => total >= LARGE);

/**
 * The number of leads of a query. Counting a million reads only the index, and still takes half a second, so such a
 * count is kept for seconds, and dropped as soon as a lead is added, or changed by this process. A count that takes
 * longer than a second, such as a search with 200,000 matches, is estimated until the background count is ready.
 */
export function totalOf(query: LeadQuery): Promise<CachedCount> {
  const { workspaceId, key } = query;
  return kept.of(
    workspaceId,
    key,
    () => countNow(query),
    async ({ newest }) => (await newestOf(workspaceId)) === newest,
  );
}

/** The cached total of a query; null when there is none. */
export function keptOf({ key }: LeadQuery): CachedCount | null {
  return kept.get(key);
}

/**
 * Drops the totals of a workspace whose leads this process has changed, so that the caller who made the change reads
 * new ones.
 */
export function forgetTotals(workspaceId: string): void {
  kept.forget(workspaceId);
}

async function countNow(query: LeadQuery): Promise<CachedCount> {
  const { workspaceId, filter, key, segment } = query;
  const newest = await newestOf(workspaceId);
  const countedAs = (total: Total) => ({ ...total, newest, anchors: new Map() });
  if (segment !== null) return countedAs(exact(await exactly(query)));
  const total = await countInTime(
    (maxTimeMs) => exactly(query, maxTimeMs),
    () => estimateCount(scoped(workspaceId).Lead, filter, { among: {}, sort: NEWEST, hint: LEAD_INDEX.newest }),
    (late, begunAt) => kept.keep(workspaceId, key, countedAs(late), begunAt),
  );
  return countedAs(total);
}

async function exactly({ workspaceId, filter, hint, segment }: LeadQuery, maxTimeMs?: number): Promise<number> {
  const { Lead } = scoped(workspaceId);
  if (segment === null)
    return Lead.count(filter, { ...(hint !== null && { hint }), ...(maxTimeMs !== undefined && { maxTimeMs }) });
  const [count] = await Lead.aggregate<{ total: number }>(
    segment.match,
    ...segment.stages,
    { $match: filter },
    { $count: "total" },
  );
  return count?.total ?? 0;
}

async function newestOf(workspaceId: string): Promise<string | null> {
  const [lead] = await scoped(workspaceId).Lead.read(
    {},
    { sort: NEWEST, limit: 1, select: { _id: 1 }, hint: LEAD_INDEX.newest },
  );
  return lead?._id ?? null;
}
