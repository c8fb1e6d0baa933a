import { z } from "zod";

/** Every known key of a campaign's settings with its default (rules/campaigns 1.1). Unknown keys are stored but have no effect. */
const limit = z.number().int().min(1).nullable();
const share = z.number().min(0).max(1);
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);
const closing = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/);
const instant = z.iso.datetime({ offset: true }).nullable();
const zone = z.string().refine(isZone, { message: "is not an IANA time zone", params: { code: "UNKNOWN_TIMEZONE" } });
const gap = z.number().int().min(0).max(86_400);
const headerText = z
  .string()
  .max(2_000)
  .regex(/^[^\r\n]*$/);

const window = z
  .strictObject({ days: z.array(z.number().int().min(1).max(7)).min(1).max(7), from: clock, to: closing })
  .refine(({ from, to }) => from < to, { message: "`from` must be before `to`", params: { code: "WINDOW_EMPTY" } });

function guard<T extends z.ZodRawShape>(more: T) {
  return z.strictObject({ enabled: z.boolean(), rate: share, minSends: z.number().int().min(1), ...more });
}

export const settingsShape = {
  timezone: zone,
  useRecipientTimezone: z.boolean(),
  windows: z.array(window).max(21),
  startAt: instant,
  endAt: instant,
  skipHolidays: z.boolean(),
  holidayCountry: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .nullable(),
  customHolidays: z.array(z.iso.date()).max(366),

  dailyLimit: limit,
  maxNewLeadsPerDay: limit,
  prioritizeNewLeads: z.boolean(),
  rampEnabled: z.boolean(),
  rampStart: z.number().int().min(1),
  rampIncrement: z.number().int().min(1),
  companyDailyLimit: limit,
  companyLimitScope: z.enum(["WORKSPACE", "CAMPAIGN"]),
  recipientDomainHourlyLimit: limit,
  senderDomainHourlyLimit: limit,

  mailboxIds: z.array(z.string()).max(1_000),
  mailboxTags: z.array(z.string().min(1).max(50)).max(50),
  rotation: z.enum(["LEAST_RECENT", "ROUND_ROBIN", "WEIGHTED"]),
  perMailboxDailyLimit: z.number().int().min(0),
  minGapSeconds: gap,
  maxGapSeconds: gap,
  providerMatching: z.enum(["OFF", "PREFER", "STRICT"]),
  mailboxFailover: z.enum(["WAIT", "REASSIGN"]),
  mailboxFailoverAfterHours: z.number().int().min(1),

  stopOnReply: z.boolean(),
  stopOnReplyScope: z.enum(["WORKSPACE", "CAMPAIGN"]),
  stopOnAutoReply: z.boolean(),
  stopOnOpen: z.boolean(),
  stopOnClick: z.boolean(),
  stopForCompany: z.boolean(),
  stopOnMeetingBooked: z.boolean(),
  stopOnConversion: z.boolean(),
  outOfOfficeMode: z.enum(["PAUSE_AND_RESUME", "IGNORE", "STOP"]),
  outOfOfficeFallbackDays: z.number().int().min(1).max(180),

  textOnly: z.boolean(),
  firstEmailTextOnly: z.boolean(),
  missingVariablePolicy: z.enum(["PAUSE", "SKIP_STEP", "FALLBACK"]),
  variableFallbacks: z.record(z.string(), z.string().max(2_000)),
  ccList: z.array(z.email()).max(20),
  bccList: z.array(z.email()).max(20),
  signatureMode: z.enum(["MAILBOX", "NONE"]),

  trackOpens: z.boolean(),
  trackClicks: z.boolean(),
  conversionLinks: z.boolean(),
  conversionDomains: z.array(z.string().min(1).max(253)).max(100),
  attributionWindowDays: z.number().int().min(1).max(365),

  unsubscribeHeader: z.boolean(),
  unsubscribeLink: z.boolean(),
  unsubscribeText: headerText.nullable(),
  allowRiskyRecipients: z.boolean(),
  skipDuplicatesInOtherCampaigns: z.boolean(),

  bounceGuard: guard({ windowDays: z.number().int().min(1).max(90) }),
  complaintGuard: guard({ minComplaints: z.number().int().min(1) }),
  replyRateFloor: share.nullable(),
  approvalMode: z.enum(["NONE", "FIRST_SEND", "ALL"]),
  launchBlockers: z.array(z.string().max(100)).max(50),
  autoRefreshAudience: z.boolean(),
};

export type Settings = { [K in keyof typeof settingsShape]: z.output<(typeof settingsShape)[K]> };

export const DEFAULT_SETTINGS: Settings = {
  timezone: "UTC",
  useRecipientTimezone: false,
  windows: [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }],
  startAt: null,
  endAt: null,
  skipHolidays: false,
  holidayCountry: null,
  customHolidays: [],
  dailyLimit: null,
  maxNewLeadsPerDay: null,
  prioritizeNewLeads: false,
  rampEnabled: false,
  rampStart: 10,
  rampIncrement: 5,
  companyDailyLimit: null,
  companyLimitScope: "WORKSPACE",
  recipientDomainHourlyLimit: null,
  senderDomainHourlyLimit: null,
  mailboxIds: [],
  mailboxTags: [],
  rotation: "LEAST_RECENT",
  perMailboxDailyLimit: 30,
  minGapSeconds: 540,
  maxGapSeconds: 840,
  providerMatching: "OFF",
  mailboxFailover: "WAIT",
  mailboxFailoverAfterHours: 72,
  stopOnReply: true,
  stopOnReplyScope: "WORKSPACE",
  stopOnAutoReply: false,
  stopOnOpen: false,
  stopOnClick: false,
  stopForCompany: false,
  stopOnMeetingBooked: true,
  stopOnConversion: true,
  outOfOfficeMode: "PAUSE_AND_RESUME",
  outOfOfficeFallbackDays: 7,
  textOnly: false,
  firstEmailTextOnly: false,
  missingVariablePolicy: "PAUSE",
  variableFallbacks: {},
  ccList: [],
  bccList: [],
  signatureMode: "MAILBOX",
  trackOpens: false,
  trackClicks: false,
  conversionLinks: true,
  conversionDomains: [],
  attributionWindowDays: 90,
  unsubscribeHeader: true,
  unsubscribeLink: false,
  unsubscribeText: null,
  allowRiskyRecipients: false,
  skipDuplicatesInOtherCampaigns: true,
  bounceGuard: { enabled: true, rate: 0.03, minSends: 50, windowDays: 7 },
  complaintGuard: { enabled: true, rate: 0.001, minSends: 100, minComplaints: 2 },
  replyRateFloor: null,
  approvalMode: "NONE",
  launchBlockers: [],
  autoRefreshAudience: false,
};

/**
 * The settings in force for a campaign: its stored patches over the defaults. Objects are merged deeply, arrays are replaced, and null
 * means the default.
 */
export function settingsOf(stored: Record<string, unknown>): Settings {
  return mergeSettings(DEFAULT_SETTINGS, stored) as unknown as Settings; // every stored known key has passed its schema
}

/** Merges `patch` over `base` by our own code (rules/security 3.1), into null-prototype objects. Null returns a key to its default. */
export function mergeSettings(base: object, patch: object): Record<string, unknown> {
  const result: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    const known = result[key];
    result[key] = isPlain(known) && isPlain(value) ? mergeSettings(known, value) : value;
  }
  return { ...result };
}

/** What to store after a patch: keys set to null are removed at every depth, and objects are merged. */
export function patchSettings(stored: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(stored).filter(([key]) => patch[key] !== null);
  const inner = Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    if (value === null) return [];
    const known = stored[key];
    return [[key, isPlain(value) ? patchSettings(isPlain(known) ? { ...known } : {}, { ...value }) : value]];
  });
  return Object.fromEntries([...kept, ...inner]);
}

/** Checks every known key that a patch names with the value it would get. Each issue has the key as its path. */
export function issuesOfPatch(after: Record<string, unknown>, patch: Record<string, unknown>): z.ZodError | null {
  const named = Object.keys(settingsShape).filter((key) => (patch[key] ?? null) !== null);
  const shape = Object.fromEntries(Object.entries(settingsShape).filter(([key]) => named.includes(key)));
  const whole = settingsOf(after);
  const checked = z.object(shape).safeParse(Object.fromEntries(named.map((key) => [key, Reflect.get(whole, key)])));
  return checked.error ?? null;
}

/** The stored keys that no code reads. */
export function unknownSettings(stored: Record<string, unknown>): string[] {
  return Object.keys(stored).filter((key) => !Object.hasOwn(settingsShape, key));
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
