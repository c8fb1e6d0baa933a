import { counted, formatCount, formatShare } from "../format.ts";

/** The texts of the page of one campaign. */
export const campaignWords = {
  recipients: "Recipients",
  sequence: "Sequence",
  schedule: "Schedule",
  senders: "Senders",
  settings: "Settings",
  activity: "Activity",
  analytics: "Analytics",
  sections: "Parts of this campaign",
  held: "Sending status",
  since: "active since",
  nextMail: "Next email",
  lastMail: "Last email",
  figures: {
    recipients: "Recipients",
    contacted: "Contacted",
    sent: "Emails sent",
    opened: "Opened",
    clicked: "Clicked",
    replied: "Replied",
    positiveReplies: "Positive replies",
    bounced: "Bounced",
    unsubscribed: "Unsubscribed",
  },
  versus: (count: number, of: number) => (of === 0 ? "" : formatShare(count / of)),
  launch: "Launch…",
  pause: "Pause…",
  resume: "Resume…",
  complete: "Complete…",
  testMail: "Test email…",
  more: "More",
  pauseTitle: (name: string) => `Pause ${name}?`,
  pauseEffect: (open: number) =>
    `No new emails of this campaign are sent. ${counted(open, "open recipient stays", "open recipients stay")} where they are, and you can resume later.`,
  pauseAct: "Pause campaign",
  completeTitle: (name: string) => `Complete ${name}?`,
  completeEffect: (open: number) =>
    `${counted(open, "open recipient gets", "open recipients get")} no more emails of this campaign. You cannot undo this for them. You can add further recipients and launch again.`,
  completeAct: "Complete campaign",
  said: {
    pause: "Paused. No new emails of this campaign leave.",
    complete: "Completed.",
    launch: "Launched.",
    resume: "Resumed.",
  },
} as const;

export const testMailWords = {
  title: (name: string) => `Send a test email of ${name}?`,
  effect:
    "One email goes to the address below, from a mailbox of the campaign, marked [TEST]. Variables are filled with examples. No recipient gets it, and it is not counted.",
  step: "Email",
  mail: (order: number, subject: string) =>
    subject === "" ? `${order}: in the same thread` : `${order}: ${subject.slice(0, 80)}`,
  to: "To",
  act: "Send test email",
  said: (to: string) => `The test email was sent to ${to}.`,
} as const;

export const launchWords = {
  title: (name: string) => `Launch ${name}?`,
  resumeTitle: (name: string) => `Resume ${name}?`,
  working: "Calculating…",
  people: (people: number) => `${counted(people, "recipient", "recipients")} will be contacted`,
  heldOut: (count: number) =>
    `${counted(count, "recipient is", "recipients are")} held out for comparison and never contacted.`,
  from: (mails: number, mailboxes: number) =>
    `At most ${counted(mails, "email", "emails")}, from ${counted(mailboxes, "mailbox", "mailboxes")}`,
  daily: (mails: number) => `at most ${formatCount(mails)} on the first day`,
  first: "First email",
  last: "Last email",
  unknown: "not known",
  who: "First recipients",
  mails: "Emails",
  as: (address: string) => `As ${address} gets it`,
  subject: "Subject",
  noSubject: "in the same thread",
  forbids: "Fix this first:",
  warns: (count: number) => counted(count, "warning", "warnings"),
  act: (people: number) => `Send to ${counted(people, "recipient", "recipients")}`,
  stale: "Something changed since this was shown. Check the new version, then decide.",
  notLaunched: "The campaign was not launched, because it is no longer valid.",
  waiting: "The campaign is launched, but no emails are sent yet:",
  nobody: "There are no open recipients to contact.",
} as const;

export const recipientWords = {
  label: "Recipients of this campaign",
  empty: "No recipients yet. Recipients are the leads that this campaign contacts.",
  address: "Address",
  mails: "Emails",
  next: "Next",
  why: "View status",
  hide: "Hide",
  pause: "Pause",
  resume: "Resume",
  pauseEffect: (email: string) => `${email} gets no email of this campaign until someone resumes it.`,
  resumeEffect: (email: string) =>
    `${email} continues with the next step. Overdue emails get the next available send slot.`,
  saidPaused: (email: string) => `${email} is paused.`,
  saidResumed: (email: string) => `${email} is resumed.`,
  refused: (email: string, why: string) => `${email} stays as it is: ${why}.`,
  lacks: (names: string) => `lacks ${names}`,
  filter: "Recipients by status",
} as const;

/** The texts of the list of campaigns. */
export const campaignsWords = {
  title: "Campaigns",
  empty: "No campaigns yet. A campaign sends a sequence of emails from your mailboxes to your leads.",
  name: "Name",
  why: "Sending status",
  funnel: "Recipients › contacted › replied › positive",
  people: "recipients",
  mailed: "contacted",
  replied: "replied",
  good: "positive replies",
  rate: "Reply rate",
  next: "Next email",
} as const;
