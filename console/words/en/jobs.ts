import type { JobStatus, JobType } from "../../../domain/job.ts";
import { formatCount } from "../format.ts";

export const JOB_TYPE: Record<JobType, string> = {
  LEAD_IMPORT: "Leads are imported",
  MAILBOX_IMPORT: "Mailboxes are imported",
  LEAD_CHANGE: "Leads are changed",
  LEAD_SUPPRESSION: "Leads are suppressed",
  LIST_MEMBERS: "A list is filled or emptied",
  SYSTEM_MAIL: "Mails of the service are sent",
  VERIFICATION: "Addresses are verified",
  REVEAL: "People are revealed",
  LIST_FILL: "A list of people is filled",
  PROSPECT_LEADS: "Found people become leads",
  CRM_IMPORT: "Leads come from the CRM",
  WORKSPACE_EXPORT: "The workspace is exported",
};

export const JOB_STATUS: Record<JobStatus, string> = {
  QUEUED: "waits",
  RUNNING: "under way",
  COMPLETED: "done",
  COMPLETED_WITH_ERRORS: "done, some rows failed",
  FAILED: "failed",
  CANCELLED: "cancelled",
};

export const jobWords = {
  title: "Jobs",
  lead: "Work over many rows that goes on by itself. What is done is kept here for 30 days.",
  empty: "No job was begun yet. An import of leads makes one, and so does a change of many at once.",
  what: "What",
  state: "State",
  progress: "Progress",
  begun: "Begun",
  ended: "Ended",
  details: "Details",
  show: "Show",
  hide: "Hide",
  showOf: (what: string, begun: string) => `Show “${what}” of ${begun}`,
  hideOf: (what: string, begun: string) => `Hide “${what}” of ${begun}`,
  of: (processed: number, total: number) => `${formatCount(processed)} of ${formatCount(total)}`,
  failedRows: (failed: number) => `${formatCount(failed)} failed`,
  progressOf: (what: string) => `Progress of “${what}”`,
  cancel: "Cancel",
  cancelAct: "Cancel it",
  cancelEffect: (processed: number, total: number) =>
    `It stops here: ${formatCount(processed)} of ${formatCount(total)} rows are done and stay so, nothing more is done. It cannot be taken up again; the same work can be begun anew.`,
  saidCancelled: "Cancelled.",
  row: "Row",
  address: "Address",
  outcome: "Outcome",
  why: "Why",
  rows: "Its first rows",
  noRows: "Nothing is told of single rows.",
  result: "Result",
  error: "What ended it",
  filterState: "State",
  filterType: "What",
  rowStatus: {
    CREATED: "made",
    UPDATED: "changed",
    SKIPPED_DUPLICATE: "known already",
    FAILED: "failed",
  } as Readonly<Record<string, string>>,
} as const;
