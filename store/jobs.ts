import { isUnderWay, type JobStatus } from "../domain/job.ts";
import type { Job, JobItem } from "../models/job.ts";
import type { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../mongo/transaction.ts";

/** How one type of job works its rows off. */
export interface JobKind {
  /** Called when a worker takes the job up; `done` are the chunks of earlier attempts, for what must be remembered of them. */
  open(job: JobAtWork, done: AsyncIterable<Chunk>): Promise<ChunkWork>;
  /** What the caller reads as `result`, from `job.state`; also of a job that was cancelled. */
  resultOf(job: JobAtWork): Record<string, unknown> | null;
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
  /** What is told of the rows; that of the first 1,000 of the job is kept. */
  items: JobItem[];
  state: Record<string, unknown>;
}

/** The job is no longer where this worker thought it was. */
export class JobMoved extends Error {}

const MOST_ITEMS = 1_000;

/** A job as the work on it needs it: what is told of its rows would be read again with every chunk. */
export type JobAtWork = Omit<Job, "items">;

/** QUEUED to RUNNING; the job as it stands, null when there is none. */
export async function takeUp(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  await scoped(workspaceId).Job.updateOne({ _id: jobId, status: "QUEUED" }, { $set: { status: "RUNNING", startedAt: new Date() } });
  return standing(workspaceId, jobId);
}

/** The job as it stands, null when there is none. */
export async function standing(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  const [job = null] = await scoped(workspaceId).Job.read({ _id: jobId }, { select: { items: 0 }, hint: "_id_" });
  return job;
}

/** Moves a running job past its next chunk. @throws JobMoved when it does not run, or has passed it already. */
export async function advance({ workspaceId, _id, nextChunk }: JobAtWork, { count }: JobChunk, done: ChunkDone): Promise<void> {
  const { succeeded, failed, items, state } = done;
  const told = items.filter(({ row }) => row <= MOST_ITEMS);
  const moved = await scoped(workspaceId).Job.updateOne(
    { _id, status: "RUNNING", nextChunk },
    {
      $set: { nextChunk: nextChunk + 1, state },
      $inc: { processed: count, succeeded, failed },
      ...(told.length > 0 && { $push: { items: { $each: told } } }),
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
