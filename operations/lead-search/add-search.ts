import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import type { ProspectFilters } from "../../domain/lead-search/filters.ts";
import { scoped } from "../../models/scoped.ts";
import { countPeople, queryFor } from "../../store/lead-search/dataset.ts";
import { type FillParameters, fillParametersOf, fillSumsOf } from "../../store/lead-search/job-parameters.ts";
import { MOST_ITEMS } from "../../store/lead-search/known.ts";
import type { Context } from "../context.ts";
import { BEHIND_MS } from "../count.ts";
import { describedIds } from "../described-ids.ts";
import { type JsonRows, jobRecordWith, jobView, loadJobOf, startJob } from "../jobs.ts";
import { operation } from "../operation.ts";
import { prospectFilters } from "./fields.ts";
import { findList, listId } from "./lists.ts";
import { findSavedSearch, savedSearchId } from "./saved-searches.ts";
import { SOURCE_ERRORS, sourceOf } from "./source.ts";

const { jobId } = describedIds;

const count = (what: string) => z.number().int().describe(what);
const about = { listId, matched: count("People that the search finds") };

export const addSearch = operation({
  summary: "Add every person that a search finds to a prospect list, as a job. Costs no credits",
  scope: "lead_search:lists",
  errors: [...SOURCE_ERRORS, "LIST_NOT_FOUND", "SAVED_SEARCH_NOT_FOUND"],
  input: z.strictObject({
    listId,
    filters: prospectFilters.optional(),
    savedSearchId: savedSearchId.optional().describe("The id of a saved search, `svs_…`, instead of filters"),
    maxItems: z
      .number()
      .int()
      .min(1)
      .max(MOST_ITEMS)
      .optional()
      .describe("The most search results to read, 1 to 50,000. Default 50,000"),
  }),
  needsOneOf: ["filters", "savedSearchId"],
  output: jobRecordWith(about).meta({ id: "AddSearchJob", description: "The job that adds search results to a list" }),
  async run(ctx, { listId, filters, savedSearchId, maxItems = MOST_ITEMS }) {
    const { workspaceId } = ctx;
    await findList(workspaceId, listId);
    const asked = await filtersOf(ctx, filters, savedSearchId);
    const { matched, wanted, pageSize } = await sizeOf(ctx, asked, maxItems);
    const parameters: FillParameters = { listId, filters: asked, matched, pageSize };
    const job = await startJob(ctx, {
      type: "LIST_FILL",
      fileName: null,
      parameters: { ...parameters },
      chunks: pagesOf(wanted, pageSize),
    });
    if (savedSearchId !== undefined)
      await scoped(workspaceId).SavedSearch.updateOne({ _id: savedSearchId }, { $set: { lastRunAt: new Date() } });
    return { ...jobView(job), listId, matched };
  },
});

export const addSearchStatus = operation({
  summary: "Show the progress of a job that adds a search to a list",
  scope: "lead_search:lists",
  errors: ["JOB_NOT_FOUND"],
  input: z.strictObject({ jobId }),
  output: jobRecordWith({
    ...about,
    added: count("People added to the list so far"),
    alreadyPresent: count("People already in the list"),
  }).meta({ id: "AddSearchStatus", description: "The job that adds a search to a list, with its counts so far" }),
  async run({ workspaceId }, { jobId }) {
    const job = await loadJobOf(workspaceId, jobId, "LIST_FILL");
    const { listId, matched } = fillParametersOf(job);
    return { ...jobView(job), listId, matched, ...fillSumsOf(job.state) };
  },
});

/** @throws AppError VALIDATION_FAILED unless exactly one of the two is set, SAVED_SEARCH_NOT_FOUND */
async function filtersOf(
  { workspaceId }: Context,
  filters: ProspectFilters | undefined,
  savedSearchId: string | undefined,
): Promise<ProspectFilters> {
  if (filters !== undefined && savedSearchId !== undefined)
    throw invalid("savedSearchId", "must not be given together with filters", "TYPE_MISMATCH");
  if (filters !== undefined) return filters;
  if (savedSearchId === undefined) throw invalid("filters", "is required, or savedSearchId", "REQUIRED");
  return (await findSavedSearch(workspaceId, savedSearchId)).filters;
}

const DATASET_PAGE = 500;
const PROVIDER_PAGE = 200;

/** The number of matching people, the number that the job reads, and the page size. */
async function sizeOf(ctx: Context, filters: ProspectFilters, maxItems: number) {
  const source = sourceOf(ctx);
  const { total: matched } = await source.browse(filters, { page: 1, pageSize: 1 });
  if (ctx.services.settings.hasLeadSearchProvider)
    return { matched, wanted: Math.min(matched, maxItems), pageSize: PROVIDER_PAGE };
  // The total may be an estimate, but the job needs an exact number of pages
  const wanted = await countPeople(await queryFor(filters), { limit: maxItems, maxTimeMs: BEHIND_MS });
  return { matched: Math.max(matched, wanted), wanted, pageSize: DATASET_PAGE };
}

function* pagesOf(wanted: number, pageSize: number): Generator<JsonRows> {
  for (let page = 1; (page - 1) * pageSize < wanted; page++) {
    const count = Math.min(pageSize, wanted - (page - 1) * pageSize);
    yield { count, json: JSON.stringify([{ page, wanted: count }]) };
  }
}
