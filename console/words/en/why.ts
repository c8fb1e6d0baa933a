import { counted } from "../format.ts";

/** What is said about one person, the days and the texts of a campaign. */
export const explainWords = {
  loading: "Asking why…",
  next: "Next",
  nothing: "Nothing more is sent.",
  earliest: "not before",
  because: "Because",
  timeline: "What happened",
  nothingYet: "Nothing was sent yet.",
  after: "After that",
  couldStop: "What could stop it",
  mail: (order: number) => `Mail ${order}`,
  removedStep: "A mail whose step was removed",
  from: (mailbox: string) => `from ${mailbox}`,
  attempts: (count: number) => counted(count, "attempt", "attempts"),
  said: (words: string) => `The server said: ${words}`,
  variant: (label: string) => `variant ${label}`,
  events: {
    CAMPAIGN_STARTED: "the campaign starts",
    ADMITTED: "gets its slot",
    RESUMED: "the pause ends by itself",
    REASSIGNED: "another mailbox takes over",
    MAIL: "a mail",
    STEP: "a step that is no mail",
    STEP_SKIPPED: "a step is skipped",
    PAUSED: "pauses",
    LOST: "is given up",
    ENDED: "ends",
  },
} as const;

export const courseWords = {
  funnel: "How far people came",
  title: "By day",
  week: "When replies come",
  replies: (count: number) => counted(count, "reply", "replies"),
  none: "Nothing was sent yet, so there is nothing to show.",
  day: "Day",
  sent: "Mails sent",
  replied: "Replied",
  positive: "Good replies",
  bounced: "Came back",
  zone: (zone: string) => `Days of ${zone}.`,
  hours: (zone: string) => `Hours of ${zone}.`,
} as const;

export const textWords = {
  title: "Texts beside each other",
  none: "No mail step has gone out yet.",
  step: (order: number) => `Mail ${order}`,
  removed: "A step that was removed",
  variant: "Text",
  share: "Share",
  people: "People",
  judged: "Old enough",
  hits: "Hits",
  rate: "Rate, and where it may lie",
  compared: (order: number) => `Mail ${order}: the rate of each text, and where it may lie`,
  interval: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
  codes: {
    ONE_VARIANT: "There is one text alone, so nothing to compare.",
    NOT_MEASURED: "The campaign cannot see what this counts.",
    NOT_ENOUGH_YET: "Too little to say anything yet.",
    UNDECIDED: "Nothing here is better beyond doubt.",
    PROVEN: "One text is better beyond doubt.",
  },
  better: "better",
  chosen: "chosen",
} as const;

/** How an attempt to hand a mail over failed, and at what. */
export const smtpWords = {
  cause: {
    REFUSED: "the server refused",
    TIMEOUT: "no answer in time to",
    RESET: "the connection broke at",
    CLOSED: "the server hung up at",
    RESOLVE: "the server's name leads nowhere, for",
    UNREACHABLE: "there is no way to the server, for",
    TLS: "no encryption that holds, for",
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
