import { LEAD_INDEX } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { Kept } from "../cost-aware-cache.ts";
import { countInTime, estimated } from "../count.ts";
import type { LeadQuery } from "./filter.ts";

/** A smaller total is counted anew every time. */
const LARGE = 1_000;
const NEWEST = { _id: -1 } as const;

/** A total and where late pages begin, as long as both are worth keeping. */
export interface Counted {
  total: number;
  newest: string | null;
  /** Offsets that were asked for, with the id that stood there. */
  anchors: Map<number, string>;
}

const kept = new Kept<Counted>(({ total }) => total >= LARGE);

/**
 * How many leads are asked for. Counting a million takes the index alone, and still half a second: such a count is kept for
 * seconds, and dropped as soon as a lead is added, or changed by this process. What takes longer than a second, as a search that a
 * fifth of a million leads meet, is estimated until it has been counted behind.
 */
export function totalOf(query: LeadQuery): Promise<Counted> {
  const { workspaceId, key } = query;
  return kept.of(
    workspaceId,
    key,
    () => countNow(query),
    async ({ newest }) => (await newestOf(workspaceId)) === newest,
  );
}

/** What is kept of a question that is asked again. */
export function keptOf({ key }: LeadQuery): Counted | null {
  return kept.get(key);
}

/** Leads of the workspace were changed: who changed them reads the new totals. */
export function forgetTotals(workspaceId: string): void {
  kept.forget(workspaceId);
}

async function countNow(query: LeadQuery): Promise<Counted> {
  const { workspaceId, filter, key, segment } = query;
  const newest = await newestOf(workspaceId);
  const countedAs = (total: number) => ({ total, newest, anchors: new Map() });
  if (segment !== null) return countedAs(await exactly(query));
  const total = await countInTime(
    (maxTimeMs) => exactly(query, maxTimeMs),
    () => estimated(scoped(workspaceId).Lead, filter, { among: {}, sort: NEWEST, hint: LEAD_INDEX.newest }),
    (late, begunAt) => kept.keep(workspaceId, key, countedAs(late), begunAt),
  );
  return countedAs(total);
}

async function exactly({ workspaceId, filter, hint, segment }: LeadQuery, maxTimeMs?: number): Promise<number> {
  const { Lead } = scoped(workspaceId);
  if (segment === null) return Lead.count(filter, { ...(hint !== null && { hint }), ...(maxTimeMs !== undefined && { maxTimeMs }) });
  const [count] = await Lead.aggregate<{ total: number }>(segment.match, ...segment.stages, { $match: filter }, { $count: "total" });
  return count?.total ?? 0;
}

async function newestOf(workspaceId: string): Promise<string | null> {
  const [lead] = await scoped(workspaceId).Lead.read({}, { sort: NEWEST, limit: 1, select: { _id: 1 }, hint: LEAD_INDEX.newest });
  return lead?._id ?? null;
}
