import { isUnderWay, type JobStatus } from "../domain/job.ts";
import { HOUR_MS } from "../domain/time/durations.ts";
import { Job, type JobItem } from "../models/job.ts";
import { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { inTransaction } from "../mongo/transaction.ts";

/** How a type of job processes its rows. */
export interface JobKind {
  /**
   * Called when a worker takes the job. `done` are the chunks that earlier attempts finished, so that the state in
   * memory can be restored.
   */
  open(job: JobAtWork, done: AsyncIterable<Chunk>): Promise<ChunkWork>;
  /** The `result` that the API returns, derived from `job.state`. A cancelled job has one too. */
  resultOf(job: JobAtWork): Record<string, unknown> | null;
}

/** A type of job that stores its own rows and may have to wait for hours between them. */
export interface WaitingJobKind extends Pick<JobKind, "resultOf"> {
  /**
   * Works until the time slice is over or nothing can be done for now, and returns the milliseconds until work can
   * continue. Returns null when everything is done. Throws JobMoved when the job is no longer running.
   */
  work(job: JobAtWork, slice: JobSliceLimits): Promise<number | null>;
  /** Called when the job has ended, for any reason, perhaps more than once. */
  settle(job: JobAtWork): Promise<void>;
}

export interface JobSliceLimits {
  /** Fires when the job is cancelled or the worker shuts down. */
  signal: AbortSignal;
  /** The remaining milliseconds of the time slice; zero or less when it is over. */
  leftMs(): number;
}

/**
 * Processes one chunk. `record` marks the chunk as done. Call it exactly once, in the transaction of the chunk's
 * effects if there is one; without that transaction, the chunk may be processed again after a crash. `record` throws
 * when the job was cancelled or another worker has done the chunk.
 */
export type ChunkWork = (chunk: Chunk, record: (done: ChunkDone) => Promise<void>) => Promise<void>;

export interface Chunk {
  rows: unknown[];
  /** The number of the chunk's first row; rows are counted from 1. */
  firstRow: number;
  /** The `state` after the previous chunk. */
  state: Record<string, unknown>;
  /** Fires when the job is cancelled or the worker shuts down. */
  signal: AbortSignal;
}

export interface ChunkDone {
  succeeded: number;
  failed: number;
  /** The outcome of each row. Only those of the job's first 1,000 rows are stored. */
  items: JobItem[];
  state: Record<string, unknown>;
}

/** A type of job whose rows are not stored, but read page by page from another source until there are no more. */
export interface PagedJobKind {
  /** Called when a worker takes the job. */
  openPages(job: JobAtWork): Promise<PageWork>;
  resultOf(job: JobAtWork): Record<string, unknown> | null;
}

/**
 * Processes the page that `job.state` refers to, and calls `advancePage` once, in the transaction of the page's
 * effects.
 * @throws JobMoved from `advancePage`, JobWaits when the job must wait before it can continue
 */
type PageWork = (job: JobAtWork, signal: AbortSignal) => Promise<void>;

/** The chunk count of a job whose last page is not known yet. */
export const UNKNOWN_COUNT = -1;

/** Thrown when the job must wait before it can continue. */
export class JobWaits extends Error {
  readonly resumeAfterMs: number;
  constructor(resumeAfterMs: number) {
    super("The job waits");
    this.resumeAfterMs = resumeAfterMs;
  }
}

/** Thrown when the job is no longer at the chunk that this worker processes. */
export class JobMoved extends Error {}

const MOST_ITEMS = 1_000;

/** A job without its `items`. They would otherwise be read again for every chunk. */
export type JobAtWork = Omit<Job, "items">;

/** Moves a job from QUEUED to RUNNING. Returns the current job, or null when it does not exist. */
export async function takeUp(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  await scoped(workspaceId).Job.updateOne(
    { _id: jobId, status: "QUEUED" },
    { $set: { status: "RUNNING", startedAt: new Date() } },
  );
  return loadJob(workspaceId, jobId);
}

/** The current job, or null when it does not exist. */
export async function loadJob(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  const [job = null] = await scoped(workspaceId).Job.read({ _id: jobId }, { select: { items: 0 }, hint: "_id_" });
  return job;
}

/**
 * Marks the next chunk of a running job as done. @throws JobMoved when the job is not running or the chunk was already
 * marked
 */
export function advance(job: JobAtWork, { count }: JobChunk, done: ChunkDone): Promise<void> {
  return move(job, count, done, {});
}

/**
 * Marks a page of `count` rows as done, for a running job without chunks. `isLast` marks the last page. @throws
 * JobMoved as `advance` does
 */
export function advancePage(job: JobAtWork, done: ChunkDone & { count: number; isLast: boolean }): Promise<void> {
  return move(job, done.count, done, { isCounted: true, isLast: done.isLast });
}

async function move(
  { workspaceId, _id, nextChunk }: JobAtWork,
  count: number,
  { succeeded, failed, items, state }: ChunkDone,
  { isCounted = false, isLast = false },
): Promise<void> {
  const firstItems = items.filter(({ row }) => row <= MOST_ITEMS);
  const moved = await scoped(workspaceId).Job.updateOne(
    { _id, status: "RUNNING", nextChunk },
    {
      $set: { nextChunk: nextChunk + 1, state, ...(isLast && { chunkCount: nextChunk + 1 }) },
      $inc: { ...(isCounted && { total: count }), processed: count, succeeded, failed },
      ...(firstItems.length > 0 && { $push: { items: { $each: firstItems } } }),
    },
  );
  if (moved === 0) throw new JobMoved();
}

/**
 * Ends a job whose chunks are all done. Returns null if the job has got further chunks since it was read, or has ended.
 */
export async function completeJob(
  { workspaceId, _id: jobId, chunkCount }: JobAtWork,
  resultOf: JobKind["resultOf"],
): Promise<Job | null> {
  return inTransaction(async () => {
    const { Job } = scoped(workspaceId);
    const done = { _id: jobId, status: "RUNNING" as const, chunkCount, nextChunk: chunkCount };
    const found = await Job.findOne(done);
    if (found === null) return null;
    const status = found.failed > 0 ? ("COMPLETED_WITH_ERRORS" as const) : ("COMPLETED" as const);
    return Job.findOneAndUpdate(done, { $set: { status, result: resultOf(found), finishedAt: new Date() } });
  });
}

/**
 * Ends a running or queued job and deletes its rows in the same transaction, so that no ended job has rows. A job that
 * has already ended does not change. Returns the job after that.
 */
export async function endJob(
  workspaceId: string,
  jobId: string,
  status: Exclude<JobStatus, "QUEUED" | "RUNNING">,
  { error = null, resultOf }: { error?: Job["error"]; resultOf?: JobKind["resultOf"] } = {},
): Promise<Job | null> {
  return inTransaction(async () => {
    await dropChunks(workspaceId, jobId);
    const { Job } = scoped(workspaceId);
    const found = await Job.get(jobId);
    if (found === null || !isUnderWay(found.status)) return found;
    const result = resultOf?.(found) ?? null;
    return Job.findOneAndUpdate({ _id: jobId }, { $set: { status, error, result, finishedAt: new Date() } });
  });
}

/** Deletes the rows of a job, because they belong to the caller and may be secret. */
export async function dropChunks(workspaceId: string, jobId: string): Promise<void> {
  await scoped(workspaceId).JobChunk.deleteMany({ jobId });
}

/**
 * Rows without a job that are older than this many milliseconds will never get one, because an upload is limited to a
 * shorter time (rules/limits 1.5).
 */
const STAGED_MS = HOUR_MS;
const ACROSS = { acrossWorkspaces: true };

/**
 * Deletes rows of uploads that were interrupted before their job was created. Checks the `limit` oldest uploads and
 * returns for how many it deleted the rows.
 */
export async function sweepStagedRows(limit: number): Promise<number> {
  const old = trusted({ $lt: new Date(Date.now() - STAGED_MS) });
  const first = await JobChunk.find({ number: 0, createdAt: old }, { _id: 0, workspaceId: 1, jobId: 1 }, ACROSS)
    .sort({ createdAt: 1 })
    .limit(limit)
    .lean<{ workspaceId: string; jobId: string }[]>();
  if (first.length === 0) return 0;
  const ids = first.map(({ jobId }) => jobId);
  const jobs = await Job.find({ _id: trusted({ $in: ids }) }, { _id: 1 }, ACROSS).lean<{ _id: string }[]>();
  const jobIds = new Set(jobs.map(({ _id }) => _id));
  const orphans = first.filter(({ jobId }) => !jobIds.has(jobId));
  for (const { workspaceId, jobId } of orphans) await dropChunks(workspaceId, jobId);
  return orphans.length;
}
