import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import type { JobType } from "../../domain/job.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { isWatched } from "../../mongo/witness.ts";
import { type BulkAction, type Done, PAGE_OF, pageChangeOf } from "../../store/leads/bulk-change.ts";
import type { ChangeParameters } from "../../store/leads/change-job.ts";
import type { Context } from "../context.ts";
import { ids } from "../fields.ts";
import { JobRecord, jobView, startJob, whenDone } from "../jobs.ts";
import { forgetTotals } from "./count-cache.ts";
import { type Filters, filters, type LeadQuery, queryOf } from "./filter.ts";

/** Milliseconds to wait for the job, so that a short job is returned with its result. */
const WAIT_MS = 2_000;

/**
 * The filter of a bulk action. An empty filter is refused, because a client that loses its values would otherwise
 * change every lead.
 */
export const leadFilter = z
  .strictObject({
    ...filters,
    all: z.literal(true).optional().describe("Every lead of the workspace, instead of other filters"),
  })
  .superRefine((asked, context) => {
    const names = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const refuse = (message: string, code: string) => context.addIssue({ code: "custom", message, params: { code } });
    if (names.length === 0) refuse("must name a filter, or `all: true` for every lead", "REQUIRED");
    if (asked.all === true && names.length > 1) refuse("must be `all: true` alone, or other filters", "TYPE_MISMATCH");
  })
  .describe(
    'The leads that match now, by the filters of `GET /leads`, or `{"all": true}` for all. The response is a job',
  );

/** The leads of a bulk action: by ids, or by a filter. */
export const which = {
  ids: ids.optional().describe("1 to 1,000 ids of leads"),
  filter: leadFilter
    .optional()
    .describe('Instead of ids: the filters of `GET /leads`, or `{"all": true}`. The response is a job'),
};

/** The fields of `which` that a call needs one of. */
export const IDS_OR_FILTER = ["ids", "filter"];

export const BULK_ERRORS = ["LIST_NOT_FOUND"] as const;

/** The response for ids, or the job for a filter. */
export function orJob<T extends z.ZodType>(output: T) {
  return z.union([output, JobRecord]);
}

interface Which {
  ids?: string[] | undefined;
  filter?: z.output<typeof leadFilter> | undefined;
}

/**
 * Changes leads by id immediately, or by filter in a job. @throws AppError VALIDATION_FAILED, LIST_NOT_FOUND,
 * SERVICE_UNAVAILABLE
 */
export async function changeLeads(ctx: Context, type: JobType, bulk: BulkAction, { ids, filter }: Which) {
  assertOne({ ids, filter }, "ids");
  if (filter !== undefined) return changeByFilter(ctx, type, bulk, filter);
  // A planned change must fit in one transaction, which holds one page; larger changes run in a job
  if (isWatched() && (ids?.length ?? 0) > PAGE_OF[bulk.action])
    return changeInJob(ctx, type, bulk, knownOf(ctx, ids ?? []));
  return forEachLead(ctx, ids ?? [], bulk);
}

/** @throws AppError VALIDATION_FAILED unless exactly one of ids and filter is set */
export function assertOne({ ids, filter }: Which, path: string): void {
  if (ids === undefined && filter === undefined) throw invalid(path, `is required, or filter`, "REQUIRED");
  if (ids !== undefined && filter !== undefined)
    throw invalid("filter", `must not be given together with ${path}`, "TYPE_MISMATCH");
}

/**
 * Starts a job for the leads that match now. @throws AppError LIST_NOT_FOUND, and SERVICE_UNAVAILABLE before any effect
 */
export async function changeByFilter(
  ctx: Context,
  type: JobType,
  bulk: BulkAction,
  { all: _, ...asked }: Filters & { all?: true | undefined },
) {
  return changeInJob(ctx, type, bulk, idsOf(await queryOf(ctx.workspaceId, asked)));
}

export async function changeInJob(ctx: Context, type: JobType, bulk: BulkAction, leadIds: AsyncIterable<string>) {
  const parameters: ChangeParameters = { bulk, actor: ctx.credentialId };
  const chunks = chunksOf(leadIds, PAGE_OF[bulk.action]);
  const { _id } = await startJob(ctx, { type, fileName: null, parameters: { ...parameters }, chunks });
  const job = await whenDone(ctx, _id, WAIT_MS);
  forgetTotals(ctx.workspaceId);
  return jobView(job);
}

/** The ids for which a lead exists, each once. */
async function* knownOf({ workspaceId }: Context, leadIds: readonly string[]): AsyncGenerator<string> {
  for (const { _id } of await scoped(workspaceId).Lead.find({ _id: trusted({ $in: leadIds }) }, { select: { _id: 1 } }))
    yield _id;
}

async function* chunksOf(
  leadIds: AsyncIterable<string>,
  size: number,
): AsyncGenerator<{ count: number; json: string }> {
  let chunk: string[] = [];
  for await (const id of leadIds) {
    chunk.push(id);
    if (chunk.length < size) continue;
    yield { count: chunk.length, json: JSON.stringify(chunk) };
    chunk = [];
  }
  if (chunk.length > 0) yield { count: chunk.length, json: JSON.stringify(chunk) };
}

/** Changes leads page by page, each page in a transaction. Resolves after the last commit. */
export async function forEachLead(
  { workspaceId, credentialId }: Context,
  leadIds: readonly string[],
  bulk: BulkAction,
) {
  const wanted = [...new Set(leadIds)];
  const size = PAGE_OF[bulk.action];
  const change = pageChangeOf(bulk, credentialId);
  const all = new Map<string, Done>();
  for (let start = 0; start < wanted.length; start += size) {
    const page = wanted.slice(start, start + size);
    const done = await inTransaction(async () =>
      change(await scoped(workspaceId).Lead.find({ _id: trusted({ $in: page }) })),
    );
    for (const [id, result] of done) all.set(id, result);
  }
  forgetTotals(workspaceId);
  return {
    matched: all.size,
    changed: [...all.values()].filter(({ changed }) => changed).length,
    notFound: wanted.filter((id) => !all.has(id)),
    items: wanted.flatMap((id) => {
      const done = all.get(id);
      return done === undefined ? [] : [{ id, ok: done.error === null, error: done.error }];
    }),
  };
}

/** The longest query in milliseconds: enough for a million leads. */
const LONGEST_MS = HOUR_MS;
const BATCH = 1_000;

/** The ids of all leads of a query, each once, in no defined order. */
async function* idsOf({ workspaceId, filter, hint, segment }: LeadQuery): AsyncGenerator<string> {
  const stages = [...(segment?.stages ?? []), { $match: filter }, { $project: { _id: 1 as const } }];
  const found = scoped(workspaceId).Lead.walk<{ _id: string }>(segment?.match ?? filter, stages, LONGEST_MS, {
    batchSize: BATCH,
    ...(hint !== null && { hint }),
  });
  for await (const { _id } of found) yield _id;
}
