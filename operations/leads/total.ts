import { LEAD_INDEX } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import type { LeadQuery } from "./filter.ts";

/** A smaller total is counted anew every time; a larger one not before ten times as long as counting it took. */
const LARGE = 1_000;
const KEPT = 10;
/** Until then the old one is answered once more, while the new one is made. */
const STALE = 30;
const MOST_KEPT = 1_000;
/** A caller waits so long; what is counted behind may take longer. */
const WAIT_MS = 1_000;
const BEHIND_MS = 30_000;
const SAMPLE = 1_000;
const OVER_TIME = 50;

/** A total and where late pages begin, as long as both are worth keeping. */
export interface Counted {
  workspaceId: string;
  total: number;
  newest: string | null;
  at: number;
  tookMs: number;
  /** Offsets that were asked for, with the id that stood there. */
  anchors: Map<number, string>;
}

const known = new Map<string, Counted>();
const running = new Map<string, Promise<Counted>>();

/**
 * How many leads are asked for. Counting a million takes the index alone, and still half a second: such a count is kept for
 * seconds, and dropped as soon as a lead is added, or changed by this process. What takes longer than a second, as a search that a
 * fifth of a million leads meet, is estimated until it has been counted behind.
 */
export async function totalOf(query: LeadQuery): Promise<Counted> {
  const before = known.get(query.key);
  if (before === undefined) return counted(query);
  const age = performance.now() - before.at;
  if (age > STALE * before.tookMs || (await newestOf(query.workspaceId)) !== before.newest) return counted(query);
  if (age > KEPT * before.tookMs) counted(query).catch(() => known.delete(query.key));
  return before;
}

/** What is kept of a question that is asked again. */
export function keptOf({ key }: LeadQuery): Counted | null {
  return known.get(key) ?? null;
}

/** Leads of the workspace were changed: who changed them reads the new totals. */
export function forgetTotals(workspaceId: string): void {
  for (const [key, { workspaceId: owner }] of known) if (owner === workspaceId) known.delete(key);
}

/** Asked by several at once, it is counted once. */
function counted(query: LeadQuery): Promise<Counted> {
  const { key } = query;
  const under = running.get(key);
  if (under !== undefined) return under;
  const count = countNow(query)
    .then((result) => {
      known.delete(key);
      if (result.total >= LARGE) keep(key, result);
      return result;
    })
    .finally(() => running.delete(key));
  running.set(key, count);
  return count;
}

function keep(key: string, result: Counted): void {
  known.set(key, result);
  const [oldest] = known.keys();
  if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
}

async function countNow(query: LeadQuery): Promise<Counted> {
  const { workspaceId } = query;
  const newest = await newestOf(workspaceId);
  const at = performance.now();
  const total = query.segment === null ? await countInTime(query, newest) : await exactly(query);
  return { workspaceId, total, newest, at, tookMs: performance.now() - at, anchors: new Map() };
}

async function exactly({ workspaceId, filter, hint, segment }: LeadQuery, maxTimeMs?: number): Promise<number> {
  const { Lead } = scoped(workspaceId);
  if (segment === null) return Lead.count(filter, { ...(hint !== null && { hint }), ...(maxTimeMs !== undefined && { maxTimeMs }) });
  const [count] = await Lead.aggregate<{ total: number }>(segment.match, ...segment.stages, { $match: filter }, { $count: "total" });
  return count?.total ?? 0;
}

/**
 * The index of the words cannot tell that a lead meets it once, so each is read: too long for a word that all have. And on a busy
 * machine even a count of keys may take longer than a caller waits.
 */
async function countInTime(query: LeadQuery, newest: string | null): Promise<number> {
  try {
    return await exactly(query, WAIT_MS);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === OVER_TIME)) throw error;
  }
  const { workspaceId, key } = query;
  const at = performance.now();
  exactly(query, BEHIND_MS).then(
    (total) => keep(key, { workspaceId, total, newest, at, tookMs: performance.now() - at, anchors: new Map() }),
    () => {},
  );
  return estimated(query);
}

async function estimated({ workspaceId, filter }: LeadQuery): Promise<number> {
  const { Lead } = scoped(workspaceId);
  const all = await Lead.count({}, { hint: LEAD_INDEX.newest, maxTimeMs: BEHIND_MS });
  const sample = await Lead.find({}, { sort: { _id: -1 }, limit: SAMPLE, select: { _id: 1 }, hint: LEAD_INDEX.newest });
  const last = sample.at(-1);
  if (last === undefined) return 0;
  const since = { $and: [{ ...filter }, { _id: { $gte: last._id } }] };
  const [met] = await Lead.aggregate<{ total: number }>(since, { $count: "total" });
  return Math.round((all * (met?.total ?? 0)) / sample.length);
}

async function newestOf(workspaceId: string): Promise<string | null> {
  const [lead] = await scoped(workspaceId).Lead.read({}, { sort: { _id: -1 }, limit: 1, select: { _id: 1 }, hint: LEAD_INDEX.newest });
  return lead?._id ?? null;
}
