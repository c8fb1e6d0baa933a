import { LEAD_INDEX } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { LeadQuery } from "./filter.ts";

/** A count that took less is made anew every time; one that took longer is not repeated for this many times as long. */
const CHEAP_MS = 40;
const KEPT = 10;
/** Until then the old one is answered once more, while the new one is made. */
const STALE = 30;
const MOST_KEPT = 1_000;

interface Counted {
  total: number;
  newest: string | null;
  at: number;
  tookMs: number;
}

const known = new Map<string, Counted>();
const running = new Map<string, Promise<Counted>>();

/**
 * How many leads are asked for. Counting a million takes the index alone, and still half a second: such a count is kept for
 * seconds, and dropped as soon as a lead is added.
 */
export async function totalOf(workspaceId: string, query: LeadQuery): Promise<number> {
  const { key } = query;
  const before = known.get(key);
  if (before === undefined) return (await counted(key, workspaceId, query)).total;
  const age = performance.now() - before.at;
  if (age > STALE * before.tookMs || (await newestOf(workspaceId)) !== before.newest) return (await counted(key, workspaceId, query)).total;
  if (age > KEPT * before.tookMs) counted(key, workspaceId, query).catch(() => known.delete(key));
  return before.total;
}

/** Asked by several at once, it is counted once. */
function counted(key: string, workspaceId: string, query: LeadQuery): Promise<Counted> {
  const under = running.get(key);
  if (under !== undefined) return under;
  const count = countNow(workspaceId, query)
    .then((result) => {
      known.delete(key);
      if (result.tookMs < CHEAP_MS) return result;
      known.set(key, result);
      const [oldest] = known.keys();
      if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
      return result;
    })
    .finally(() => running.delete(key));
  running.set(key, count);
  return count;
}

async function countNow(workspaceId: string, { filter, hint, segment }: LeadQuery): Promise<Counted> {
  const { Lead } = scoped(workspaceId);
  const newest = await newestOf(workspaceId);
  const at = performance.now();
  const total =
    segment === null
      ? await Lead.count(filter, hint === null ? {} : { hint })
      : ((await Lead.aggregate<{ total: number }>(segment.match, ...segment.stages, { $match: filter }, { $count: "total" }))[0]?.total ??
        0);
  return { total, newest, at, tookMs: performance.now() - at };
}

async function newestOf(workspaceId: string): Promise<string | null> {
  const [lead] = await scoped(workspaceId).Lead.find({}, { sort: { _id: -1 }, limit: 1, select: { _id: 1 }, hint: LEAD_INDEX.newest });
  return lead?._id ?? null;
}
