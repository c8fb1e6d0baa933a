import type { PlacementSchedule } from "../../../../domain/alert-thresholds.ts";
import type { MailReceiver, PlacementFolder, PlacementStatus } from "../../../../domain/deliverability/placement.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

export const PLACEMENT_STATUS: Record<PlacementStatus, string> = {
  QUEUED: "queued",
  RUNNING: "running",
  COMPLETED: "completed",
  COMPLETED_WITH_ERRORS: "completed with errors",
  FAILED: "failed",
  CANCELLED: "cancelled",
};

export const PLACEMENT_FOLDER: Record<PlacementFolder, string> = {
  INBOX: "Inbox",
  SPAM: "Junk",
  OTHER: "another folder",
  MISSING: "not found within half an hour",
};

export const RECEIVER: Record<MailReceiver, string> = {
  PROVIDERA: "Google",
  PROVIDERB: "Microsoft",
  OTHER: "another provider",
};

export const PLACEMENT_SCHEDULE: Record<PlacementSchedule, string> = { DAILY: "every day", WEEKLY: "every week" };

const emails = (count: number) => counted(count, "email", "emails");

/** The texts of placement tests. */
export const placementWords = {
  lead: "A placement test sends emails from your mailboxes to test mailboxes, and looks where they land.",
  start: "New placement test",
  empty: "No placement test yet. It shows whether your emails land in the inbox or in Junk.",
  noTestMailboxes: "Choose the mailboxes that receive test emails first. Connect some at several providers.",
  testMailboxes: (addresses: readonly string[]) => `Test mailboxes: ${addresses.join(", ")}.`,
  schedule: (often: string) => `A test with all other mailboxes runs ${often}.`,
  noSchedule: "Tests do not run by themselves.",
  change: "Change test mailboxes",
  changeTitle: "Test mailboxes",
  changeHint: "These mailboxes receive the emails of placement tests. Choose at most 50.",
  often: "Run by itself",
  never: "never",
  save: "Save",
  saidSaved: "The test mailboxes are saved.",

  name: "Name",
  nameHint: "Leave it empty for the name of the campaign.",
  from: "Send from",
  noSenders: "No mailbox can send now.",
  text: "Text",
  neutral: "A short neutral text",
  count: (senders: number, tests: number) =>
    `${formatCount(senders)} × ${formatCount(tests)}: ${emails(senders * tests)} at most. A mailbox does not write to itself.`,
  next: "Continue",
  planTitle: "Start this placement test?",
  act: "Send test emails",
  planLead:
    "The emails count towards the daily limits of the mailboxes. They are searched for until half an hour after they were sent.",
  saidStarted: "The placement test has started.",

  test: "Test",
  state: "State",
  emails: "Emails",
  result: "Result",
  noResult: "no result yet",
  shares: (inbox: number, junk: number, missing: number) =>
    `${formatShare(inbox)} inbox, ${formatShare(junk)} Junk, ${formatShare(missing)} missing`,
  begun: "Started",
  scheduled: "by the schedule",
  details: "Details",
  show: "Show",
  hide: "Hide",
  showOf: (name: string) => `Show the emails of ${name}`,
  hideOf: (name: string) => `Hide the emails of ${name}`,
  to: "To",
  sender: "From",
  provider: "Provider",
  place: "Found in",
  searching: "searching…",
  unknownMailbox: "a removed mailbox",
  cancel: "Cancel",
  cancelAct: "Cancel test",
  cancelEffect: "No more emails of this test are sent, and sent ones are no longer searched for.",
  saidCancelled: "The placement test is cancelled.",
} as const;
