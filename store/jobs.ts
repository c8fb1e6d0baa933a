import { isUnderWay, type JobStatus } from "../domain/job.ts";
import { HOUR_MS } from "../domain/time/durations.ts";
import { Job, type JobItem } from "../models/job.ts";
import { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { inTransaction } from "../mongo/transaction.ts";

/** How one type of job works through its rows. */
export interface JobKind {
  /**
   * Called when a worker takes the job. `done` are the chunks that earlier attempts finished, so that the work can
   * recall them.
   */
  open(job: JobAtWork, done: AsyncIterable<Chunk>): Promise<ChunkWork>;
  /** The `result` that the caller reads, derived from `job.state`; a cancelled job has one too. */
  resultOf(job: JobAtWork): Record<string, unknown> | null;
}

/** How a type of job works that keeps its own rows, and may have to wait for hours between them. */
export interface WaitingJobKind extends Pick<JobKind, "resultOf"> {
  /**
   * Works until `isOver` says so, or there is nothing to do for now: returns the milliseconds until there is, or null
   * when all is done. It throws JobMoved when the job is not running any more.
   */
  work(job: JobAtWork, slice: JobSliceLimits): Promise<number | null>;
  /** Called when the job has ended, for any reason, perhaps more than once. */
  settle(job: JobAtWork): Promise<void>;
}

export interface JobSliceLimits {
  /** Fires when the job is cancelled or the worker shuts down. */
  signal: AbortSignal;
  /** Milliseconds that are left of the slice; zero or less when it is over. */
  leftMs(): number;
}

/**
 * Does one chunk. `record` moves the job past the chunk: call it exactly once, in the transaction of the chunk's
 * effects if they have one. Without such a transaction the chunk may be done again after a crash. It throws when the
 * job has been cancelled or another worker is ahead.
 */
export type ChunkWork = (chunk: Chunk, record: (done: ChunkDone) => Promise<void>) => Promise<void>;

export interface Chunk {
  rows: unknown[];
  /** The number of the chunk's first row; rows are counted from 1. */
  firstRow: number;
  /** The `state` that the chunk before this one left. */
  state: Record<string, unknown>;
  /** Fires when the job is cancelled or the worker shuts down. */
  signal: AbortSignal;
}

export interface ChunkDone {
  succeeded: number;
  failed: number;
  /** The outcome of each row; only those of the job's first 1,000 rows are kept. */
  items: JobItem[];
  state: Record<string, unknown>;
}

/** How a type of job works whose rows are not stored, but come page by page from elsewhere until there are no more. */
export interface PagedJobKind {
  /** Called when a worker takes the job. */
  openPages(job: JobAtWork): Promise<PageWork>;
  resultOf(job: JobAtWork): Record<string, unknown> | null;
}

/**
 * Does the page that `job.state` names, and moves the job past it by `advancePage`, once, in the transaction of the
 * page's effects.
 * @throws JobMoved as `advancePage` does, JobWaits when there is nothing to do for a while
 */
type PageWork = (job: JobAtWork, signal: AbortSignal) => Promise<void>;

/** The chunk count of a job whose last page has not been reached. */
export const UNKNOWN_COUNT = -1;

/** The job can continue only later. */
export class JobWaits extends Error {
  readonly resumeAfterMs: number;
  constructor(resumeAfterMs: number) {
    super("The job waits");
    this.resumeAfterMs = resumeAfterMs;
  }
}

/** The job is no longer at the chunk that this worker is working on. */
export class JobMoved extends Error {}

const MOST_ITEMS = 1_000;

/** A job without its `items`, which would otherwise be read again for every chunk. */
export type JobAtWork = Omit<Job, "items">;

/** Moves a job from QUEUED to RUNNING. Returns the job as it is then, or null when there is none. */
export async function takeUp(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  await scoped(workspaceId).Job.updateOne(
    { _id: jobId, status: "QUEUED" },
    { $set: { status: "RUNNING", startedAt: new Date() } },
  );
  return loadJob(workspaceId, jobId);
}

/** The job as it is now, or null when there is none. */
export async function loadJob(workspaceId: string, jobId: string): Promise<JobAtWork | null> {
  const [job = null] = await scoped(workspaceId).Job.read({ _id: jobId }, { select: { items: 0 }, hint: "_id_" });
  return job;
}

/**
 * Moves a running job past its next chunk. @throws JobMoved when the job is not running or has already passed that
 * chunk
 */
export function advance(job: JobAtWork, { count }: JobChunk, done: ChunkDone): Promise<void> {
  return move(job, count, done, {});
}

/**
 * Moves a running job past a page of `count` rows that are in no chunk; `isLast` ends it. @throws JobMoved as `advance`
 * does
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
 * Ends a job that is under way and drops its rows; a job that has ended stays unchanged. Returns the job as it is then.
 */
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

/** Deletes the rows together with the work: they belong to the caller and may be secret. */
export async function dropChunks(workspaceId: string, jobId: string): Promise<void> {
  await scoped(workspaceId).JobChunk.deleteMany({ jobId });
}

/**
 * Milliseconds after which rows that have no job will never have one: an upload ends long before (rules/limits 1.5).
 */
const STAGED_MS = HOUR_MS;
const ACROSS = { acrossWorkspaces: true };

/**
 * Deletes rows whose upload was killed before it became a job. Looks at the `limit` oldest; returns for how many it
 * deleted the rows.
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
