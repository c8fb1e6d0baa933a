import { counted, formatCount } from "../../format.ts";

/** The texts for creating, renaming, duplicating, archiving and exporting a campaign. */
export const newCampaignWords = {
  open: "New campaign",
  title: "New campaign",
  name: "Name",
  nameHint: "Only your team sees it.",
  from: "Start from",
  fromHint: "A copy has the settings and the sequence of the other campaign, and no recipients.",
  newest: (count: number) =>
    `The ${formatCount(count)} newest campaigns are listed. To copy an older one, use Duplicate in the list of campaigns.`,
  blank: "A blank campaign",
  copyOf: (name: string) => `A copy of ${name}`,
  act: "Create campaign",
  said: (name: string) => `${name} is created as a draft. Nothing is sent before you launch it.`,
} as const;

export const deedWords = {
  more: "More",
  name: "Name",
  names: {
    rename: "Rename…",
    duplicate: "Duplicate…",
    export: "Export recipients…",
    archive: "Archive…",
    unarchive: "Unarchive…",
  },
  undo: "Undo",

  renameTitle: (name: string) => `Rename ${name}`,
  renameAct: "Rename campaign",
  renamed: (name: string) => `The campaign is now called ${name}.`,

  duplicateTitle: (name: string) => `Duplicate ${name}`,
  duplicateEffect:
    "The copy is a draft with the same settings and sequence. It has no recipients and sends nothing before you launch it.",
  duplicateAct: "Duplicate campaign",
  copyName: (name: string) => `${name} (copy)`,
  duplicated: (name: string) => `${name} is created as a draft.`,

  exportTitle: (name: string) => `Export the recipients of ${name}?`,
  exportEffect: (count: number) =>
    `You get a CSV file with ${counted(count, "recipient", "recipients")}: addresses, statuses, emails sent and replies. The audit log records the export.`,
  exportAct: "Export CSV",
  exported: (rows: number) => `Exported ${counted(rows, "recipient", "recipients")}.`,

  archiveTitle: (name: string) => `Archive ${name}?`,
  archiveEffect:
    "It stops sending, leaves the list and cannot be changed. Its recipients stay as they are. You can unarchive it later.",
  archiveDraftEffect:
    "It leaves the list and cannot be changed. Its recipients stay as they are. You can unarchive it later; it is then paused.",
  archiveAct: "Archive campaign",
  archived: (name: string) => `${name} is archived.`,
  unarchiveTitle: (name: string) => `Unarchive ${name}?`,
  unarchiveEffect: "It becomes paused. Nothing is sent before someone resumes it.",
  unarchiveAct: "Unarchive campaign",
  unarchive: "Unarchive",
  unarchived: (name: string) => `${name} is unarchived and paused.`,
} as const;

/** The texts around the effect of a change on a launched campaign. */
export const plannedWords = {
  stale: "Something changed since this was shown. Check the new effect, then decide.",
} as const;

interface Added {
  added: number;
  alreadyPresent: number;
  leadsCreated: number;
  skippedCount: number;
}

/** The texts for adding recipients to a campaign. */
export const addWords = {
  open: "Add recipients",
  title: (name: string) => `Add recipients to ${name}`,
  planTitle: (name: string) => `Add these recipients to ${name}?`,
  ways: "Where the recipients come from",
  way: { paste: "Paste addresses", list: "From a list", search: "Search leads" },
  effect: "Nothing is sent before you launch the campaign. Addresses that are new become leads.",
  effectRunning:
    "This campaign is running, so new recipients get its emails. The next step shows who gets them and when.",
  fromFile: "Do you have a CSV or Excel file?",
  importFile: "Import it into a list",
  act: "Add recipients",
  look: "Show the effect",
  addresses: "Addresses",
  addressesHint: "One per line or separated by commas. Ada Lovelace <ada@example.com> also works.",
  read: (count: number) => (count === 0 ? "" : `${counted(count, "address", "addresses")}.`),
  tooMany: (count: number, most: number) =>
    `${formatCount(count)} addresses are too many at once. Paste at most ${formatCount(most)}, or import them as leads.`,
  list: "List",
  listHint: "Members who may not be contacted are skipped.",
  listOf: (name: string, members: number) => `${name} (${counted(members, "lead", "leads")})`,
  noLists: "No lists yet. A list is a group of leads, filled by hand, by an import or by a filter.",
  search: "Search by address, name or company",
  lead: (email: string, name: string | null) => (name === null || name === "" ? email : `${name}, ${email}`),
  noneChosen: "No lead chosen yet.",
  leaveOut: (email: string) => `Leave out ${email}`,
  said: ({ added, alreadyPresent, leadsCreated, skippedCount }: Added) =>
    [
      `${counted(added, "recipient", "recipients")} added`,
      ...(leadsCreated > 0 ? [counted(leadsCreated, "new lead", "new leads")] : []),
      ...(alreadyPresent > 0 ? [`${formatCount(alreadyPresent)} already in the campaign`] : []),
      ...(skippedCount > 0 ? [`${formatCount(skippedCount)} refused`] : []),
    ]
      .join(", ")
      .concat("."),
  resultTitle: "Some addresses were refused",
  refused: {
    INVALID: { head: "Not a valid address", text: "Correct these and add them again." },
    SUPPRESSED: {
      head: "Do not contact",
      text: "They unsubscribed, bounced, complained or were suppressed by hand.",
    },
    BLOCK_LISTED: { head: "Blocked", text: "Their address or domain is on your" },
    IN_OTHER_CAMPAIGN: {
      head: "In another campaign",
      text: "They are still in the sequence of another running campaign. To add them anyway, turn off “Skip people in other campaigns”.",
    },
  },
  moreRefused: (count: number) => `${formatCount(count)} more`,
  firstRefused: (count: number) => `The first ${formatCount(count)} are shown.`,
  done: "Done",
} as const;

/** The texts for removing recipients from a campaign. */
export const removeWords = {
  some: "Remove…",
  all: (count: number) => `Remove all ${formatCount(count)} that match…`,
  tooManyMatch: (count: number, most: number) =>
    `${formatCount(count)} recipients match. Filter the list to at most ${formatCount(most)} to remove all that match.`,
  title: (name: string) => `Remove recipients from ${name}?`,
  effect: (open: number) =>
    `${counted(open, "recipient gets", "recipients get")} no more emails of this campaign. Their leads stay.`,
  scheduled: (count: number) =>
    count === 1
      ? "1 scheduled email is cancelled, due"
      : `${formatCount(count)} scheduled emails are cancelled, the first one due`,
  never: (count: number) =>
    `${counted(count, "recipient was never emailed and leaves", "recipients were never emailed and leave")} the list.`,
  emailed: (count: number) =>
    `${counted(count, "recipient was emailed before and stays", "recipients were emailed before and stay")} in the list as skipped.`,
  ended: (count: number) =>
    `${counted(count, "recipient has ended already and stays", "recipients have ended already and stay")} unchanged.`,
  none: "None of these recipients is waiting for an email, so there is nothing to remove.",
  act: "Remove recipients",
  progress: (done: number, all: number) => `${formatCount(done)} of ${formatCount(all)} removed`,
  said: (removed: number) => `${counted(removed, "recipient", "recipients")} removed.`,
  stopped: (removed: number, all: number) =>
    `Stopped: ${formatCount(removed)} of ${counted(all, "recipient", "recipients")} removed.`,
  undo: "Undo",
} as const;

/** The texts of the tab Analytics. */
export const analyticsWords = {
  title: "Results",
  by: "Group by",
  groups: { STEP: "Step", VARIANT: "Variant", MAILBOX: "Mailbox" },
  variant: (order: number, label: string) => `Step ${order}, variant ${label}`,
  unknown: "Not known",
  none: "No emails sent yet. Results appear after the first email.",
  sent: "Emails sent",
  contacted: "Contacted",
  opened: "Opened",
  clicked: "Clicked",
  replied: "Replied",
  rate: "Reply rate",
  bounced: "Bounced",
} as const;
