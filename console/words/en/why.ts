import { counted } from "../format.ts";

/** The texts that explain one recipient's status, and those about the days of a campaign. */
export const explainWords = {
  loading: "Loading…",
  next: "Next",
  nothing: "No more emails.",
  earliest: "not before",
  because: "Because",
  timeline: "What happened",
  nothingYet: "No emails sent yet.",
  after: "After that",
  couldStop: "What could stop it",
  mail: (order: number) => `Email ${order}`,
  removedStep: "An email of a removed step",
  from: (mailbox: string) => `from ${mailbox}`,
  attempts: (count: number) => counted(count, "attempt", "attempts"),
  said: (words: string) => `The server said: ${words}`,
  variant: (label: string) => `variant ${label}`,
  events: {
    CAMPAIGN_STARTED: "the campaign starts",
    ADMITTED: "gets a send slot",
    RESUMED: "the pause ends automatically",
    REASSIGNED: "another mailbox takes over",
    MAIL: "email",
    STEP: "step",
    STEP_SKIPPED: "a step is skipped",
    PAUSED: "pauses",
    LOST: "released",
    ENDED: "ends",
  },
} as const;

export const activityWords = {
  funnel: "Funnel",
  title: "By day",
  week: "Replies by hour",
  replies: (count: number) => counted(count, "reply", "replies"),
  none: "No emails sent yet. Figures appear after the first email.",
  day: "Day",
  sent: "Emails sent",
  replied: "Replied",
  positive: "Positive replies",
  bounced: "Bounced",
  zone: (zone: string) => `Days of ${zone}.`,
  hours: (zone: string) => `Hours of ${zone}.`,
} as const;

/** How an SMTP attempt failed, and at which command. */
export const smtpWords = {
  cause: {
    REFUSED: "the server refused",
    TIMEOUT: "no answer in time to",
    RESET: "the connection broke at",
    CLOSED: "the server hung up at",
    RESOLVE: "the server's host name was not found for",
    UNREACHABLE: "the server is unreachable for",
    TLS: "the encrypted connection failed for",
    OTHER: "something else went wrong at",
  },
  stage: {
    CONNECT: "the connection",
    TLS: "the encryption",
    GREETING: "the greeting",
    EHLO: "the greeting",
    AUTH: "the sign-in",
    MAIL: "the sender",
    RCPT: "the recipient",
    DATA: "the mail",
  },
} as const;
