import type { Sealed } from "../domain/access/seal.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { type Owned, required, secret, tenantModel } from "../mongo/schema.ts";

/**
 * Some rows of a job, kept until the job has finished. `_id` is `<jobId>:<number>`. Rows may contain passwords, so all
 * of them are encrypted.
 */
export interface JobChunk extends Owned {
  jobId: string;
  number: number;
  /** How many rows the chunk has, and the number of its first row, counted from 1. */
  count: number;
  firstRow: number;
  rows: Sealed;
}

const KEPT_SECONDS = 7 * DAY_SECONDS;

export const JobChunk = tenantModel<JobChunk>(
  "JobChunk",
  "job_chunks",
  {
    jobId: required,
    number: { type: Number, required: true },
    count: { type: Number, required: true },
    firstRow: { type: Number, required: true },
    rows: secret,
  },
  [
    { fields: { workspaceId: 1, jobId: 1, number: 1 }, unique: true },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
    // The search for rows whose job does not exist reads only the first chunk of each job, and only from this index
    { fields: { number: 1, createdAt: 1, workspaceId: 1, jobId: 1 }, where: { number: 0 } },
  ],
);
