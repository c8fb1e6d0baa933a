import { Context } from "@temporalio/activity";
import { type KeyRing, open } from "../domain/access/seal.ts";
import { AppError } from "../domain/errors.ts";
import { isUnderWay, type JobIds, type JobSlice, type JobType } from "../domain/job.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { advance, type Chunk, type ChunkWork, endJob, type JobAtWork, type JobKind, JobMoved, loadJob, takeUp } from "../store/jobs.ts";
import { withHeartbeat } from "./beat.ts";

export interface JobDeps {
  keyRing: KeyRing;
  kinds: Record<JobType, JobKind>;
}

export interface JobActivities {
  workOnJob(ids: JobIds): Promise<JobSlice>;
  closeJob(ids: JobIds, status: "FAILED" | "CANCELLED"): Promise<JobSlice>;
}

/** Milliseconds after which the activity returns the progress to the workflow, which then starts the next slice. */
const SLICE_MS = MINUTE_MS;
const BEAT_MS = 4_000;

/**
 * The activities that work through jobs, chunk by chunk. The cursor is stored in the job and moved with each chunk's effects; the heartbeat
 * only reports it.
 */
export function jobActivities({ keyRing, kinds }: JobDeps): JobActivities {
  async function workOnJob({ workspaceId, jobId }: JobIds): Promise<JobSlice> {
    const context = Context.current();
    let cursor = 0;
    const beat = setInterval(() => context.heartbeat(cursor), BEAT_MS);
    try {
      const job = await takeUp(workspaceId, jobId);
      if (job === null) return GONE;
      const stopAt = performance.now() + SLICE_MS;
      const moved = await go(job, context.cancellationSignal, (at) => {
        cursor = at;
        return performance.now() < stopAt;
      });
      return sliceOf(moved);
    } finally {
      clearInterval(beat);
    }
  }

  /** Does chunks until the job is over or `goesOn` returns false. A refusal for good ends the job; a fault that may pass is thrown. */
  async function go(taken: JobAtWork, signal: AbortSignal, goesOn: (cursor: number) => boolean): Promise<JobAtWork> {
    const { workspaceId, _id: jobId } = taken;
    const kind = kinds[taken.type];
    let job = taken;
    try {
      let work: ChunkWork | null = null;
      while (isUnderWay(job.status) && goesOn(job.nextChunk)) {
        signal.throwIfAborted();
        if (job.nextChunk >= job.chunkCount) return (await finish(job, kind)) ?? job;
        work ??= await kind.open(job, chunksBefore(job, signal));
        const isDone = await step(job, work, signal);
        if (!isDone) work = null;
        const now = await loadJob(workspaceId, jobId);
        if (now === null) return job;
        job = now;
      }
      return job;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      const { code, message } = error;
      return (await endJob(workspaceId, jobId, "FAILED", { error: { code, message }, resultOf: kind.resultOf })) ?? job;
    }
  }

  /** Does one chunk; false when the job is no longer at that chunk. */
  async function step(job: JobAtWork, work: ChunkWork, signal: AbortSignal): Promise<boolean> {
    const stored = await scoped(job.workspaceId).JobChunk.get(`${job._id}:${job.nextChunk}`);
    if (stored === null) throw new AppError("JOB_NOT_FOUND", "The rows of this job are no longer kept");
    try {
      await work(opened(stored, job.state, signal), (done) => advance(job, stored, done));
      return true;
    } catch (error) {
      if (error instanceof JobMoved) return false;
      throw error;
    }
  }

  async function* chunksBefore({ workspaceId, _id, nextChunk }: JobAtWork, signal: AbortSignal): AsyncIterable<Chunk> {
    const before = { jobId: _id, number: trusted({ $lt: nextChunk }) };
    for await (const chunk of scoped(workspaceId).JobChunk.stream(before, { sort: { number: 1 } })) yield opened(chunk, {}, signal);
  }

  function opened({ workspaceId, _id, rows, firstRow }: JobChunk, state: Record<string, unknown>, signal: AbortSignal): Chunk {
    const place = { workspaceId, collection: "job_chunks", documentId: _id, field: "rows" };
    return { rows: JSON.parse(open(keyRing, place, rows)), firstRow, state, signal };
  }

  async function closeJob({ workspaceId, jobId }: JobIds, status: "FAILED" | "CANCELLED"): Promise<JobSlice> {
    const job = await loadJob(workspaceId, jobId);
    if (job === null) return GONE;
    const error = status === "FAILED" ? { code: "INTERNAL_ERROR", message: "The work failed repeatedly on our side" } : null;
    const { resultOf } = kinds[job.type];
    return sliceOf((await endJob(workspaceId, jobId, status, { error, resultOf })) ?? job);
  }

  return { workOnJob, closeJob: (ids, status) => withHeartbeat(() => closeJob(ids, status)) };
}

function finish({ workspaceId, _id, failed }: JobAtWork, { resultOf }: JobKind): Promise<JobAtWork | null> {
  return endJob(workspaceId, _id, failed > 0 ? "COMPLETED_WITH_ERRORS" : "COMPLETED", { resultOf });
}

const GONE: JobSlice = { status: "CANCELLED", progress: { total: 0, processed: 0, succeeded: 0, failed: 0 } };

function sliceOf({ status, total, processed, succeeded, failed }: JobAtWork): JobSlice {
  return { status, progress: { total, processed, succeeded, failed } };
}
