import { z } from "zod";
import { AppError } from "../domain/errors.ts";
import { JOB_STATUSES, JOB_TYPES, type JobType } from "../domain/job.ts";
import type { Scope } from "../domain/scopes.ts";
import { JOB_INDEX, type Job } from "../models/job.ts";
import { scoped } from "../models/scoped.ts";
import { type Filter, trusted } from "../mongo/collection.ts";
import { resultOf as crmResultOf } from "../store/crm/import-job.ts";
import { workspaceExport } from "../store/evidence/export-job.ts";
import type { JobKind } from "../store/jobs.ts";
import { fillResultOf, revealResultOf } from "../store/lead-search/job-parameters.ts";
import { prospectLeads } from "../store/lead-search/leads-job.ts";
import { leadChange } from "../store/leads/change-job.ts";
import { leadImport } from "../store/leads/import-job.ts";
import { resultOf as mailboxResultOf } from "../store/mailboxes/import.ts";
import { personErasure } from "../store/privacy/erase-person.ts";
import { resultOf as verificationResultOf } from "../store/verification/job.ts";
import type { Context } from "./context.ts";
import type { Declaration } from "./declaration.ts";
import { describedIds } from "./described-ids.ts";
import { commaSeparated, pageOf, paging, skipOf } from "./fields.ts";
import { cancelJobOf, JobRecord, JobSummary, jobView, loadJobOf } from "./jobs.ts";
import { operation } from "./operation.ts";
import { BY_CREATION } from "./sorting.ts";

const { jobId } = describedIds;

/** The scope that a credential needs to see and cancel the jobs of a type: the scope that starts them. */
const SCOPE: Record<JobType, Scope> = {
  LEAD_IMPORT: "leads:write",
  MAILBOX_IMPORT: "mailboxes:connect",
  LEAD_CHANGE: "leads:write",
  LEAD_SUPPRESSION: "leads:suppress",
  LIST_MEMBERS: "lead_lists:write",
  SYSTEM_MAIL: "workspace:write",
  VERIFICATION: "leads:write",
  REVEAL: "lead_search:reveal",
  LIST_FILL: "lead_search:lists",
  PROSPECT_LEADS: "lead_search:lists",
  CRM_IMPORT: "crm:write",
  WORKSPACE_EXPORT: "workspace:write",
  PERSON_ERASURE: "leads:write",
};
const KINDS: Record<JobType, Pick<JobKind, "resultOf">> = {
  LEAD_IMPORT: leadImport,
  MAILBOX_IMPORT: { resultOf: mailboxResultOf },
  LEAD_CHANGE: leadChange,
  LEAD_SUPPRESSION: leadChange,
  LIST_MEMBERS: leadChange,
  SYSTEM_MAIL: { resultOf: () => null },
  VERIFICATION: { resultOf: verificationResultOf },
  REVEAL: { resultOf: revealResultOf },
  LIST_FILL: { resultOf: fillResultOf },
  PROSPECT_LEADS: prospectLeads,
  CRM_IMPORT: { resultOf: crmResultOf },
  WORKSPACE_EXPORT: workspaceExport,
  PERSON_ERASURE: personErasure,
};

const list = operation({
  summary:
    "List the jobs of all types that the credential has the scope for, newest first, without row results; kept for 30 days",
  scope: "account:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    type: commaSeparated(JOB_TYPES).optional().describe("Only jobs of these types"),
    status: commaSeparated(JOB_STATUSES).optional().describe("Only jobs in one of these states"),
  }),
  output: pageOf(JobSummary),
  async run(ctx, { type, status, sort, ...page }) {
    const types = heldTypes(ctx).filter((one) => type === undefined || type.includes(one));
    const skip = skipOf(page);
    const filter: Filter<Job> = { type: trusted({ $in: types }), ...(status && { status: trusted({ $in: status }) }) };
    const { Job } = scoped(ctx.workspaceId);
    const [items, total] = await Promise.all([
      Job.read(filter, {
        sort: BY_CREATION.orderOf(sort),
        skip,
        limit: page.pageSize,
        select: { items: 0 },
        hint: JOB_INDEX.type,
      }),
      Job.count(filter, { hint: JOB_INDEX.type }),
    ]);
    return { items: items.map(jobView), total, ...page };
  },
});

const get = operation({
  summary: "Read one job: its progress, the results of its first rows, and its result once it has ended",
  scope: "account:read",
  errors: ["JOB_NOT_FOUND"],
  input: z.strictObject({ jobId }),
  output: JobRecord,
  run: async (ctx, { jobId }) => jobView(await loadHeldJob(ctx, jobId)),
});

const cancel = operation({
  summary: "Cancel a job: finished rows stay, and after the response no more rows are processed",
  scope: "account:read",
  errors: ["INVALID_STATE_TRANSITION", "JOB_NOT_FOUND"],
  input: z.strictObject({ jobId }),
  output: JobRecord,
  async run(ctx, { jobId }) {
    const job = await loadHeldJob(ctx, jobId);
    return cancelJobOf(ctx, job, KINDS[job.type]);
  },
});

/** A job of a type whose scope the caller lacks counts as missing. @throws JOB_NOT_FOUND */
async function loadHeldJob(ctx: Context, jobId: string): Promise<Job> {
  const job = await loadJobOf(ctx.workspaceId, jobId);
  if (!heldTypes(ctx).includes(job.type)) throw new AppError("JOB_NOT_FOUND", "No job has this id");
  return job;
}

function heldTypes({ scopes }: Context): JobType[] {
  return JOB_TYPES.filter((type) => scopes.has(SCOPE[type]));
}

export const jobsDeclaration = {
  verbs: {
    "jobs.list": list,
    "jobs.get": get,
    "jobs.cancel": cancel,
  },
  routes: [
    ["get", "/jobs", list],
    ["get", "/jobs/:jobId", get],
    ["post", "/jobs/:jobId/cancel", cancel],
  ],
} as const satisfies Declaration;
