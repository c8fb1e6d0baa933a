import { z } from "zod";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { JOB_INDEX, type Job } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { exportStateOf } from "../../store/evidence/export-job.ts";
import { UNKNOWN_COUNT } from "../../store/jobs.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime } from "../fields.ts";
import { jobRecordWith, jobView, loadJobOf, startStaged } from "../jobs.ts";
import { operation } from "../operation.ts";
import { linkOfExport } from "./exported-workspace.ts";

const { jobId } = describedIds;

const WorkspaceExport = jobRecordWith({
  counts: z.record(z.string(), z.number().int()).describe("Documents exported so far, by collection"),
  size: z.number().int().describe("Bytes of the lines exported so far"),
  downloadUrl: nullable(z.string()).describe(
    "The URL of the file once the job is COMPLETED; it needs no API key. NDJSON, one document per line. Null before, and after the file is deleted, a day later",
  ),
  expiresAt: optionalTime.describe("When the URL expires, after 15 minutes; each read of the job returns a new URL"),
}).meta({ id: "WorkspaceExport", description: "The job that exports all data of a workspace into one file" });

/** The scopes that an export needs. No scope implies another, and the file contains the data of all of them. */
const READS = ALL_SCOPES.filter((scope) => scope.endsWith(":read"));

const exportWorkspace = operation({
  summary:
    "Start a job that exports the workspace as NDJSON: every document and file, but no password, token or other secret. It needs all read scopes",
  scope: "workspace:write",
  alsoScopes: READS,
  audits: "workspace.export",
  stepUp: true,
  effects: { DISCLOSES: true },
  input: z.strictObject({}),
  output: WorkspaceExport,
  async run(ctx) {
    const type = "WORKSPACE_EXPORT" as const;
    const underWay = { type, status: { $in: ["QUEUED", "RUNNING"] } };
    const [running] = await scoped(ctx.workspaceId).Job.read(underWay, { hint: JOB_INDEX.type, limit: 1 });
    const rows = { jobId: newId("job"), total: 0, chunkCount: UNKNOWN_COUNT };
    return viewOf(ctx, running ?? (await startStaged(ctx, rows, { type, fileName: null, parameters: {} })));
  },
});

const getExport = operation({
  summary: "Read the progress of a workspace export and, once it is completed, the URL of its file",
  scope: "workspace:write",
  alsoScopes: READS,
  errors: ["JOB_NOT_FOUND"],
  stepUp: true,
  input: z.strictObject({ jobId }),
  output: WorkspaceExport,
  async run(ctx, { jobId }) {
    return viewOf(ctx, await loadJobOf(ctx.workspaceId, jobId, "WORKSPACE_EXPORT"));
  },
});

async function viewOf({ services }: Context, job: Job) {
  const { counts, bytes } = exportStateOf(job);
  return { ...jobView(job), counts, size: bytes, ...(await linkOfExport(services, job)) };
}

export const workspaceExportDeclaration = {
  verbs: {
    "workspace.export": exportWorkspace,
    "workspace.getExport": getExport,
  },
  routes: [
    ["post", "/workspace/export", exportWorkspace, 202, { after: "post /workspace" }],
    ["get", "/workspace/export/:jobId", getExport],
  ],
  examples: {
    workspace: [{ at: "post /workspace/export", title: "Export all data of the workspace", body: {} }],
  },
} as const satisfies Declaration;
