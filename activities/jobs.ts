import { Context } from "@temporalio/activity";
import { type KeyRing, open } from "../domain/access/seal.ts";
import { AppError } from "../domain/errors.ts";
import { isUnderWay, type JobIds, type JobSlice, type JobType } from "../domain/job.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { JobChunk } from "../models/job-chunk.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import {
  advance,
  type Chunk,
  type ChunkWork,
  completeJob,
  endJob,
  type JobAtWork,
  type JobKind,
  JobMoved,
  JobWaits,
  loadJob,
  type PagedJobKind,
  takeUp,
  type WaitingJobKind,
} from "../store/jobs.ts";
import { withHeartbeat } from "./beat.ts";

export interface JobDeps {
  keyRing: KeyRing;
  kinds: Record<JobType, JobKind | PagedJobKind | WaitingJobKind>;
  /** Milliseconds of a slice; set only by tests. */
  sliceMs?: number;
}

export interface JobActivities {
  workOnJob(ids: JobIds): Promise<JobSlice>;
  closeJob(ids: JobIds, status: "FAILED" | "CANCELLED"): Promise<JobSlice>;
}

/** Milliseconds after which the activity returns the progress to the workflow, which then starts the next slice. */
const SLICE_MS = MINUTE_MS;
const BEAT_MS = 4_000;
/**
 * Milliseconds for which a slice's open work is kept for the next slice, which usually runs immediately in the same
 * worker.
 */
const KEPT_MS = MINUTE_MS;

/**
 * The activities that process jobs, chunk by chunk. The cursor is stored in the job, in the same transaction as each
 * chunk's effects; the heartbeat only reports it.
 */
export function jobActivities({ keyRing, kinds, sliceMs = SLICE_MS }: JobDeps): JobActivities {
  /** The open work of jobs whose last slice ran in this worker: opening a job again would read every finished chunk. */
  const left = new Map<string, Left>();

  async function workOnJob({ workspaceId, jobId }: JobIds): Promise<JobSlice> {
    const context = Context.current();
    let cursor = 0;
    const beat = setInterval(() => context.heartbeat(cursor), BEAT_MS);
    try {
      const job = await takeUp(workspaceId, jobId);
      if (job === null) return GONE;
      const kind = kinds[job.type];
      if ("work" in kind) return await wait(job, kind, context.cancellationSignal);
      const moved = await go(job, kind, context.cancellationSignal, (at) => {
        cursor = at;
      });
      return sliceOf(moved);
    } catch (error) {
      if (!(error instanceof JobWaits)) throw error;
      const job = await loadJob(workspaceId, jobId);
      return job === null ? GONE : { ...sliceOf(job), resumeAfterMs: error.resumeAfterMs };
    } finally {
      clearInterval(beat);
    }
  }

  /**
   * Processes chunks until the job or its slice ends. A permanent error ends the job; an error that may be temporary is
   * thrown.
   */
  async function go(
    taken: JobAtWork,
    kind: JobKind | PagedJobKind,
    signal: AbortSignal,
    tell: (cursor: number) => void,
  ): Promise<JobAtWork> {
    const { workspaceId, _id: jobId } = taken;
    let job = taken;
    try {
      let work = takeLeft(job);
      let stopAt: number | null = null; // starts when the work is open, so that every slice processes chunks
      while (isUnderWay(job.status)) {
        tell(job.nextChunk);
        signal.throwIfAborted();
        if (job.chunkCount >= 0 && job.nextChunk >= job.chunkCount) return (await endFinishedJob(job, kind)) ?? job;
        if (stopAt !== null && performance.now() >= stopAt) {
          if (work !== null) leaveOpen(job, work);
          return job;
        }
        work ??= await openJob(job, kind, signal);
        stopAt ??= performance.now() + sliceMs;
        const isDone = await work(job, signal);
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

  /** Runs one slice of a job that may have to wait; the workflow does the waiting. */
  async function wait(taken: JobAtWork, kind: WaitingJobKind, signal: AbortSignal): Promise<JobSlice> {
    const { workspaceId, _id: jobId } = taken;
    const stopAt = performance.now() + sliceMs;
    let job = taken;
    let resumeAfterMs: number | null = 0;
    if (isUnderWay(job.status)) {
      try {
        resumeAfterMs = await kind.work(job, { signal, leftMs: () => stopAt - performance.now() });
      } catch (error) {
        if (!(error instanceof JobMoved)) throw error;
      }
      job = (await loadJob(workspaceId, jobId)) ?? job;
      // Work that arrives meanwhile is done in the next slice
      if (resumeAfterMs === null) job = (await completeJob(job, kind.resultOf)) ?? job;
    }
    if (!isUnderWay(job.status)) await kind.settle(job);
    return { ...sliceOf(job), ...(resumeAfterMs !== null && resumeAfterMs > 0 && { resumeAfterMs }) };
  }

  /**
   * Returns the function that processes the next chunk or page of a job. That function returns false when another
   * worker has processed it or the job has ended.
   */
  async function openJob(job: JobAtWork, kind: JobKind | PagedJobKind, signal: AbortSignal): Promise<NextWork> {
    if ("openPages" in kind) {
      const pages = await kind.openPages(job);
      return (at, until) => unlessMoved(() => pages(at, until));
    }
    const chunks = await kind.open(job, chunksBefore(job, signal));
    return (at, until) => step(at, chunks, until);
  }

  /** Removes and returns the open work of the previous slice; null if another worker has processed chunks since. */
  function takeLeft({ _id, nextChunk }: JobAtWork): NextWork | null {
    const found = left.get(_id);
    left.delete(_id);
    return found?.nextChunk === nextChunk ? found.work : null;
  }

  function leaveOpen({ _id, nextChunk }: JobAtWork, work: NextWork): void {
    const open = { work, nextChunk };
    left.set(_id, open);
    setTimeout(() => left.get(_id) === open && left.delete(_id), KEPT_MS).unref();
  }

  /** Processes one chunk. Returns false when another worker has processed it or the job has ended. */
  async function step(job: JobAtWork, work: ChunkWork, signal: AbortSignal): Promise<boolean> {
    const stored = await scoped(job.workspaceId).JobChunk.get(`${job._id}:${job.nextChunk}`);
    if (stored === null) throw new AppError("JOB_NOT_FOUND", "The rows of this job are no longer kept");
    return unlessMoved(() => work(readChunk(stored, job.state, signal), (done) => advance(job, stored, done)));
  }

  async function* chunksBefore({ workspaceId, _id, nextChunk }: JobAtWork, signal: AbortSignal): AsyncIterable<Chunk> {
    const before = { jobId: _id, number: trusted({ $lt: nextChunk }) };
    for await (const chunk of scoped(workspaceId).JobChunk.stream(before, { sort: { number: 1 } })) {
      signal.throwIfAborted();
      yield readChunk(chunk, {}, signal);
    }
  }

  function readChunk(
    { workspaceId, _id, rows, firstRow }: JobChunk,
    state: Record<string, unknown>,
    signal: AbortSignal,
  ): Chunk {
    const place = { workspaceId, collection: "job_chunks", documentId: _id, field: "rows" };
    return { rows: JSON.parse(open(keyRing, place, rows)), firstRow, state, signal };
  }

  async function closeJob({ workspaceId, jobId }: JobIds, status: "FAILED" | "CANCELLED"): Promise<JobSlice> {
    const job = await loadJob(workspaceId, jobId);
    if (job === null) return GONE;
    const error =
      status === "FAILED"
        ? { code: "INTERNAL_ERROR", message: "The job failed repeatedly because of an error in this service" }
        : null;
    const kind = kinds[job.type];
    const ended = (await endJob(workspaceId, jobId, status, { error, resultOf: kind.resultOf })) ?? job;
    if ("settle" in kind) await kind.settle(ended);
    return sliceOf(ended);
  }

  return { workOnJob, closeJob: (ids, status) => withHeartbeat(() => closeJob(ids, status)) };
}

type NextWork = (job: JobAtWork, signal: AbortSignal) => Promise<boolean>;

/** Work that a slice left open for the next one. */
interface Left {
  work: NextWork;
  nextChunk: number;
}

/** Runs `work`. Returns false when another worker continued the job meanwhile, or the job has ended. */
async function unlessMoved(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof JobMoved) return false;
    throw error;
  }
}

function endFinishedJob(
  { workspaceId, _id, failed }: JobAtWork,
  { resultOf }: Pick<JobKind, "resultOf">,
): Promise<JobAtWork | null> {
  return endJob(workspaceId, _id, failed > 0 ? "COMPLETED_WITH_ERRORS" : "COMPLETED", { resultOf });
}

const GONE: JobSlice = { status: "CANCELLED", progress: { total: 0, processed: 0, succeeded: 0, failed: 0 } };

function sliceOf({ status, total, processed, succeeded, failed }: JobAtWork): JobSlice {
  return { status, progress: { total, processed, succeeded, failed } };
}
