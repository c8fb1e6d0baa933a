import { counted, formatCount } from "../format.ts";

/** The texts of the first page of a workspace. */
export const homeWords = {
  title: "Home",
  subtitle: "What needs you, and what is sent today",

  late: "This took too long to load. Retrying…",

  needsYou: "Needs you",
  nothingNeedsYou: "Nothing needs you right now.",
  noSubject: "(no subject)",
  waiting: (count: number) => `${counted(count, "action waits", "actions wait")} for approval`,
  more: (count: number) => `${formatCount(count)} more unread`,

  today: "Today",
  sent: "Emails sent",
  ofLimit: (limit: number) => `of ${formatCount(limit)}`,
  sentOf: "Emails sent today, of the daily limits of your mailboxes",
  replies: "Replies",
  positive: "Positive replies",
  change: (now: number, before: number) =>
    now === before ? "as many as yesterday by now" : `${formatCount(before)} yesterday by now`,
  byHour: "Campaign emails sent by hour",
  noMailbox: "No mailbox is connected yet, so nothing is sent.",

  campaigns: "Your campaigns",
  noCampaigns: "No campaign is active. Launch one, or resume a paused one.",
  openCampaigns: "Open campaigns",
  progress: (contacted: number, replied: number) =>
    `${formatCount(contacted)} contacted, ${counted(replied, "reply", "replies")}`,
} as const;

export const checklistWords = {
  title: "Get to your first email",
  lead: (done: number, all: number) =>
    `${formatCount(done)} of ${formatCount(all)} steps done. Steps complete automatically.`,
  done: "done",
  open: "open",
  dismiss: "Dismiss checklist",
  show: "Show checklist",
  dismissed: "The checklist is hidden on this device.",
  undo: "Undo",
  steps: {
    POSTAL_ADDRESS: "Add the postal address for the footer of your emails, as the law requires",
    MAILBOX: "Connect a mailbox",
    DNS: "Set up the DNS records of its domain",
    LEADS: "Add leads",
    CAMPAIGN: "Create a campaign with a sequence, recipients and a mailbox",
    LAUNCH: "Launch the campaign",
  },
} as const;

/** The texts of the form for the postal address. */
export const postalWords = {
  open: "Add address",
  title: "Postal address in the footer",
  label: "Postal address",
  hint: "Name, street, town and country, as shown in the footer of each campaign email. Up to 500 characters.",
  act: "Save",
  said: "Saved. The address is in the footer of each email from now on.",
} as const;

/** The texts for a person who is in no workspace. */
export const firstWords = {
  noWorkspace: "You are not in a workspace yet",
  noWorkspaceText:
    "Ask someone to invite you by your email address. Operators can also create a workspace: npm run workspace:create.",
} as const;
