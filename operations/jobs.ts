import { z } from "zod";
import { seal } from "../domain/access/seal.ts";
import { AppError } from "../domain/errors.ts";
import { isUnderWay, JOB_STATUSES, JOB_TYPES, type JobType } from "../domain/job.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Job } from "../models/job.ts";
import { scoped } from "../models/scoped.ts";
import { newId } from "../mongo/ids.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { dropChunks, endJob, type JobAtWork, type JobKind } from "../store/jobs.ts";
import { nudge } from "../store/outbox.ts";
import { jobWorkflowId } from "../temporal/run.ts";
import { jobRun } from "../temporal/runs.ts";
import type { Context } from "./context.ts";
import { describedIds } from "./described-ids.ts";
import { nullable, optionalTime, record } from "./fields.ts";
import { type Operation, operation } from "./operation.ts";

const { jobId, mailboxId } = describedIds;

const count = z.number().int();
const item = z.object({
  row: count.describe("The row number, from 1"),
  email: nullable(z.string()).describe("The email address in the row"),
  status: z.string().describe("CREATED, UPDATED, SKIPPED_DUPLICATE or FAILED"),
  code: nullable(z.string()).describe(
    "Why the row was refused or skipped, or that its address is suppressed; else null",
  ),
  message: nullable(z.string()).describe("The error as a sentence"),
  mailboxId: nullable(mailboxId),
});

/** The fields of every job. */
export const jobFields = {
  type: z.enum(JOB_TYPES).describe("The type of the job"),
  fileName: nullable(z.string()).describe("The file with the rows"),
  status: z.enum(JOB_STATUSES).describe("The status of the job"),
  progress: z
    .object({
      total: count.describe("All rows"),
      processed: count.describe("Rows processed"),
      succeeded: count.describe("Rows that succeeded"),
      failed: count.describe("Rows that failed"),
    })
    .describe("Counts of rows so far"),
  result: nullable(z.record(z.string(), z.unknown())).describe(
    "The response that the same request gives without a job; null until the job has ended",
  ),
  error: nullable(
    z.object({ code: z.string().describe("The error code"), message: z.string().describe("The error as a sentence") }),
  ).describe("The error that ended the job early"),
  pollAfterSeconds: nullable(count).describe(
    "Seconds to wait before the next request for the job; null when it has ended",
  ),
  startedAt: optionalTime.describe("When the job started"),
  finishedAt: optionalTime.describe("When the job ended"),
};

const items = z.array(item).describe("The result of each row, at most 1,000");

/** Job `job_` (rules/states 1.5). `jobView` turns a stored job into it. */
export const JobRecord = jobRecordWith({}).meta({
  id: "Job",
  description: "Work on many rows that continues after the response to its request",
});

/** A job with fields of its type beside those of every job. */
export function jobRecordWith<S extends z.ZodRawShape>(more: S) {
  return record({ ...jobFields, items, ...more });
}

/**
 * The rows of a job in a response that omits them, because a page of jobs with a thousand rows each would be too large.
 */
export const itemsLeftOut = nullable(items).describe("Null where the response leaves out the results of the rows");

/** A job in a list. */
export const JobSummary = record({ ...jobFields, items: itemsLeftOut }).meta({
  id: "JobSummary",
  description: "A job without the result of each row",
});

const POLL_SECONDS = 2;

/** Converts a stored job to a `JobRecord`. */
export function jobView<J extends JobAtWork>(job: J) {
  const { total, processed, succeeded, failed } = job;
  return {
    ...job,
    progress: { total, processed, succeeded, failed },
    pollAfterSeconds: isUnderWay(job.status) ? POLL_SECONDS : null,
  };
}

export interface NewJob {
  type: JobType;
  fileName: string | null;
  /** Options and ids for the job; never secrets or rows. */
  parameters: Record<string, unknown>;
  /**
   * The rows as JSON arrays, in order. About 500 rows are a good size for a chunk that is processed in one transaction.
   */
  chunks: Iterable<JsonRows> | AsyncIterable<JsonRows>;
}

export interface JsonRows {
  count: number;
  json: string;
}

/** The workspace and services for which a job is created. */
type JobMaker = Pick<Context, "workspaceId" | "services">;

/**
 * Stores the rows and starts the job, which continues even if this process ends.
 * @throws AppError SERVICE_UNAVAILABLE before any effect while Temporal is unreachable (rules/sending 11.3), and errors
 * of `chunks`
 */
export async function startJob(ctx: JobMaker, { chunks, ...job }: NewJob): Promise<Job> {
  const staged = await stageRows(ctx, chunks);
  try {
    return await startStaged(ctx, staged, job);
  } catch (error) {
    await dropChunks(ctx.workspaceId, staged.jobId);
    throw error;
  }
}

/** Rows stored for a job that does not exist yet. */
export interface StagedRows {
  jobId: string;
  total: number;
  chunkCount: number;
}

/**
 * Stores rows as they arrive. When `chunks` throws, all its stored rows are deleted. @throws AppError like `startJob`
 */
export async function stageRows({ workspaceId, services }: JobMaker, chunks: NewJob["chunks"]): Promise<StagedRows> {
  if (!(await services.engine.isReachable())) throw away();
  const { JobChunk } = scoped(workspaceId);
  const jobId = newId("job");
  let [total, chunkCount] = [0, 0];
  try {
    for await (const { count, json } of chunks) {
      const _id = `${jobId}:${chunkCount}`;
      const rows = seal(
        services.keyRing,
        { workspaceId, collection: "job_chunks", documentId: _id, field: "rows" },
        json,
      );
      await JobChunk.insert({ _id, jobId, number: chunkCount, count, firstRow: total + 1, rows });
      total += count;
      chunkCount++;
    }
    return { jobId, total, chunkCount };
  } catch (error) {
    await dropChunks(workspaceId, jobId);
    throw error;
  }
}

/**
 * Creates a job for stored rows and starts it. When this throws, the job does not exist. @throws AppError like
 * `startJob`
 */
export async function startStaged(
  { workspaceId, services }: JobMaker,
  rows: StagedRows,
  job: Omit<NewJob, "chunks">,
): Promise<Job> {
  const { jobId, total, chunkCount } = rows;
  const { Job } = scoped(workspaceId);
  if (!(await services.engine.isReachable())) throw away();
  try {
    // In a transaction, because it also checks the job's plan and cost
    const stored = await inTransaction(() => Job.insert({ _id: jobId, ...job, state: {}, total, chunkCount }));
    await services.engine.start(jobRun({ v: 1, workspaceId, jobId }, job.type));
    return stored;
  } catch (error) {
    await Job.deleteOne({ _id: jobId });
    throw error;
  }
}

/**
 * Creates a job for stored rows in the transaction of `beside`, and starts it. The job continues even if it cannot be
 * started now, because what `beside` did stays.
 */
export async function startBeside(
  { workspaceId, services }: JobMaker,
  { jobId, ...rows }: StagedRows,
  job: Omit<NewJob, "chunks">,
  beside: () => Promise<void>,
): Promise<Job> {
  const stored = await inTransaction(async () => {
    await beside();
    await nudge(workspaceId, "JOB", { jobId });
    return scoped(workspaceId).Job.insert({ _id: jobId, ...job, ...rows, state: {} });
  });
  try {
    await services.engine.start(jobRun({ v: 1, workspaceId, jobId }, job.type));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  return stored;
}

/** Waits up to `waitMs` milliseconds for the job to end, and returns it. */
export async function whenDone({ workspaceId, services }: Context, jobId: string, waitMs: number): Promise<Job> {
  await services.engine.hasEnded(jobWorkflowId(jobId), waitMs);
  return loadJobOf(workspaceId, jobId);
}

type Input = z.ZodObject<{ jobId: z.ZodString }>;
const input = z.strictObject({ jobId });

/** The operation that reads one job of a type. */
export function getJob(type: JobType, scope: Scope, summary: string): Operation<Input, typeof JobRecord> {
  return operation({
    summary,
    scope,
    errors: ["JOB_NOT_FOUND"],
    input,
    output: JobRecord,
    run: async ({ workspaceId }, { jobId }) => jobView(await loadJobOf(workspaceId, jobId, type)),
  });
}

/** Creates the operation that cancels a job. Completed work stays; after the response, nothing more is done. */
export function cancelJob(
  kind: Pick<JobKind, "resultOf">,
  type: JobType,
  scope: Scope,
  summary: string,
): Operation<Input, typeof JobRecord> {
  return operation({
    summary,
    scope,
    errors: ["INVALID_STATE_TRANSITION", "JOB_NOT_FOUND"],
    input,
    output: JobRecord,
    run: async (ctx, { jobId }) => cancelJobOf(ctx, await loadJobOf(ctx.workspaceId, jobId, type), kind),
  });
}

/** Cancels a job. A cancelled job stays unchanged. @throws INVALID_STATE_TRANSITION when it has ended in another way */
export async function cancelJobOf(
  { workspaceId, services }: Context,
  before: Job,
  { resultOf }: Pick<JobKind, "resultOf">,
) {
  if (before.status !== "CANCELLED" && !isUnderWay(before.status)) throw hasEnded(before);
  const job = await endJob(workspaceId, before._id, "CANCELLED", { resultOf });
  await services.engine.signal(jobWorkflowId(before._id), "cancel");
  if (job?.status !== "CANCELLED") throw hasEnded(job ?? before);
  return jobView(job);
}

/** @throws JOB_NOT_FOUND, also for a job of another type than `type` */
export async function loadJobOf(workspaceId: string, jobId: string, type?: JobType): Promise<Job> {
  const job = await scoped(workspaceId).Job.get(jobId);
  if (job === null || (type !== undefined && job.type !== type))
    throw new AppError("JOB_NOT_FOUND", "No job has this id");
  return job;
}

function hasEnded({ status }: Job): AppError {
  return new AppError("INVALID_STATE_TRANSITION", `A job that is ${status} cannot be cancelled`, {
    from: status,
    action: "cancel",
  });
}

function away(): AppError {
  return new AppError("SERVICE_UNAVAILABLE", "Temporal is unreachable and this job needs it: try again", {
    retryAfterSeconds: 5,
  });
}
