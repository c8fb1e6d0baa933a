import { defaultSettings } from "../../../domain/campaigns/default-settings.ts";
import type { Settings } from "../../../domain/campaigns/settings.ts";

type Guard = "bounceGuard" | "complaintGuard";
type InGuards = { [G in Guard]: `${G}.${keyof Settings[G] & string}` }[Guard];
/**
 * A setting that has one field: its name, or that of a guard with the part of it. Sending hours and mailboxes have parts
 * of their own on the page.
 */
export type SettingPath = Exclude<keyof Settings, Guard | "windows" | "mailboxIds"> | InGuards;

/** The settings whose value is one of a few. */
export interface Choices {
  companyLimitScope: Settings["companyLimitScope"];
  rotation: Settings["rotation"];
  providerMatching: Settings["providerMatching"];
  mailboxFailover: Settings["mailboxFailover"];
  stopOnReplyScope: Settings["stopOnReplyScope"];
  outOfOfficeMode: Settings["outOfOfficeMode"];
  missingVariablePolicy: Settings["missingVariablePolicy"];
  signatureMode: Settings["signatureMode"];
  approvalMode: Settings["approvalMode"];
}

/** How a setting is edited. */
type Kind =
  | { kind: "switch" | "share" | "zone" | "moment" | "text" | "list" | "pairs" | "choice" | "warnings" }
  | { kind: "number"; min: number; max?: number };

const SWITCH = { kind: "switch" } as const;
const SHARE = { kind: "share" } as const;
const LIST = { kind: "list" } as const;
const CHOICE = { kind: "choice" } as const;
const MOMENT = { kind: "moment" } as const;
const AT_LEAST_ONE = { kind: "number", min: 1 } as const;
const SECONDS = { kind: "number", min: 0, max: 86_400 } as const;

/** A new setting does not compile without a line here, without words, and a test fails if no group has it. */
export const KINDS: Record<SettingPath, Kind> = {
  timezone: { kind: "zone" },
  useRecipientTimezone: SWITCH,
  startAt: MOMENT,
  endAt: MOMENT,
  skipHolidays: SWITCH,
  holidayCountry: { kind: "text" },
  customHolidays: LIST,
  dailyLimit: AT_LEAST_ONE,
  maxNewLeadsPerDay: AT_LEAST_ONE,
  prioritizeNewLeads: SWITCH,
  rampEnabled: SWITCH,
  rampStart: AT_LEAST_ONE,
  rampIncrement: AT_LEAST_ONE,
  companyDailyLimit: AT_LEAST_ONE,
  companyLimitScope: CHOICE,
  recipientDomainHourlyLimit: AT_LEAST_ONE,
  senderDomainHourlyLimit: AT_LEAST_ONE,
  mailboxTags: LIST,
  rotation: CHOICE,
  perMailboxDailyLimit: { kind: "number", min: 0 },
  minGapSeconds: SECONDS,
  maxGapSeconds: SECONDS,
  providerMatching: CHOICE,
  mailboxFailover: CHOICE,
  mailboxFailoverAfterHours: AT_LEAST_ONE,
  stopOnReply: SWITCH,
  stopOnReplyScope: CHOICE,
  stopOnAutoReply: SWITCH,
  stopOnOpen: SWITCH,
  stopOnClick: SWITCH,
  stopForCompany: SWITCH,
  stopOnMeetingBooked: SWITCH,
  stopOnConversion: SWITCH,
  outOfOfficeMode: CHOICE,
  outOfOfficeFallbackDays: { kind: "number", min: 1, max: 180 },
  textOnly: SWITCH,
  firstEmailTextOnly: SWITCH,
  missingVariablePolicy: CHOICE,
  variableFallbacks: { kind: "pairs" },
  ccList: LIST,
  bccList: LIST,
  signatureMode: CHOICE,
  trackOpens: SWITCH,
  trackClicks: SWITCH,
  conversionLinks: SWITCH,
  conversionDomains: LIST,
  attributionWindowDays: { kind: "number", min: 1, max: 365 },
  holdOut: SHARE,
  unsubscribeHeader: SWITCH,
  unsubscribeLink: SWITCH,
  unsubscribeText: { kind: "text" },
  allowRiskyRecipients: SWITCH,
  skipDuplicatesInOtherCampaigns: SWITCH,
  "bounceGuard.enabled": SWITCH,
  "bounceGuard.rate": SHARE,
  "bounceGuard.minSends": AT_LEAST_ONE,
  "bounceGuard.windowDays": { kind: "number", min: 1, max: 90 },
  "complaintGuard.enabled": SWITCH,
  "complaintGuard.rate": SHARE,
  "complaintGuard.minSends": AT_LEAST_ONE,
  "complaintGuard.minComplaints": AT_LEAST_ONE,
  replyRateFloor: SHARE,
  approvalMode: CHOICE,
  launchBlockers: { kind: "warnings" },
  autoRefreshAudience: SWITCH,
};

type Groups = Readonly<Record<string, readonly SettingPath[]>>;

/** The groups of each tab, in the order of the page. Their headings are in `words/`. */
export const SCHEDULE_GROUPS = {
  zone: ["timezone", "useRecipientTimezone"],
  period: ["startAt", "endAt"],
  limits: [
    "dailyLimit",
    "maxNewLeadsPerDay",
    "prioritizeNewLeads",
    "rampEnabled",
    "rampStart",
    "rampIncrement",
    "companyDailyLimit",
    "companyLimitScope",
    "recipientDomainHourlyLimit",
    "senderDomainHourlyLimit",
  ],
  holidays: ["skipHolidays", "holidayCountry", "customHolidays"],
} as const satisfies Groups;

export const SENDER_GROUPS = {
  rotation: ["mailboxTags", "rotation", "providerMatching"],
  pace: ["perMailboxDailyLimit", "minGapSeconds", "maxGapSeconds"],
  failover: ["mailboxFailover", "mailboxFailoverAfterHours"],
} as const satisfies Groups;

export const SETTING_GROUPS = {
  stops: [
    "stopOnReply",
    "stopOnReplyScope",
    "stopOnAutoReply",
    "stopForCompany",
    "stopOnMeetingBooked",
    "stopOnConversion",
    "stopOnOpen",
    "stopOnClick",
    "outOfOfficeMode",
    "outOfOfficeFallbackDays",
  ],
  content: [
    "textOnly",
    "firstEmailTextOnly",
    "signatureMode",
    "missingVariablePolicy",
    "variableFallbacks",
    "ccList",
    "bccList",
  ],
  unsubscribe: ["unsubscribeHeader", "unsubscribeLink", "unsubscribeText"],
  tracking: ["trackOpens", "trackClicks", "conversionLinks", "conversionDomains", "attributionWindowDays", "holdOut"],
  audience: ["skipDuplicatesInOtherCampaigns", "allowRiskyRecipients", "autoRefreshAudience"],
  safety: [
    "approvalMode",
    "launchBlockers",
    "bounceGuard.enabled",
    "bounceGuard.rate",
    "bounceGuard.minSends",
    "bounceGuard.windowDays",
    "complaintGuard.enabled",
    "complaintGuard.rate",
    "complaintGuard.minSends",
    "complaintGuard.minComplaints",
    "replyRateFloor",
  ],
} as const satisfies Groups;

export type GroupName = keyof typeof SCHEDULE_GROUPS | keyof typeof SENDER_GROUPS | keyof typeof SETTING_GROUPS;

/** The value of a setting among all settings of a campaign. */
export function valueAt(settings: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>(
      (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
      settings,
    );
}

/** The default of a setting. */
export function defaultAt(path: string): unknown {
  return valueAt(defaultSettings, path);
}

/** Whether two values of a setting are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The patch that gives a setting a value; null restores its default. */
export function patchOf(path: string, value: unknown): Record<string, unknown> {
  const [key = "", part] = path.split(".");
  return { [key]: part === undefined ? value : { [part]: value } };
}
