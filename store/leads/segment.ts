import type { PipelineStage } from "mongoose";
import { type EventRule, type FilterTree, readFilterRules } from "../../domain/leads/segment.ts";
import { eventRules, type Query, queryOf } from "../../domain/leads/segment-query.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { LeadList } from "../../models/leads/lead-list.ts";
import { scoped } from "../../models/scoped.ts";

/** The leads of a workspace that are in a segment, as an aggregation: `match`, then `stages`. */
export interface Segment {
  workspaceId: string;
  match: Query;
  stages: PipelineStage[];
}

/**
 * The maximum number of leads for which an event rule is compiled into a list of ids, because a command is limited to
 * 16 MB. Above that, each lead is looked up.
 */
const MAX_IDS = 100_000;
/**
 * How many milliseconds counting a segment may take: for a call that only stores the count (rules/limits 1.4), for a
 * preview whose caller requested the count, and for each list in the scheduled task.
 */
export const CALLER_MS = 2_000;
export const PREVIEW_MS = 10_000;
export const BACKGROUND_MS = MINUTE_MS;

/** The current members of a list. The rules of a DYNAMIC list are evaluated now (rules/leads 1.4). */
export function segmentOfList(list: LeadList, now: Date, maxTimeMs: number): Promise<Segment> {
  const { workspaceId, type, filterRules, _id } = list;
  if (type === "DYNAMIC") return resolveSegment(workspaceId, readFilterRules(filterRules), now, maxTimeMs);
  return Promise.resolve({ workspaceId, match: { listIds: _id }, stages: [] });
}

/**
 * Resolves each event rule to the ids of at most `maxIds` leads, or with more leads to a lookup per lead. Then compiles
 * the filter tree into a query.
 */
export async function resolveSegment(
  workspaceId: string,
  tree: FilterTree,
  now: Date,
  maxTimeMs: number,
  maxIds = MAX_IDS,
): Promise<Segment> {
  const answers = new Map<EventRule, Query>();
  const lookups: PipelineStage.Lookup[] = [];
  for (const rule of eventRules(tree)) {
    const ids = await performers(workspaceId, rule, now, { maxTimeMs, maxIds });
    if (ids.length <= maxIds) answers.set(rule, { _id: { $in: ids } });
    else {
      const as = `performed${lookups.length}`;
      lookups.push(lookupEvents(workspaceId, rule, now, as));
      answers.set(rule, { [`${as}.${rule.minCount - 1}`]: { $exists: true } });
    }
  }
  const match = queryOf(tree, now, (rule) => answers.get(rule) ?? {});
  if (lookups.length === 0) return { workspaceId, match, stages: [] };
  const isLookedUp = (rule: FilterTree["rules"][number]) =>
    eventRules(rule).some((one) => !("_id" in (answers.get(one) ?? {})));
  const sure = tree.combinator === "AND" ? tree.rules.filter((rule) => !isLookedUp(rule)) : [];
  return {
    workspaceId,
    match: queryOf({ ...tree, combinator: "AND", rules: sure }, now, (rule) => answers.get(rule) ?? {}),
    stages: [...lookups, { $match: match }, { $unset: lookups.map((stage) => stage.$lookup.as) }],
  };
}

/** How many leads are in the segment. */
export async function countSegment({ workspaceId, match, stages }: Segment, maxTimeMs: number): Promise<number> {
  const counts = scoped(workspaceId).Lead.walk<{ count: number }>(match, [...stages, { $count: "count" }], maxTimeMs);
  for await (const { count } of counts) return count;
  return 0;
}

/** Some leads of the segment in index order, because sorting would read all of them. */
export async function sampleOf(
  { workspaceId, match, stages }: Segment,
  size: number,
  maxTimeMs: number,
): Promise<Lead[]> {
  const leads: Lead[] = [];
  for await (const lead of scoped(workspaceId).Lead.walk<Lead>(match, [...stages, { $limit: size }], maxTimeMs))
    leads.push(lead);
  return leads;
}

/**
 * All leads of the segment, page by page, in no particular order, with only the requested fields. Do not call it in a
 * transaction.
 */
export async function* loadSegmentPages<K extends keyof Lead>(
  { workspaceId, match, stages }: Segment,
  fields: readonly K[],
  size: number,
): AsyncGenerator<Pick<Lead, K | "_id">[]> {
  const project = Object.fromEntries(fields.map((field) => [field, 1 as const]));
  let page: Pick<Lead, K | "_id">[] = [];
  const leads = scoped(workspaceId).Lead.walk<Pick<Lead, K | "_id">>(
    match,
    [...stages, { $project: project }],
    BACKGROUND_MS,
  );
  for await (const lead of leads) {
    page.push(lead);
    if (page.length < size) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/**
 * The ids of the leads with enough matching events; `maxIds` + 1 ids when there are too many. Read from the index
 * alone.
 */
async function performers(
  workspaceId: string,
  rule: EventRule,
  now: Date,
  { maxTimeMs, maxIds }: { maxTimeMs: number; maxIds: number },
): Promise<string[]> {
  const { minCount, campaignId } = rule;
  const enough: PipelineStage[] = minCount === 1 ? [] : [{ $match: { count: { $gte: minCount } } }];
  const stages: PipelineStage[] = [
    { $group: { _id: "$leadId", ...(minCount > 1 && { count: { $sum: 1 } }) } },
    ...enough,
    { $limit: maxIds + 1 },
    { $project: { _id: 1 } },
  ];
  const match = { ...happenings(rule, now), leadId: { $gt: "" }, ...(campaignId !== null && { campaignId }) };
  const ids: string[] = [];
  for await (const { _id } of scoped(workspaceId).ActivityEvent.walk<{ _id: string }>(match, stages, maxTimeMs))
    ids.push(_id);
  return ids;
}

function happenings({ event, withinDays }: EventRule, now: Date): Query {
  const since = withinDays === null ? null : new Date(now.getTime() - withinDays * DAY_MS);
  return { type: event, ...(since !== null && { at: { $gte: since, $lte: now } }) };
}

function lookupEvents(workspaceId: string, rule: EventRule, now: Date, as: string): PipelineStage.Lookup {
  const { campaignId, minCount } = rule;
  const match = { workspaceId, ...happenings(rule, now), ...(campaignId !== null && { campaignId }) };
  return {
    $lookup: {
      from: "events",
      localField: "_id",
      foreignField: "leadId",
      pipeline: [{ $match: match }, { $limit: minCount }, { $project: { _id: 1 } }],
      as,
    },
  };
}
