import { HOUR_MS } from "../domain/time/durations.ts";
import { Job } from "../models/job.ts";
import { JobChunk } from "../models/job-chunk.ts";
import { trusted } from "../mongo/collection.ts";
import { dropChunks } from "./jobs.ts";

/** Milliseconds after which rows that have no job will never have one: an upload ends long before (rules/limits 1.5). */
const STAGED_MS = HOUR_MS;
const ACROSS = { acrossWorkspaces: true };

/** Deletes rows whose upload was killed before it became a job. Looks at the `limit` oldest; returns how many it deleted the rows of. */
export async function sweepStagedRows(limit: number): Promise<number> {
  const old = trusted({ $lt: new Date(Date.now() - STAGED_MS) });
  const first = await JobChunk.find({ number: 0, createdAt: old }, { _id: 0, workspaceId: 1, jobId: 1 }, ACROSS)
    .sort({ createdAt: 1 })
    .limit(limit)
    .lean<{ workspaceId: string; jobId: string }[]>();
  if (first.length === 0) return 0;
  const ids = first.map(({ jobId }) => jobId);
  const jobs = await Job.find({ _id: trusted({ $in: ids }) }, { _id: 1 }, ACROSS).lean<{ _id: string }[]>();
  const known = new Set(jobs.map(({ _id }) => _id));
  const orphans = first.filter(({ jobId }) => !known.has(jobId));
  for (const { workspaceId, jobId } of orphans) await dropChunks(workspaceId, jobId);
  return orphans.length;
}
