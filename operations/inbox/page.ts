import { THREAD_INDEX, type Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";
import { countInTime, estimateCount, exact, type Total } from "../count.ts";
import { type Paging, skipOf } from "../fields.ts";
import type { ThreadQuery } from "./filter.ts";

const LAST = { lastMessageAt: -1, _id: -1 } as const;
/** Shows all fields of a thread except its search words: there may be a thousand. */
const SHOWN = { searchWords: 0 } as const;
/**
 * The most matches of a search that we load by id and sort here. If a search has more matches, matches are frequent, so
 * we read the threads from the newest on.
 */
const FEW = 1_000;
/** A total smaller than this is not cached. */
const LARGE = 1_000;

const totals = new CostAwareCache<Total>(({ total }) => total >= LARGE);

export interface ThreadPage extends Total {
  items: Thread[];
}

/**
 * One page of the threads of a query, sorted by the time of their last message, in the order of an index.
 * @throws PAGE_TOO_DEEP
 */
export async function pageOfThreads(query: ThreadQuery, paging: Paging, isNewestFirst = true): Promise<ThreadPage> {
  const page = { skip: skipOf(paging), limit: paging.pageSize };
  if (!isNewestFirst) return oldestFirst(query, page);
  if (query.isSearch) return pageOfSearch(query, page);
  if (page.skip === 0) {
    const [items, counted] = await Promise.all([read(query, page), totalOf(query)]);
    if (items.length < page.limit) return { items, ...exact(items.length) };
    return { items, ...counted, total: Math.max(counted.total, items.length) };
  }
  const [ids, counted] = await Promise.all([read(query, { ...page, select: { _id: 1 } }), totalOf(query)]);
  return { items: await inOrder(query.workspaceId, ids), ...counted };
}

async function oldestFirst(query: ThreadQuery, page: Page): Promise<ThreadPage> {
  const sort = { lastMessageAt: 1, _id: 1 } as const;
  const [items, counted] = await Promise.all([read(query, { ...page, sort }), totalOf(query)]);
  return { items, ...counted };
}

/** Drops the totals of a workspace whose threads this process has changed. */
export function forgetTotals(workspaceId: string): void {
  totals.forget(workspaceId);
}

interface Page {
  skip?: number;
  limit: number;
  select?: Record<string, 0 | 1>;
  sort?: Record<string, 1 | -1>;
}

function read({ workspaceId, filter, hint }: ThreadQuery, page: Page): Promise<Thread[]> {
  return scoped(workspaceId).Thread.read(filter, {
    sort: LAST,
    select: SHOWN,
    ...page,
    ...(hint !== null && { hint }),
  });
}

/**
 * Loads threads by id, in order. The ids of a late page come from the index alone, so the page loads only the documents
 * that it shows.
 */
async function inOrder(workspaceId: string, ids: readonly Pick<Thread, "_id">[]): Promise<Thread[]> {
  if (ids.length === 0) return [];
  const found = await scoped(workspaceId).Thread.read(
    { _id: { $in: ids.map(({ _id }) => _id) } },
    { select: SHOWN, hint: "_id_" },
  );
  return found.toSorted(lastFirst);
}

async function pageOfSearch(query: ThreadQuery, { skip, limit }: { skip: number; limit: number }): Promise<ThreadPage> {
  const { workspaceId, filter, hint } = query;
  const { Thread } = scoped(workspaceId);
  if (totals.get(query.key) === null) {
    const by = { select: { lastMessageAt: 1 as const }, limit: FEW + 1, ...(hint !== null && { hint }) };
    const found = await Thread.read(filter, by);
    if (found.length <= FEW) {
      return {
        items: await inOrder(workspaceId, found.toSorted(lastFirst).slice(skip, skip + limit)),
        ...exact(found.length),
      };
    }
  }
  const counted = await totalOf(query);
  const { total } = counted;
  const { total: all } = await totalOf({
    ...query,
    filter: { isArchived: filter.isArchived },
    hint: THREAD_INDEX.newest,
    key: `${workspaceId}${filter.isArchived}`,
  });
  // Reads from the newest thread on, unless the page is so late that reading all matches costs less
  const fromNewest = ((skip + limit) * all) / total < total;
  const ids = await read(
    { ...query, hint: fromNewest ? THREAD_INDEX.newest : hint },
    { skip, limit, select: { _id: 1 } },
  );
  return { items: await inOrder(workspaceId, ids), ...counted };
}

function lastFirst(one: Pick<Thread, "_id" | "lastMessageAt">, other: Pick<Thread, "_id" | "lastMessageAt">): number {
  return other.lastMessageAt.getTime() - one.lastMessageAt.getTime() || (one._id < other._id ? 1 : -1);
}

function totalOf(query: ThreadQuery): Promise<Total> {
  const { workspaceId, filter, hint, key } = query;
  const { Thread } = scoped(workspaceId);
  const count = (maxTimeMs: number) => Thread.count(filter, { ...(hint !== null && { hint }), maxTimeMs });
  const shelf = { among: { isArchived: filter.isArchived }, sort: LAST, hint: THREAD_INDEX.newest };
  const make = () =>
    countInTime(
      count,
      () => estimateCount(Thread, filter, shelf),
      (total, begunAt) => totals.keep(workspaceId, key, total, begunAt),
    );
  return totals.of(workspaceId, key, make);
}
