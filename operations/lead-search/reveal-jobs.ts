import { z } from "zod";
import { REVEAL_FIELDS, type RevealField, VALUE_OF } from "../../domain/lead-search/prospect.ts";
import { KNOWN_INDEX, type KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { type RevealParameters, revealParametersOf, revealSumsOf } from "../../store/lead-search/job-parameters.ts";
import { loadKnown } from "../../store/lead-search/known.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds, EXAMPLE_IDS as ids } from "../described-ids.ts";
import { pageOf, paging, skipOf } from "../fields.ts";
import { jobRecordWith, jobView, loadJobOf, startJob } from "../jobs.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { fields, prospectIds } from "./fields.ts";
import { findList, listId } from "./lists.ts";
import { Prospect, prospectOf } from "./record.ts";
import { reveal } from "./reveal.ts";
import { assertDataset, SOURCE_ERRORS } from "./source.ts";

const { jobId } = describedIds;

const count = (what: string) => z.number().int().describe(what);

const Started = jobRecordWith({
  requested: count("People named in the call"),
  skippedNotFound: count("People with nothing to reveal"),
  alreadyRevealed: count("People whose requested fields were all revealed before"),
  estimatedCredits: count("The most credits that the job can cost"),
}).meta({ id: "RevealJob", description: "The job of a bulk reveal, with its counts at the start" });

const revealBulk = operation({
  summary: "Reveal up to 200 people as a job, each as `reveal` does; people with nothing to reveal are skipped",
  scope: "lead_search:reveal",
  errors: SOURCE_ERRORS,
  audits: "leadSearch.revealBulk",
  input: z.strictObject({ prospectIds, fields }),
  output: Started,
  run: async (ctx, { prospectIds, fields }) => startReveal(ctx, [...new Set(prospectIds)], fields, null),
});

const revealList = operation({
  summary:
    "Reveal all people of a prospect list as a job, each as `reveal` does; people with nothing to reveal are skipped",
  scope: "lead_search:reveal",
  errors: [...SOURCE_ERRORS, "LIST_NOT_FOUND"],
  audits: "leadSearch.revealList",
  input: z.strictObject({
    listId,
    fields,
    maxCredits: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe("The most credits that the job may spend. Default: all available"),
  }),
  output: Started,
  async run(ctx, { listId, fields, maxCredits = null }) {
    await findList(ctx.workspaceId, listId);
    const { KnownProspect } = scoped(ctx.workspaceId);
    const items = await KnownProspect.read(
      { listIds: listId },
      { sort: { _id: -1 }, select: { prospectId: 1 }, hint: KNOWN_INDEX.list },
    );
    const ids = items.map(({ prospectId }) => prospectId);
    return startReveal(ctx, ids, fields, maxCredits);
  },
});

const revealStatus = operation({
  summary: "Show the progress of a bulk reveal, its cost so far, and a page of its people",
  scope: "lead_search:reveal",
  errors: ["JOB_NOT_FOUND"],
  input: z.strictObject({ jobId, ...paging, sort: BY_CREATION.sort }),
  output: jobRecordWith({
    creditsUsed: count("Credits that the job has cost so far"),
    prospects: pageOf(Prospect).describe("A page of the people to reveal"),
  }),
  async run({ workspaceId }, { jobId, sort, ...page }) {
    const job = await loadJobOf(workspaceId, jobId, "REVEAL");
    const skip = skipOf(page);
    const { KnownProspect } = scoped(workspaceId);
    const by = { hint: KNOWN_INDEX.job };
    const [items, total] = await Promise.all([
      KnownProspect.read({ jobIds: jobId }, { sort: BY_CREATION.orderOf(sort), skip, limit: page.pageSize, ...by }),
      KnownProspect.count({ jobIds: jobId }, by),
    ]);
    const prospects = { items: items.map((known) => prospectOf(known.person, known)), total, ...page };
    return { ...jobView(job), creditsUsed: revealSumsOf(job.state).creditsUsed, prospects };
  },
});

/** People per transaction: enough to be fast, and few enough that a retry after a conflict costs little. */
const CHUNK = 50;
const PAGE = 1_000;

async function startReveal(
  ctx: Context,
  prospectIds: readonly string[],
  fields: RevealField[],
  maxCredits: number | null,
) {
  if (!ctx.services.settings.hasLeadSearchProvider) await assertDataset();
  const sums = { requested: prospectIds.length, skippedNotFound: 0, alreadyRevealed: 0, estimatedCredits: 0 };
  const wanted: string[] = [];
  for (let start = 0; start < prospectIds.length; start += PAGE) {
    const page = prospectIds.slice(start, start + PAGE);
    const known = await loadKnown(ctx.workspaceId, page);
    for (const id of page) {
      const one = known.get(id);
      const open = one === undefined ? fields.length : openFieldsOf(one, fields).length;
      if (open > 0) wanted.push(id);
      else if (one !== undefined && fields.some((field) => one[VALUE_OF[field].status] === "revealed"))
        sums.alreadyRevealed++;
      else sums.skippedNotFound++;
      sums.estimatedCredits += open;
    }
  }
  if (maxCredits !== null) sums.estimatedCredits = Math.min(sums.estimatedCredits, maxCredits);
  const parameters: RevealParameters = { fields, actor: ctx.credentialId, maxCredits, ...sums };
  const job = await startJob(ctx, {
    type: "REVEAL",
    fileName: null,
    parameters: { ...parameters },
    chunks: chunksOf(wanted),
  });
  return { ...jobView(job), ...sumsOf(revealParametersOf(job)) };
}

function sumsOf({ requested, skippedNotFound, alreadyRevealed, estimatedCredits }: RevealParameters) {
  return { requested, skippedNotFound, alreadyRevealed, estimatedCredits };
}

function openFieldsOf(known: KnownProspect, fields: readonly RevealField[]): RevealField[] {
  return REVEAL_FIELDS.filter((field) => fields.includes(field) && known[VALUE_OF[field].status] === "not_revealed");
}

export function* chunksOf(ids: readonly string[], size = CHUNK): Generator<{ count: number; json: string }> {
  for (let start = 0; start < ids.length; start += size) {
    const chunk = ids.slice(start, start + size);
    yield { count: chunk.length, json: JSON.stringify(chunk) };
  }
}

export const revealsDeclaration = {
  verbs: {
    "leadSearch.reveal": reveal,
    "leadSearch.revealBulk": revealBulk,
    "leadSearch.revealList": revealList,
    "leadSearch.getReveal": revealStatus,
  },
  routes: [
    ["post", "/lead-search/reveal", reveal],
    ["post", "/lead-search/reveal/bulk", revealBulk, 202],
    ["post", "/lead-search/reveal/list", revealList, 202],
    ["get", "/lead-search/reveal/:jobId", revealStatus],
  ],
  tools: {
    lead_search: {
      lead_search_reveal: {
        operation: reveal,
        title: "Reveal a person",
        idempotent: true,
        openWorld: true,
        untrusted: true,
        when: "lead_search_browse returns the id.",
      },
      lead_search_reveal_bulk: {
        operation: revealBulk,
        title: "Reveal people",
        idempotent: true,
        openWorld: true,
        when: "Spends credits; lead_search_reveal_status shows progress.",
      },
      lead_search_reveal_list: {
        operation: revealList,
        title: "Reveal a list",
        idempotent: true,
        openWorld: true,
        when: "Spends credits; lead_search_reveal_status shows progress.",
      },
      lead_search_reveal_status: {
        operation: revealStatus,
        title: "Status of a reveal",
        readOnly: true,
        untrusted: true,
        when: "lead_search_reveal_bulk and lead_search_reveal_list return the jobId.",
      },
    },
  },
  examples: {
    people: [
      {
        at: "post /lead-search/reveal",
        title: "Reveal a person",
        body: { prospectId: ids.prospectId, fields: ["EMAIL", "PHONE"] },
      },
      { at: "post /lead-search/reveal/bulk", title: "Reveal several people", body: { prospectIds: [ids.prospectId] } },
      {
        at: "post /lead-search/reveal/list",
        title: "Reveal a list",
        body: { listId: ids.searchListId, maxCredits: 100 },
      },
    ],
  },
} as const satisfies Declaration;
