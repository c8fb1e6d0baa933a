/** What long work, its workflow and its activities agree on. Imports nothing: it is part of the workflow bundle. */

export const JOB_TYPES = ["LEAD_IMPORT", "MAILBOX_IMPORT"] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "COMPLETED_WITH_ERRORS", "FAILED", "CANCELLED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface JobIds {
  v: 1;
  workspaceId: string;
  jobId: string;
}

/** Rows. */
export interface JobProgress {
  total: number;
  processed: number;
  succeeded: number;
  failed: number;
}

/** Where a job stands after some of its work. */
export interface JobSlice {
  status: JobStatus;
  progress: JobProgress;
}

/** It can still change. */
export function isUnderWay(status: JobStatus): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

/** One slice of work: it ends by itself long before, and a killed worker is missed within the heartbeat's time. */
export const JOB_WORK = {
  startToCloseTimeout: "10m",
  heartbeatTimeout: "20s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m", maximumAttempts: 60 },
} as const;
