import type { Choices, GroupName, SettingPath } from "../../../pages/campaign-setup/setting-kinds.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

interface SettingWords {
  name: string;
  /** What the setting does, in a sentence. */
  text: string;
  /** The word for no value; without it "none". */
  unset?: string;
}

const NO_LIMIT = "no limit";

/** The name and the sentence of every setting, so a new setting does not compile without them. */
export const SETTING: Record<SettingPath, SettingWords> = {
  timezone: { name: "Time zone", text: "The zone of sending hours, dates and days." },
  useRecipientTimezone: {
    name: "Use each recipient's time zone",
    text: "Sending hours follow the recipient's own zone or location. The campaign's zone applies where neither is known.",
  },
  startAt: {
    name: "Start",
    text: "Nothing is sent before this time. A campaign launched earlier waits.",
    unset: "immediately",
  },
  endAt: {
    name: "End",
    text: "Nothing is sent after this time, follow-ups included. The sequence ends for recipients who have not completed it.",
    unset: "no end",
  },
  skipHolidays: {
    name: "Skip public holidays",
    text: "Nothing is sent on public holidays of the recipient's country.",
  },
  holidayCountry: {
    name: "Country for holidays",
    text: "Two letters, such as DE. It counts for recipients whose country is unknown.",
  },
  customHolidays: { name: "Other days without emails", text: "One date per line, such as 2027-12-24." },
  dailyLimit: { name: "Emails per day", text: "The most emails of this campaign in a day.", unset: NO_LIMIT },
  maxNewLeadsPerDay: {
    name: "New recipients per day",
    text: "The most people who get their first email in a day.",
    unset: NO_LIMIT,
  },
  prioritizeNewLeads: {
    name: "First emails go first",
    text: "First emails leave before follow-ups that are due. Otherwise follow-ups go first.",
  },
  rampEnabled: {
    name: "Ramp up",
    text: "The campaign starts with few emails a day and sends more after each day on which it sent.",
  },
  rampStart: { name: "Ramp-up: first day", text: "Emails on the first day of the ramp-up." },
  rampIncrement: { name: "Ramp-up: added each day", text: "Emails that each sending day adds." },
  companyDailyLimit: {
    name: "Emails per company and day",
    text: "The most emails in a day to one company, known by its email domain.",
    unset: NO_LIMIT,
  },
  companyLimitScope: { name: "Company limit counts", text: "Which emails the limit per company counts." },
  recipientDomainHourlyLimit: {
    name: "Emails per recipient domain and hour",
    text: "The most emails in an hour to one domain.",
    unset: NO_LIMIT,
  },
  senderDomainHourlyLimit: {
    name: "Emails per own domain and hour",
    text: "The most emails in an hour from one of your domains.",
    unset: NO_LIMIT,
  },
  mailboxTags: {
    name: "Mailboxes by tag",
    text: "Mailboxes with one of these tags also send. One tag per line.",
  },
  rotation: { name: "Rotation", text: "Which mailbox sends the next first email." },
  perMailboxDailyLimit: {
    name: "Emails per mailbox and day",
    text: "The most emails of this campaign in a day from one mailbox. 0: only the mailbox's own limit.",
  },
  minGapSeconds: {
    name: "Shortest gap",
    text: "Seconds between two emails of a mailbox, at least. Each gap is random between both limits.",
  },
  maxGapSeconds: { name: "Longest gap", text: "Seconds between two emails of a mailbox, at most." },
  providerMatching: {
    name: "Match the recipient's provider",
    text: "Whether a mailbox at the recipient's own email provider sends.",
  },
  mailboxFailover: {
    name: "If a mailbox fails",
    text: "What happens to recipients whose mailbox can no longer send.",
  },
  mailboxFailoverAfterHours: {
    name: "Hours until failover",
    text: "Another mailbox takes over when a mailbox could not send for this many hours.",
  },
  stopOnReply: { name: "Stop on a reply", text: "A reply ends the sequence for the recipient." },
  stopOnReplyScope: { name: "A reply stops", text: "Which campaigns a reply ends." },
  stopOnAutoReply: { name: "Stop on an automatic reply", text: "An automatic reply also ends the sequence." },
  stopOnOpen: { name: "Stop on an open", text: "An open ends the sequence. This needs open tracking." },
  stopOnClick: { name: "Stop on a click", text: "A click ends the sequence. This needs click tracking." },
  stopForCompany: {
    name: "Pause colleagues after a reply",
    text: "When one person replies, the others at the same company are paused.",
  },
  stopOnMeetingBooked: { name: "Stop on a meeting", text: "A booked meeting ends the sequence." },
  stopOnConversion: { name: "Stop on a conversion", text: "A conversion ends the sequence." },
  outOfOfficeMode: { name: "Out-of-office replies", text: "What an out-of-office reply does." },
  outOfOfficeFallbackDays: {
    name: "Out of office without a date",
    text: "Days to pause when the reply names no return date.",
  },
  textOnly: { name: "Plain text only", text: "Every email is sent without HTML." },
  firstEmailTextOnly: { name: "First email in plain text", text: "First emails are sent without HTML." },
  missingVariablePolicy: {
    name: "If a variable is missing",
    text: "What happens when a lead lacks a value that an email needs.",
  },
  variableFallbacks: {
    name: "Fallback values",
    text: "Used instead of missing values if you chose so above. One per line, such as firstName = there.",
  },
  ccList: { name: "Copy to (CC)", text: "These addresses get a visible copy of every email. One per line." },
  bccList: { name: "Hidden copy to (BCC)", text: "These addresses get a hidden copy of every email. One per line." },
  signatureMode: { name: "Signature", text: "Whether emails end with the signature of their mailbox." },
  trackOpens: { name: "Track opens", text: "Opens are counted. This needs a verified tracking domain." },
  trackClicks: { name: "Track clicks", text: "Clicks are counted. This needs a verified tracking domain." },
  conversionLinks: {
    name: "Mark links for conversions",
    text: "Links to your own domains are marked, so that conversions there are counted.",
  },
  conversionDomains: {
    name: "Domains for conversions",
    text: "Your domains whose links are marked, such as example.com. One per line.",
  },
  attributionWindowDays: {
    name: "Days for a conversion",
    text: "A conversion counts this many days after a click.",
  },
  holdOut: {
    name: "Hold out",
    text: "This share of people, up to 20 %, is never contacted, to measure the effect of the emails. It applies to people added later.",
  },
  unsubscribeHeader: {
    name: "One-click unsubscribe",
    text: "Mail programs show their own unsubscribe button beside the email.",
  },
  unsubscribeLink: { name: "Unsubscribe link", text: "Every email ends with an unsubscribe link." },
  unsubscribeText: { name: "Text of the link", text: "The text of the unsubscribe link.", unset: "the usual text" },
  allowRiskyRecipients: {
    name: "Send to risky addresses",
    text: "Addresses that verification found risky also get emails.",
  },
  skipDuplicatesInOtherCampaigns: {
    name: "Skip people in other campaigns",
    text: "People who are still in the sequence of another running campaign are skipped.",
  },
  "bounceGuard.enabled": { name: "Bounce guard", text: "Pauses the campaign when too many emails bounce." },
  "bounceGuard.rate": { name: "Bounce guard: share", text: "The share of bounced emails that pauses the campaign." },
  "bounceGuard.minSends": {
    name: "Bounce guard: emails before",
    text: "Emails that must be sent before the guard may pause the campaign.",
  },
  "bounceGuard.windowDays": { name: "Bounce guard: days", text: "Days that the guard looks back." },
  "complaintGuard.enabled": { name: "Complaint guard", text: "Pauses the campaign when too many people complain." },
  "complaintGuard.rate": {
    name: "Complaint guard: share",
    text: "The share of complaints that pauses the campaign.",
  },
  "complaintGuard.minSends": {
    name: "Complaint guard: emails before",
    text: "Emails that must be sent before the guard may pause the campaign.",
  },
  "complaintGuard.minComplaints": {
    name: "Complaint guard: complaints before",
    text: "Complaints before the guard may pause the campaign.",
  },
  replyRateFloor: {
    name: "Lowest reply rate",
    text: "The campaign pauses if fewer people reply, once 200 people were contacted.",
    unset: "off",
  },
  approvalMode: { name: "Approvals", text: "Which emails wait for a person's approval." },
  launchBlockers: {
    name: "Warnings that block a launch",
    text: "A launch waits until these warnings are gone.",
  },
  autoRefreshAudience: {
    name: "Add new members of lists",
    text: "New members of the attached lists join every 15 minutes. The campaign then never completes by itself.",
  },
};

/** The words for the values of each setting with a few values. */
const CHOICES: { [K in keyof Choices]: Record<Choices[K], string> } = {
  companyLimitScope: { WORKSPACE: "emails of the whole workspace", CAMPAIGN: "emails of this campaign" },
  rotation: {
    LEAST_RECENT: "the mailbox that has waited longest",
    ROUND_ROBIN: "each mailbox in turn",
    WEIGHTED: "in proportion to remaining emails",
  },
  providerMatching: { OFF: "any mailbox", PREFER: "a matching mailbox if there is one", STRICT: "only a matching one" },
  mailboxFailover: { WAIT: "they wait for the mailbox", REASSIGN: "another mailbox continues in a new thread" },
  stopOnReplyScope: { WORKSPACE: "every campaign of the workspace", CAMPAIGN: "only this campaign" },
  outOfOfficeMode: {
    PAUSE_AND_RESUME: "pause until the person is back",
    IGNORE: "nothing",
    STOP: "end the sequence",
  },
  missingVariablePolicy: {
    PAUSE: "pause the recipient",
    SKIP_STEP: "skip the step",
    FALLBACK: "use the fallback value",
  },
  signatureMode: { MAILBOX: "the mailbox's signature", NONE: "no signature" },
  approvalMode: { NONE: "none", FIRST_SEND: "the first email to each person", ALL: "every email" },
};

/** The heading of each group of settings. */
export const GROUP: Record<GroupName, string> = {
  zone: "Time zone",
  period: "Start and end",
  holidays: "Holidays",
  limits: "Limits",
  rotation: "Rotation",
  pace: "Pace of each mailbox",
  failover: "Mailbox failover",
  stops: "When a sequence stops",
  content: "Emails",
  unsubscribe: "Unsubscribing",
  tracking: "Tracking and results",
  audience: "Audience",
  safety: "Approvals and guards",
};

export const settingWords = {
  changed: "Changed",
  reset: "Reset",
  resetOf: (name: string) => `Reset ${name}`,
  usual: (value: string) => `Default: ${value}.`,
  saving: "Saving…",
  saved: "Saved",
  percent: "%",
  on: "on",
  off: "off",
  none: "none",
  wasReset: (name: string) => `${name} is back to its default.`,
  undo: "Undo",
  notUndone: (name: string) =>
    `${name} was not changed, because the campaign is launched. Change it on its tab, which shows the effect first.`,
  refusedUndo: (name: string) => `${name} was not changed, because the server refused it. Change it on its tab.`,
  planTitle: (name: string) => `Change ${name}?`,
  planAct: "Change setting",
  blocking: (count: number) => (count === 0 ? "No warning blocks" : counted(count, "warning blocks", "warnings block")),
  change: (before: string, after: string) => `From ${before} to ${after}.`,
  archived: "An archived campaign cannot be changed. Unarchive it first.",
  readOnly: "Your role lets you see these settings, but not change them.",
} as const;

/** The value of a setting in words, such as "on", "30" or "3 %". */
export function settingInWords(path: SettingPath, value: unknown): string {
  if (value === null || value === undefined) return SETTING[path].unset ?? settingWords.none;
  if (typeof value === "boolean") return value ? settingWords.on : settingWords.off;
  if (typeof value === "number") return isShare(path) ? formatShare(value) : formatCount(value);
  if (path === "launchBlockers" && Array.isArray(value)) return settingWords.blocking(value.length).toLowerCase();
  if (Array.isArray(value)) return value.length === 0 ? settingWords.none : value.join(", ");
  if (typeof value === "object") {
    const pairs = Object.entries(value).map(([name, text]) => `${name} = ${text}`);
    return pairs.length === 0 ? settingWords.none : pairs.join(", ");
  }
  return choicesOf(path).find((one) => one.value === value)?.text ?? String(value);
}

/** The values that a setting can have, with their words; empty for a setting with other values. */
export function choicesOf(path: string): { value: string; text: string }[] {
  const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = CHOICES;
  const table = Object.hasOwn(tables, path) ? (tables[path] ?? {}) : {};
  return Object.entries(table).map(([value, text]) => ({ value, text }));
}

function isShare(path: SettingPath): boolean {
  return path === "holdOut" || path === "replyRateFloor" || path.endsWith(".rate");
}
