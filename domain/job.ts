/**
 * Names, types and limits that a long job, its workflow and its activities share. This file imports nothing, because it
 * is part of the workflow bundle.
 */

export const JOB_TYPES = [
  ...([
    "LEAD_IMPORT",
    "MAILBOX_IMPORT",
    "LEAD_CHANGE",
    "LEAD_SUPPRESSION",
    "LIST_MEMBERS",
    "SYSTEM_MAIL",
    "VERIFICATION",
  ] as const),
  ...(["CRM_IMPORT", "REVEAL", "LIST_FILL", "PROSPECT_LEADS", "WORKSPACE_EXPORT", "PERSON_ERASURE"] as const),
] as const;
export type JobType = (typeof JOB_TYPES)[number];

export const JOB_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "COMPLETED_WITH_ERRORS", "FAILED", "CANCELLED"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface JobIds {
  v: 1;
  workspaceId: string;
  jobId: string;
}

/** Counted in rows. */
export interface JobProgress {
  total: number;
  processed: number;
  succeeded: number;
  failed: number;
}

/** The state of a job after one slice of its work. */
export interface JobSlice {
  status: JobStatus;
  progress: JobProgress;
  /** Milliseconds until there is more work; absent if there is more work now. */
  resumeAfterMs?: number;
}

/** Whether a job is waiting or running, so that it can still change. */
export function isUnderWay(status: JobStatus): boolean {
  return status === "QUEUED" || status === "RUNNING";
}

/**
 * The limits of one slice of work. A slice ends by itself long before its timeout, and a worker that was killed is
 * noticed within the heartbeat timeout.
 */
export const JOB_WORK = {
  startToCloseTimeout: "10m",
  heartbeatTimeout: "20s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m", maximumAttempts: 60 },
} as const;
