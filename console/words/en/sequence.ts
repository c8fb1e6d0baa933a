import type { Operator } from "../../../domain/leads/segment-fields.ts";
import type { Delay, Step, WinnerMetric } from "../../../domain/sequences/sequence.ts";
import { counted } from "../format.ts";

/**
 * The texts of the tab Sequence. Each table names every value of its enum, so a new value does not compile without its
 * words.
 */
export const STEP_TYPE: Record<Step["type"], string> = {
  EMAIL: "Email",
  WAIT: "Wait",
  CONDITION: "Condition",
  TASK: "Task",
  WEBHOOK: "Webhook",
  ADD_TAG: "Add tag",
  MOVE_TO_CAMPAIGN: "Move to campaign",
  APPROVAL: "Approval",
};

export const DELAY_UNIT: Record<Delay["unit"], (value: number) => string> = {
  MINUTES: (value) => counted(value, "minute", "minutes"),
  HOURS: (value) => counted(value, "hour", "hours"),
  DAYS: (value) => counted(value, "day", "days"),
  BUSINESS_DAYS: (value) => counted(value, "business day", "business days"),
};

export const sequenceWords = {
  steps: (count: number) => counted(count, "step", "steps"),
  none: "No steps yet",
  noneText:
    "A sequence holds the emails that each recipient gets, with the wait between them. This campaign has none so far.",
  write: "Write the first email",
  noneArchived: "This campaign was archived before its sequence had any steps.",
  step: (order: number, type: string) => `Step ${order}: ${type}`,
  atOnce: (since: string) => `Immediately after ${since}`,
  after: (delay: string, since: string) => `${delay} after ${since}`,
  since: { admission: "admission", email: "the email before", step: "the step before" },
  thread: { NEW_THREAD: "New thread", SAME_THREAD: "Same thread" },
  deeds: {
    WAIT: "Waits and sends nothing.",
    CONDITION: "Decides which step comes next.",
    TASK: "Adds a task to the lead's history.",
    WEBHOOK:
      "Posts the recipient's data to a webhook. Only its host is shown, because the rest of the address can be a secret.",
    ADD_TAG: "Adds tags to the lead.",
    MOVE_TO_CAMPAIGN: "Moves the recipient to another campaign. This sequence ends here for them.",
    APPROVAL: "Pauses the recipient until a person approves.",
  },
  facts: { title: "Task", note: "Note", assignee: "Assigned to", host: "Host", tags: "Tags" },
  otherCampaign: "Open the other campaign",
} as const;

export const variantWords = {
  name: (label: string) => `Variant ${label}`,
  share: (share: string) => `${share} of recipients`,
  disabled: "Disabled",
  winner: "Winner",
  more: (count: number) => counted(count, "more variant", "more variants"),
  subject: "Subject",
  noSubject: "No subject: the email continues the thread",
  text: "Text",
  noText: "No text",
  frame: (order: number, label: string, version?: number) =>
    `Text of step ${order}, variant ${label}${version === undefined ? "" : `, version ${version}`}`,
  quoted: "Quoted text",
  asText: "Plain text",
  source: "HTML source",
  images: "Images are not loaded here.",
  files: "Attachments",
  file: (name: string, size: string) => `${name} (${size})`,
} as const;

export const branchWords = {
  title: "What comes next",
  order: "The first line that applies decides.",
  line: (when: string, goesTo: string) => `${when}: ${goesTo}.`,
  step: (order: number) => `go to step ${order}`,
  end: "end the sequence",
  removed: "end the sequence, because the next step was removed",
  always: "Always",
  otherwise: "Otherwise",
  random: (share: string) => `For ${share} of recipients, drawn at random`,
  matches: (filter: string) => `If the lead's ${filter}`,
  everyLead: "For every lead",
  category: (category: string, when: string) => `If the newest reply is in the category “${category}” ${when}`,
  opened: (email: string, when: string) => `If the recipient opens ${email} ${when}`,
  clicked: (email: string, when: string) => `If the recipient clicks a link in ${email} ${when}`,
  replied: (email: string, when: string) => `If the recipient replies to ${email} ${when}`,
  notOpened: (email: string, when: string) => `If the recipient does not open ${email} ${when}`,
  notClicked: (email: string, when: string) => `If the recipient clicks no link in ${email} ${when}`,
  notReplied: (email: string, when: string) => `If the recipient does not reply to ${email} ${when}`,
  unknown: (kind: string) => `If the condition “${kind}” is met`,
  within: (days: number) => `within ${counted(days, "day", "days")}`,
  beforeNext: "before the next step",
  email: {
    own: "this email",
    last: "the last email",
    of: (order: number) => `the email of step ${order}`,
    removed: "the email of a removed step",
  },
} as const;

/** How a filter compares a field of a lead with a value. */
export const OPERATOR: Record<Operator, string> = {
  EQ: "is",
  NEQ: "is not",
  IN: "is one of",
  NOT_IN: "is none of",
  CONTAINS: "contains",
  NOT_CONTAINS: "does not contain",
  STARTS_WITH: "starts with",
  ENDS_WITH: "ends with",
  GT: "is more than",
  GTE: "is at least",
  LT: "is less than",
  LTE: "is at most",
  BETWEEN: "is between",
  BEFORE: "is before",
  AFTER: "is after",
  WITHIN_LAST_DAYS: "is within the last days:",
  CONTAINS_ANY: "has any of",
  CONTAINS_ALL: "has all of",
  IS_SET: "is filled in",
  IS_NOT_SET: "is empty",
};

export const filterWords = {
  and: " and ",
  or: " or ",
  value: (text: string) => `“${text}”`,
  more: (count: number) => `${count} more`,
} as const;

/** The texts of a step's figures. */
export const figureWords = {
  title: (order: number) => `Results of step ${order}`,
  none: "No emails of this step sent yet.",
  variant: "Variant",
  share: "Share",
  people: "Contacted",
  judged: "Eligible",
  hits: {
    REPLY_RATE: "Replies",
    POSITIVE_REPLY_RATE: "Positive replies",
    CLICK_RATE: "Clicks",
    CONVERSION_RATE: "Conversions",
    REVENUE: "Buyers",
  } satisfies Record<WinnerMetric, string>,
  rate: {
    REPLY_RATE: "Reply rate (95% range)",
    POSITIVE_REPLY_RATE: "Positive reply rate (95% range)",
    CLICK_RATE: "Click rate (95% range)",
    CONVERSION_RATE: "Conversion rate (95% range)",
    REVENUE: "Revenue per recipient (95% range)",
  } satisfies Record<WinnerMetric, string>,
  compared: (order: number, rate: string) => `Step ${order}: ${rate} by variant`,
  interval: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
  codes: {
    ONE_VARIANT: "There is only one variant, so there is nothing to compare.",
    NOT_MEASURED: "The campaign does not track what this compares.",
    NOT_ENOUGH_YET: "Not enough data yet.",
    UNDECIDED: "No variant is proven better yet.",
    PROVEN: "One variant is proven better.",
  },
  better: "Better",
} as const;
