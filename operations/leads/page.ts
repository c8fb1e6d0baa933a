import { LEAD_INDEX, type Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { FindOptions } from "../../mongo/direct.ts";
import { isOverTime } from "../../mongo/unfit.ts";
import { exact, type Total, totalIn } from "../count.ts";
import { type Paging, skipOf } from "../fields.ts";
import type { SortOrder } from "../sorting.ts";
import { type CachedCount, keptOf, totalOf } from "./count-cache.ts";
import { allLeads, type LeadQuery } from "./filter.ts";

const NEWEST = { _id: -1 } as const;
/**
 * The most matches of a search that are loaded by id and sorted here. A search with more matches is read from the
 * newest lead on, because matches are frequent there.
 */
const FEW = 2_000;
/**
 * Milliseconds after which reading from the newest lead on is aborted, because all matches may be old. Then the word
 * index is read, if the search has fewer than `COMMON` matches.
 */
const SOON_MS = 500;
const COMMON = 100_000;

/** Fields that are used to find a lead and never returned. */
const UNSHOWN = { searchWords: 0, facets: 0, imports: 0, listIds: 0 } as const;

export interface LeadPage extends Total {
  items: Omit<Lead, keyof typeof UNSHOWN>[];
}

/**
 * One page of the leads of a query, newest first unless `order` says otherwise. Every filter uses an index, without
 * sorting in memory. @throws PAGE_TOO_DEEP
 */
export async function pageOfLeads(query: LeadQuery, paging: Paging, order: SortOrder = NEWEST): Promise<LeadPage> {
  const skip = skipOf(paging);
  const limit = paging.pageSize;
  if (query.segment !== null) return pageOfSegment(query, skip, limit, order);
  if (order["_id"] !== NEWEST._id || order["email"] !== undefined) return pageInOrder(query, skip, limit, order);
  if (query.isSearch) return pageOfSearch(query, skip, limit);
  if (skip > 0) return latePage(query, skip, limit);
  if (query.filter.emailDomain !== undefined) {
    // A domain has few leads, so a page that is not full is the only one
    const items = await read(query, { limit });
    return { items, ...(items.length < limit ? exact(items.length) : totalIn(await totalOf(query))) };
  }
  const [items, counted] = await Promise.all([read(query, { limit }), totalOf(query)]);
  return { items, ...totalIn(counted) };
}

/**
 * The first leads of a query after this one, newest first. Unlike pages by number, they do not shift when leads are
 * created or deleted meanwhile.
 */
export async function leadsAfter(query: LeadQuery, after: string, limit: number): Promise<LeadPage> {
  const counted = await totalOf(query);
  return { items: await itemsAfter(query, counted, after, limit), ...totalIn(counted) };
}

async function itemsAfter(query: LeadQuery, counted: CachedCount, after: string, limit: number) {
  const later = { ...query, filter: { ...query.filter, _id: trusted({ $lt: after }) } };
  if (query.segment !== null) return itemsOfSegment(later, 0, limit, NEWEST);
  if (!query.isSearch) return read(later, { limit });
  return inOrder(query.workspaceId, await idsOfMany(later, counted, { skip: 0, limit }));
}

function read({ workspaceId, filter, hint }: LeadQuery, page: FindOptions): Promise<LeadPage["items"]> {
  return scoped(workspaceId).Lead.read(filter, {
    sort: NEWEST,
    select: UNSHOWN,
    ...page,
    ...(hint !== null && { hint }),
  });
}

/**
 * A late page. Its ids come from the index alone, so that only the documents of the page are read. The start id of the
 * page is cached.
 */
async function latePage(query: LeadQuery, skip: number, limit: number): Promise<LeadPage> {
  const counted = await totalOf(query);
  if (skip >= counted.total) return { items: [], ...totalIn(counted) };
  return {
    items: await inOrder(query.workspaceId, await idsFrom(query, counted, { skip, limit })),
    ...totalIn(counted),
  };
}

async function idsFrom(
  query: LeadQuery,
  counted: CachedCount,
  page: { skip: number; limit: number; maxTimeMs?: number },
) {
  const [offset, anchor] = nearest(counted, page.skip);
  const from = anchor === null ? query : { ...query, filter: { ...query.filter, _id: trusted({ $lte: anchor }) } };
  const ids = await read(from, { ...page, skip: page.skip - offset, select: { _id: 1 } });
  const [first] = ids;
  if (first !== undefined && page.skip > 0) counted.anchors.set(page.skip, first._id);
  return ids;
}

/** The nearest known offset at or before this one, with its id. */
function nearest({ anchors }: CachedCount, skip: number): [offset: number, id: string | null] {
  let best: [number, string | null] = [0, null];
  for (const [offset, id] of anchors) if (offset <= skip && offset > best[0]) best = [offset, id];
  return best;
}

async function inOrder(workspaceId: string, ids: Pick<Lead, "_id">[]): Promise<LeadPage["items"]> {
  if (ids.length === 0) return [];
  return scoped(workspaceId).Lead.read(
    { _id: { $in: ids.map(({ _id }) => _id) } },
    { sort: NEWEST, select: UNSHOWN, hint: "_id_" },
  );
}

/** A page in another order, either from an index or sorted by the database. */
async function pageInOrder(query: LeadQuery, skip: number, limit: number, order: SortOrder): Promise<LeadPage> {
  const hint = order["email"] === undefined ? query.hint : query.isSearch ? null : LEAD_INDEX.email;
  const [items, counted] = await Promise.all([read({ ...query, hint }, { sort: order, skip, limit }), totalOf(query)]);
  return { items, ...totalIn(counted) };
}

async function pageOfSearch(query: LeadQuery, skip: number, limit: number): Promise<LeadPage> {
  const { workspaceId, filter, hint } = query;
  if (keptOf(query) === null) {
    const by = { select: { _id: 1 as const }, limit: FEW + 1, ...(hint !== null && { hint }) };
    const found = await scoped(workspaceId).Lead.read(filter, by);
    if (found.length <= FEW) {
      const page = found.toSorted(byNewest).slice(skip, skip + limit);
      return { items: await inOrder(workspaceId, page), ...exact(found.length) };
    }
  }
  const counted = await totalOf(query);
  if (skip >= counted.total) return { items: [], ...totalIn(counted) };
  return { items: await inOrder(workspaceId, await idsOfMany(query, counted, { skip, limit })), ...totalIn(counted) };
}

function byNewest(one: { _id: string }, other: { _id: string }): number {
  return one._id < other._id ? 1 : -1;
}

/** Reads from the newest lead on, or reads all matches, whichever reads less. */
async function idsOfMany(
  query: LeadQuery,
  counted: CachedCount,
  page: { skip: number; limit: number },
): Promise<Pick<Lead, "_id">[]> {
  const { total } = counted;
  const all = (await totalOf(allLeads(query.workspaceId))).total;
  if (((page.skip + page.limit) * all) / total < total) {
    try {
      const soon = total < COMMON && { maxTimeMs: SOON_MS };
      return await idsFrom({ ...query, hint: LEAD_INDEX.newest }, counted, { ...page, ...soon });
    } catch (error) {
      if (!isOverTime(error)) throw error;
    }
  }
  return read(query, { ...page, select: { _id: 1 } });
}

async function pageOfSegment(query: LeadQuery, skip: number, limit: number, order: SortOrder): Promise<LeadPage> {
  const [items, counted] = await Promise.all([itemsOfSegment(query, skip, limit, order), totalOf(query)]);
  return { items, ...totalIn(counted) };
}

function itemsOfSegment({ workspaceId, filter, segment }: LeadQuery, skip: number, limit: number, order: SortOrder) {
  const page = [{ $sort: order }, { $skip: skip }, { $limit: limit }, { $project: UNSHOWN }];
  const stages = [...(segment?.stages ?? []), { $match: filter }, ...page];
  return scoped(workspaceId).Lead.aggregate<LeadPage["items"][number]>(segment?.match ?? {}, ...stages);
}
