import { scoped } from "../../models/scoped.ts";
import { THREAD_INDEX, type Thread } from "../../models/thread.ts";
import { Kept } from "../cost-aware-cache.ts";
import { countInTime, estimated } from "../count.ts";
import { type Paging, skipOf } from "../fields.ts";
import type { ThreadQuery } from "./filter.ts";

const LAST = { lastMessageAt: -1, _id: -1 } as const;
/** Up to so many threads a search is answered by their ids, sorted here; more are met soon enough from the newest on. */
const FEW = 1_000;
/** A smaller total is counted every time. */
const LARGE = 1_000;

const totals = new Kept<number>((total) => total >= LARGE);

export interface ThreadPage {
  items: Thread[];
  total: number;
}

/** One page of the threads asked for, the last message first, read in the order of an index. @throws PAGE_TOO_DEEP */
export async function pageOfThreads(query: ThreadQuery, paging: Paging): Promise<ThreadPage> {
  const page = { skip: skipOf(paging), limit: paging.pageSize };
  if (query.isSearch) return pageOfSearch(query, page);
  if (page.skip === 0) {
    const [items, total] = await Promise.all([read(query, page), totalOf(query)]);
    return { items, total: items.length < page.limit ? items.length : Math.max(total, items.length) };
  }
  const [ids, total] = await Promise.all([read(query, { ...page, select: { _id: 1 } }), totalOf(query)]);
  return { items: await inOrder(query.workspaceId, ids), total };
}

/** Threads of the workspace were changed here. */
export function forgetTotals(workspaceId: string): void {
  totals.forget(workspaceId);
}

interface Page {
  skip?: number;
  limit: number;
  select?: Record<string, 1>;
}

function read({ workspaceId, filter, hint }: ThreadQuery, page: Page): Promise<Thread[]> {
  return scoped(workspaceId).Thread.read(filter, { sort: LAST, ...page, ...(hint !== null && { hint }) });
}

/** The ids of a late page come from the index alone, so that it costs no documents but its own. */
async function inOrder(workspaceId: string, ids: readonly Pick<Thread, "_id">[]): Promise<Thread[]> {
  if (ids.length === 0) return [];
  const found = await scoped(workspaceId).Thread.read({ _id: { $in: ids.map(({ _id }) => _id) } }, { hint: "_id_" });
  return found.toSorted(lastFirst);
}

async function pageOfSearch(query: ThreadQuery, { skip, limit }: { skip: number; limit: number }): Promise<ThreadPage> {
  const { workspaceId, filter, hint } = query;
  const { Thread } = scoped(workspaceId);
  if (totals.get(query.key) === null) {
    const by = { select: { lastMessageAt: 1 as const }, limit: FEW + 1, ...(hint !== null && { hint }) };
    const found = await Thread.read(filter, by);
    if (found.length <= FEW) {
      return { items: await inOrder(workspaceId, found.toSorted(lastFirst).slice(skip, skip + limit)), total: found.length };
    }
  }
  const total = await totalOf(query);
  const all = await totalOf({
    ...query,
    filter: { isArchived: filter.isArchived },
    hint: THREAD_INDEX.newest,
    key: `${workspaceId}${filter.isArchived}`,
  });
  // From the newest on, unless the page lies so late that all that meet it are fewer
  const fromNewest = ((skip + limit) * all) / total < total;
  const ids = await read({ ...query, hint: fromNewest ? THREAD_INDEX.newest : hint }, { skip, limit, select: { _id: 1 } });
  return { items: await inOrder(workspaceId, ids), total };
}

function lastFirst(one: Pick<Thread, "_id" | "lastMessageAt">, other: Pick<Thread, "_id" | "lastMessageAt">): number {
  return other.lastMessageAt.getTime() - one.lastMessageAt.getTime() || (one._id < other._id ? 1 : -1);
}

function totalOf(query: ThreadQuery): Promise<number> {
  const { workspaceId, filter, hint, key } = query;
  const { Thread } = scoped(workspaceId);
  const count = (maxTimeMs: number) => Thread.count(filter, { ...(hint !== null && { hint }), maxTimeMs });
  const shelf = { among: { isArchived: filter.isArchived }, sort: LAST, hint: THREAD_INDEX.newest };
  const make = () =>
    countInTime(
      count,
      () => estimated(Thread, filter, shelf),
      (total, begunAt) => totals.keep(workspaceId, key, total, begunAt),
    );
  return totals.of(workspaceId, key, make);
}
