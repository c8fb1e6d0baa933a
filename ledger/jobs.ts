import { isUnderWay, type JobStatus } from "../domain/job.ts";
import type { Job, JobItem } from "../models/job.ts";
import type { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";

/** How one type of job works its rows off. */
export interface JobKind {
  /** Called when a worker takes the job up; `done` are the chunks of earlier attempts, for what must be remembered of them. */
  open(job: Job, done: AsyncIterable<Chunk>): Promise<ChunkWork>;
  /** What the caller reads as `result`, from `job.state`; also of a job that was cancelled. */
  resultOf(job: Job): Record<string, unknown> | null;
}

/**
 * Does one chunk. `record` moves the job past it: call it once, in the transaction of the effects where they have one; without
 * one the chunk may be done again after a crash. It throws when the job has been cancelled, or another worker has got ahead.
 */
export type ChunkWork = (chunk: Chunk, record: (done: ChunkDone) => Promise<void>) => Promise<void>;

export interface Chunk {
  rows: unknown[];
  /** The number of the first row; they count from 1. */
  firstRow: number;
  /** `state` as the chunk before left it. */
  state: Record<string, unknown>;
  /** Fires when the job is cancelled or the worker ends. */
  signal: AbortSignal;
}

export interface ChunkDone {
  succeeded: number;
  failed: number;
  /** What is told of the rows; the first 1,000 of the job are kept. */
  items: JobItem[];
  state: Record<string, unknown>;
}

/** The job is no longer where this worker thought it was. */
export class JobMoved extends Error {}

const MOST_ITEMS = 1_000;

/** QUEUED to RUNNING; the job as it stands, null when there is none. */
export async function takeUp(workspaceId: string, jobId: string): Promise<Job | null> {
  const { Job } = scoped(workspaceId);
  await Job.updateOne({ _id: jobId, status: "QUEUED" }, { $set: { status: "RUNNING", startedAt: new Date() } });
  return Job.get(jobId);
}

/** Moves a running job past its next chunk. @throws JobMoved when it does not run, or has passed it already. */
export async function advance({ workspaceId, _id, nextChunk }: Job, { count }: JobChunk, done: ChunkDone): Promise<void> {
  const { succeeded, failed, items, state } = done;
  const moved = await scoped(workspaceId).Job.updateOne(
    { _id, status: "RUNNING", nextChunk },
    {
      $set: { nextChunk: nextChunk + 1, state },
      $inc: { processed: count, succeeded, failed },
      $push: { items: { $each: items, $slice: MOST_ITEMS } },
    },
  );
  if (moved === 0) throw new JobMoved();
}

/** Ends a job that is under way and drops its rows; one that has ended stays as it is. Answers it as it stands. */
export async function endJob(
  workspaceId: string,
  jobId: string,
  status: Exclude<JobStatus, "QUEUED" | "RUNNING">,
  { error = null, resultOf }: { error?: Job["error"]; resultOf?: JobKind["resultOf"] } = {},
): Promise<Job | null> {
  const job = await inTransaction(async () => {
    const { Job } = scoped(workspaceId);
    const found = await Job.get(jobId);
    if (found === null || !isUnderWay(found.status)) return found;
    const result = resultOf?.(found) ?? null;
    return Job.findOneAndUpdate({ _id: jobId }, { $set: { status, error, result, finishedAt: new Date() } });
  });
  await dropChunks(workspaceId, jobId);
  return job;
}

/** The rows go with the work: they are the caller's, and may be secret. */
export async function dropChunks(workspaceId: string, jobId: string): Promise<void> {
  await scoped(workspaceId).JobChunk.deleteMany({ jobId });
}
