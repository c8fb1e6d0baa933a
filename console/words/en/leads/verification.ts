import type { Cadence, VERIFICATION_RESULTS, VERIFICATION_SOURCES } from "../../../../domain/verification/results.ts";
import { counted, formatCount } from "../../format.ts";

const addresses = (count: number) => counted(count, "address", "addresses");

export const VERIFICATION_SOURCE: Record<(typeof VERIFICATION_SOURCES)[number], string> = {
  MANUAL: "Started by hand",
  IMPORT: "After an import",
  SCHEDULE: "By a schedule",
  REVEAL: "Revealed prospects",
};

/** What a result means for sending. */
export const RESULT_MEANING: Record<(typeof VERIFICATION_RESULTS)[number], string> = {
  VALID: "Valid: the mail server accepts this address and refuses others.",
  RISKY: "Risky: disposable, shared by a team, or full. Only campaigns that allow it send there.",
  CATCH_ALL: "Catch-all: the domain accepts any address. Settings decide how sending treats it.",
  INVALID: "Invalid: receives no email.",
  UNKNOWN: "Unknown: no certain result. Sending continues.",
};

export const CADENCE: Record<Cadence, string> = { DAILY: "every day", WEEKLY: "every week", MONTHLY: "every 30 days" };

/** The texts of the page that verifies addresses. */
export const verificationWords = {
  title: "Verification",
  lead: "Find out whether addresses exist before you send to them. No email is sent.",
  sections: "Parts of verification",
  parts: { jobs: "Checks", schedules: "Schedules", settings: "Settings" },
  used: (count: number) => `${addresses(count)} checked this month. Stored results that are reused do not count.`,

  start: "Verify addresses",
  startAct: "Start",
  what: "What to verify",
  ofList: "Everyone in a list",
  ofAddresses: "Addresses",
  list: "List",
  emails: "Addresses",
  emailsHint: "One per line, at most 10,000. Leads with these addresses get the result.",
  members: (name: string, count: number) => `${name} (${formatCount(count)})`,
  slow: "Mail servers are asked slowly, so this can take hours. You can leave this page.",
  noLists: "There are no lists yet. Type addresses instead.",
  saidStarted: "The verification has started.",

  empty: "No address has been verified yet. Verify a list before you send to it: fewer emails bounce.",
  begun: "Started",
  of: "What",
  chosen: "Chosen addresses",
  deletedList: "A deleted list",
  state: "State",
  results: "Results",
  none: "no results yet",
  count: {
    valid: "valid",
    risky: "risky",
    catchAll: "catch-all",
    invalid: "invalid",
    unknown: "unknown",
  },
  progress: "Progress of the verification",
  done: (processed: number, total: number) => `${formatCount(processed)} of ${formatCount(total)}`,
  cancel: "Cancel",
  cancelAct: "Cancel verification",
  cancelEffect: "Addresses that are not checked yet stay as they are. Results so far stay.",
  saidCancelled: "The verification is cancelled.",
  download: "Download results",
  meaning: "What the results mean",

  addSchedule: "New schedule",
  scheduleAct: "Save schedule",
  scheduleLead:
    "Verifies the members of a list again and again. A result that still counts, as in the settings, is not checked anew.",
  noSchedules: "No schedules yet. With one, the addresses of a list stay verified.",
  cadence: "How often",
  enabled: "State",
  runs: "runs",
  paused: "paused",
  pause: "Pause",
  resume: "Resume",
  lastRun: "Last run",
  nextRun: "Next run",
  never: "–",
  change: "Change",
  removeSchedule: "Delete",
  saidSchedule: "The schedule is saved.",
  saidRemoved: "The schedule is deleted.",
  saidRestored: "The schedule is back. Its next run starts soon.",
  undo: "Undo",

  autoVerify: "Verify new leads of imports",
  blockInvalid: "Send nothing to invalid addresses",
  reverify: "Days that a result counts",
  reverifyHint: "1 to 365. Mail servers are asked about an address at most once in 30 days.",
  catchAllAs: "Treat catch-all domains as",
  treatments: {
    VALID: "valid: send",
    RISKY: "risky: send only where the campaign allows it",
    INVALID: "invalid: do not send",
  },
  save: "Save",
  saidSaved: "The settings are saved.",
  readOnly: "Your role cannot change these settings.",
  settingsEffect: "Changes apply to emails that are not sent yet.",
} as const;
