import { JOB_STATUSES, JOB_TYPES, type JobStatus, type JobType } from "../domain/job.ts";
import { DAY_SECONDS } from "../domain/time/durations.ts";
import { counter, IS_INSTANT, instant, mixed, type Owned, oneOf, tenantModel, text } from "../mongo/schema.ts";

/** What happened to one row of a job. `row` counts from 1. */
export interface JobItem {
  row: number;
  email: string | null;
  status: string;
  code: string | null;
  message: string | null;
  mailboxId: string | null;
}

/** A long-running job whose progress a caller can read. Its rows are stored in `job_chunks`. */
export interface Job extends Owned {
  type: JobType;
  fileName: string | null;
  status: JobStatus;
  total: number;
  processed: number;
  succeeded: number;
  failed: number;
  /** The results of those of the first 1,000 rows that are reported. */
  items: JobItem[];
  /** What the caller asked for besides the rows: ids and options, never a secret. */
  parameters: Record<string, unknown>;
  /** Data that the job passes from one chunk to the next. */
  state: Record<string, unknown>;
  chunkCount: number;
  /** The first chunk that has not been processed. */
  nextChunk: number;
  result: Record<string, unknown> | null;
  error: { code: string; message: string } | null;
  startedAt: Date | null;
  finishedAt: Date | null;
}

const KEPT_SECONDS = 30 * DAY_SECONDS;

export const JOB_INDEX = { type: "workspaceId_1_type_1__id_-1" } as const;

export const Job = tenantModel<Job>(
  "Job",
  "jobs",
  {
    type: oneOf(JOB_TYPES, JOB_TYPES[0]),
    fileName: text,
    status: oneOf(JOB_STATUSES, "QUEUED"),
    total: counter,
    processed: counter,
    succeeded: counter,
    failed: counter,
    items: { type: [], required: true, default: [] },
    parameters: mixed,
    state: mixed,
    chunkCount: { type: Number, required: true },
    nextChunk: counter,
    result: mixed,
    error: mixed,
    startedAt: instant,
    finishedAt: instant,
  },
  [
    { fields: { workspaceId: 1, type: 1, _id: -1 } },
    // The reconciler finds stalled jobs in this index
    { fields: { status: 1, updatedAt: 1 } },
    { fields: { finishedAt: 1 }, expireAfterSeconds: KEPT_SECONDS, where: { finishedAt: IS_INSTANT } },
  ],
);
