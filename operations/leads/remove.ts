import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { isUnderWay } from "../../domain/job.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Job } from "../../models/job.ts";
import { LEAD_INDEX } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { idBound } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { eraseLead } from "../../store/leads/erase-lead.ts";
import type { ImportParameters } from "../../store/leads/import-job.ts";
import { describedIds } from "../described-ids.ts";
import { JobRecord, loadJobOf } from "../jobs.ts";
import { operation } from "../operation.ts";
import { Bulk } from "../recipients/record.ts";
import { BULK_ERRORS, changeInJob, changeLeads, IDS_OR_FILTER, orJob, which } from "./bulk.ts";
import { forgetTotals } from "./count-cache.ts";
import { loadLead } from "./record.ts";

const { jobId, leadId } = describedIds;

export const remove = operation({
  summary: "Delete a lead and all data about the person. No more emails are sent; a suppression of the address stays",
  scope: "leads:write",
  errors: ["LEAD_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ leadId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { leadId }) {
    await inTransaction(async () => eraseLead(await loadLead(workspaceId, leadId)));
    forgetTotals(workspaceId);
    return { id: leadId, deleted: true as const };
  },
});

export const bulkRemove = operation({
  summary: "Delete leads, as `delete` does",
  scope: "leads:write",
  errors: BULK_ERRORS,
  effects: { DESTROYS: true },
  input: z.strictObject(which),
  needsOneOf: IDS_OR_FILTER,
  output: orJob(Bulk),
  run: (ctx, asked) => changeLeads(ctx, "LEAD_CHANGE", { action: "bulkDelete" }, asked),
});

export const undoImport = operation({
  summary:
    "Undo an import that ran as a job: delete the leads that it created and that no one has touched since. The response is a job, whose result counts `removed` and `kept`; a plan counts all that it created",
  scope: "leads:write",
  errors: ["INVALID_STATE_TRANSITION", "JOB_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ jobId }),
  output: JobRecord,
  async foresees({ workspaceId }, { jobId: importId }) {
    let deleted = 0;
    for await (const _ of createdBy(await loadJobOf(workspaceId, importId, "LEAD_IMPORT"))) deleted++;
    const what = "leads that the import created";
    const kept = { what, why: "Someone has changed or contacted them since, or added them to a list or campaign" };
    return { changes: [{ what, deleted, changed: 0, examples: [] }], kept: [kept] };
  },
  async run(ctx, { jobId: importId }) {
    const job = await loadJobOf(ctx.workspaceId, importId, "LEAD_IMPORT");
    const { listId } = undoableParametersOf(job);
    return changeInJob(ctx, "LEAD_CHANGE", { action: "undoImport", importId, listId }, createdBy(job));
  },
});

/** @throws AppError INVALID_STATE_TRANSITION */
function undoableParametersOf({ status, parameters }: Job): ImportParameters {
  const asked = parameters as unknown as ImportParameters; // only an import writes them
  const refusal = (message: string) =>
    new AppError("INVALID_STATE_TRANSITION", message, { from: status, action: "undo" });
  if (isUnderWay(status)) throw refusal(`An import that is ${status} cannot be undone: wait for its end, or cancel it`);
  if (asked.action === "dryRun") throw refusal("A dry run created no leads, so there is nothing to undo");
  if (asked.isTraced !== true) throw refusal("An import of an earlier version cannot be undone");
  return asked;
}

/** By how much the clocks of processes may differ, in milliseconds. */
const SKEW_MS = HOUR_MS;
const LONGEST_MS = HOUR_MS;

/** The ids of the leads that an import created and that still exist. Ids sort by time, so only its time is read. */
async function* createdBy({ workspaceId, _id: importId, createdAt, finishedAt }: Job): AsyncGenerator<string> {
  const from = idBound("led", new Date(createdAt.getTime() - SKEW_MS));
  const to = idBound("led", new Date((finishedAt ?? new Date()).getTime() + SKEW_MS));
  const match = { _id: { $gte: from, $lt: to }, "imports.importId": importId };
  const stages = [{ $project: { _id: 1 as const } }];
  const found = scoped(workspaceId).Lead.walk<{ _id: string }>(match, stages, LONGEST_MS, { hint: LEAD_INDEX.newest });
  for await (const { _id } of found) yield _id;
}
