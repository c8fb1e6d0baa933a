import type { JobStatus, JobType } from "../../../domain/job.ts";
import { formatCount } from "../format.ts";

export const JOB_TYPE: Record<JobType, string> = {
  LEAD_IMPORT: "Import of leads",
  MAILBOX_IMPORT: "Import of mailboxes",
  LEAD_CHANGE: "Change of leads",
  LEAD_SUPPRESSION: "Suppression of leads",
  LIST_MEMBERS: "Change of a list",
  SYSTEM_MAIL: "Service emails",
  VERIFICATION: "Verification of addresses",
  REVEAL: "Reveal of prospects",
  LIST_FILL: "Search results to a list",
  PROSPECT_LEADS: "Prospects to leads",
  CRM_IMPORT: "CRM import",
  WORKSPACE_EXPORT: "Export of the workspace",
  PERSON_ERASURE: "Erasure of a person",
};

export const JOB_STATUS: Record<JobStatus, string> = {
  QUEUED: "queued",
  RUNNING: "running",
  COMPLETED: "completed",
  COMPLETED_WITH_ERRORS: "completed with errors",
  FAILED: "failed",
  CANCELLED: "cancelled",
};

export const jobWords = {
  title: "Jobs",
  lead: "Imports, exports and bulk changes. Finished jobs are kept for 30 days.",
  empty: "No jobs yet. Imports, exports and bulk changes appear here.",
  what: "What",
  state: "State",
  progress: "Progress",
  begun: "Started",
  ended: "Completed",
  details: "Details",
  show: "Show",
  hide: "Hide",
  showOf: (what: string, begun: string) => `Show “${what}” of ${begun}`,
  hideOf: (what: string, begun: string) => `Hide “${what}” of ${begun}`,
  of: (processed: number, total: number) => `${formatCount(processed)} of ${formatCount(total)}`,
  failedRows: (failed: number) => `${formatCount(failed)} failed`,
  progressOf: (what: string) => `Progress of “${what}”`,
  cancel: "Cancel",
  cancelAct: "Cancel job",
  cancelEffect: (processed: number, total: number) =>
    `The job stops: ${formatCount(processed)} of ${formatCount(total)} rows are done and stay. You cannot continue it, but you can start a new job.`,
  saidCancelled: "Cancelled.",
  row: "Row",
  address: "Address",
  outcome: "Outcome",
  why: "Why",
  openImport: "Open this import",
  rows: "First rows",
  noRows: "This job has no details of single rows.",
  result: "Result",
  error: "Error",
  filterState: "State",
  filterType: "What",
  rowStatus: {
    CREATED: "created",
    UPDATED: "changed",
    SKIPPED_DUPLICATE: "duplicate",
    FAILED: "failed",
  } as Readonly<Record<string, string>>,
} as const;
