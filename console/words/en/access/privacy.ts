import type { Out } from "../../../api/call.ts";
import { counted, formatCount } from "../../format.ts";

type Kind = keyof Out<"post /workspace/retention/preview">;

/** The texts of the page about the data of one person. */
export const personWords = {
  title: "Personal data",
  lead: "Answer a person who asks for their data, or for its erasure. Addresses from which the person has replied are found too.",
  email: "Email address of the person",
  emailHint: "Also an address that a lead had before.",
  what: "What to do",
  does: { EXPORT: "Export everything about the person", ERASE: "Erase the person" },
  act: { EXPORT: "Export", ERASE: "Show the plan" },
  mayNot: "export or erase people",
  exported: (addresses: string) => `The file contains everything about ${addresses}.`,
  shared: (addresses: string) =>
    `Several leads or prospects have ${addresses}, so this address was not followed. Ask for it separately if it belongs to the person.`,
  eraseTitle: (email: string) => `Erase ${email}?`,
  eraseAct: "Erase person",
  eraseEffect:
    "The addresses are suppressed immediately, so no email to the person begins any more. You cannot undo this.",
  erases: "What is erased",
  nothing: "Nothing is known about the person. The address is suppressed.",
  kept: "What is kept, and why",
  erasing: "The erasure has started. Its result is in the list of jobs.",
  jobs: "Open jobs",
  change: (what: string, { deleted, changed }: { deleted: number; changed: number }) =>
    [
      ...(deleted > 0 ? [`${what}: ${formatCount(deleted)} deleted`] : []),
      ...(changed > 0 ? [`${what}: ${formatCount(changed)} changed`] : []),
    ].join(", "),
} as const;

/** The texts of the page about retention. */
export const retentionWords = {
  title: "Retention",
  lead: "For how many days the workspace keeps old data. Leave a field empty to keep it without a limit.",
  kinds: {
    messageBodies: "Bodies and files of emails",
    hitAddresses: "Networks of opens and clicks",
    jobs: "Finished jobs",
    events: "Events of leads and of finished campaigns",
    recipients: "Addresses and texts of recipients in finished campaigns",
    prospects: "Listed and revealed prospects",
    auditEntries: "Entries of the audit log",
  } satisfies Record<Kind, string>,
  days: (least: number, most: number) => `${formatCount(least)} to ${formatCount(most)} days.`,
  jobsHint: "1 to 30 days. Empty: 30 days.",
  forever: "no limit",
  act: "Preview",
  confirm: "Save the retention?",
  confirmAct: "Save retention",
  effect:
    "The first round with these days starts in an hour, and then one each day. What it deletes cannot be restored.",
  noEffect: "Nothing in the workspace is old enough to be deleted now.",
  wouldDelete: "A round would delete or empty this now:",
  count: (kind: string, count: number, most: number) =>
    `${kind}: ${formatCount(count)}${count >= most ? " or more" : ""}`,
  saved: "The retention is saved.",
  readOnly: "Your role can see the retention, but not change it.",
  next: "Next round",
  last: "Last round",
  noRound: "No round has run yet.",
  deleted: (count: number) => `${counted(count, "record", "records")} deleted or emptied`,
  running: "still running",
} as const;
