import { type FindOptions, trusted } from "../../models/collection.ts";
import { LEAD_INDEX, type Lead } from "../../models/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { type Paging, skipOf } from "../fields.ts";
import type { LeadQuery } from "./filter.ts";
import { totalOf } from "./total.ts";

const NEWEST = { _id: -1 } as const;
/** Up to so many leads a search is answered by their ids, sorted here; more are met soon enough from the newest on. */
const FEW = 5_000;
/** Unless all of them are old: then the index of the words is read through after all. */
const SOON_MS = 300;
const OVER_TIME = 50;

export interface LeadPage {
  items: Lead[];
  total: number;
}

/** One page of the leads asked for, newest first. Every filter is answered by an index, without a sort in memory. @throws PAGE_TOO_DEEP */
export async function pageOfLeads(workspaceId: string, query: LeadQuery, paging: Paging): Promise<LeadPage> {
  const skip = skipOf(paging);
  const limit = paging.pageSize;
  if (query.segment !== null) return pageOfSegment(workspaceId, query, skip, limit);
  if (query.isSearch) return pageOfSearch(workspaceId, query, skip, limit);
  const [items, total] = await Promise.all([read(workspaceId, query, skip, limit), totalOf(workspaceId, query)]);
  return { items, total };
}

/** The ids come from the index alone, so that a late page costs no documents but its own. */
async function read(workspaceId: string, { filter, hint }: LeadQuery, skip: number, limit: number): Promise<Lead[]> {
  const { Lead } = scoped(workspaceId);
  const by = { sort: NEWEST, ...(hint !== null && { hint }) };
  if (skip === 0) return Lead.find(filter, { ...by, limit });
  const ids = await Lead.find(filter, { ...by, skip, limit, select: { _id: 1 } });
  return inOrder(workspaceId, ids);
}

async function inOrder(workspaceId: string, ids: Pick<Lead, "_id">[]): Promise<Lead[]> {
  if (ids.length === 0) return [];
  return scoped(workspaceId).Lead.find({ _id: trusted({ $in: ids.map(({ _id }) => _id) }) }, { sort: NEWEST, hint: "_id_" });
}

async function pageOfSearch(workspaceId: string, query: LeadQuery, skip: number, limit: number): Promise<LeadPage> {
  const { Lead } = scoped(workspaceId);
  const { filter, hint } = query;
  const found = await Lead.find(filter, { select: { _id: 1 }, limit: FEW + 1, ...(hint !== null && { hint }) });
  if (found.length <= FEW) {
    const page = found.toSorted((one, other) => (one._id < other._id ? 1 : -1)).slice(skip, skip + limit);
    return { items: await inOrder(workspaceId, page), total: found.length };
  }
  const [items, total] = await Promise.all([readMany(workspaceId, query, skip, limit), totalOf(workspaceId, query)]);
  return { items, total };
}

async function readMany(workspaceId: string, { filter, hint }: LeadQuery, skip: number, limit: number): Promise<Lead[]> {
  const { Lead } = scoped(workspaceId);
  const page: FindOptions = { sort: NEWEST, skip, limit };
  try {
    return await Lead.find(filter, { ...page, hint: LEAD_INDEX.newest, maxTimeMs: SOON_MS });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === OVER_TIME)) throw error;
    return inOrder(workspaceId, await Lead.find(filter, { ...page, select: { _id: 1 }, ...(hint !== null && { hint }) }));
  }
}

async function pageOfSegment(workspaceId: string, query: LeadQuery, skip: number, limit: number): Promise<LeadPage> {
  const { filter, segment } = query;
  const { Lead } = scoped(workspaceId);
  const stages = [...(segment?.stages ?? []), { $match: filter }, { $sort: NEWEST }, { $skip: skip }, { $limit: limit }];
  const items = Lead.aggregate<Lead>(segment?.match ?? {}, ...stages);
  const [leads, total] = await Promise.all([items, totalOf(workspaceId, query)]);
  return { items: leads, total };
}
