import { z } from "zod";
import type { Issue } from "../errors.ts";
import { issuesBy } from "../issues.ts";
import { clock, closing } from "../time/clock.ts";
import { readZone } from "../values/zone.ts";
import { zoneRefusal } from "../values/zone-field.ts";
import { defaultSettings } from "./default-settings.ts";
import { MOST_HELD_OUT } from "./hold-out.ts";
import { CAMPAIGN_WARNINGS } from "./warnings.ts";

/**
 * Every known key of a campaign's settings with its default (rules/campaigns 1.1). Unknown keys are stored but have no
 * effect.
 */
const limit = z.number().int().min(1).nullable();
const share = z.number().min(0).max(1);
const instant = z.union([z.iso.datetime({ offset: true }), z.iso.date()]).nullable();
/** An IANA time zone. `readSettings` has already converted the name to its stored form. */
const zone = z.string().superRefine((text, context) => {
  const read = readZone(text);
  if (read.zone !== null) return;
  const { message, code } = zoneRefusal(read.suggestion);
  context.addIssue({ code: "custom", message, params: { code } });
});
const gap = z.number().int().min(0).max(86_400);
const headerText = z
  .string()
  .max(2_000)
  .regex(/^[^\r\n]*$/, "must be one line");

const window = z
  .strictObject({
    days: z.array(z.number().int().min(1).max(7)).min(1).max(7).describe("ISO weekdays, 1 is Monday"),
    from: clock.describe("Local time `HH:mm` from which emails may leave"),
    to: closing.describe("Local time `HH:mm` until which emails may leave, at most 24:00"),
  })
  .refine(({ from, to }) => from < to, { message: "`from` must be before `to`", params: { code: "WINDOW_EMPTY" } });

function guardSchema<T extends z.ZodRawShape>(more: T) {
  return z.strictObject({
    enabled: z.boolean().describe("Whether the guard is on"),
    rate: share.describe("The share of emails at which the guard pauses the campaign, 0 to 1"),
    minSends: z.number().int().min(1).describe("Emails that must be sent before the guard may pause the campaign"),
    ...more,
  });
}

const settingsShape = {
  timezone: zone.describe(
    "The IANA time zone of windows, dates and days; Windows names and offsets like `UTC+2` also work",
  ),
  useRecipientTimezone: z
    .boolean()
    .describe(
      "Use each recipient's zone instead: the lead's own, otherwise that of the lead's location, otherwise `timezone`",
    ),
  windows: z
    .array(window)
    .max(21)
    .describe(
      "When emails may leave: at most 21 ranges of local time, `from` before `to`. Overlapping ranges become one",
    ),
  startAt: instant.describe(
    "Nothing is sent before this instant; a campaign launched before it is SCHEDULED. A date means the start of that day in `timezone` (of the same request, otherwise the campaign's, otherwise the workspace's)",
  ),
  endAt: instant.describe(
    "Nothing is sent after this instant, follow-ups included; recipients still open at that time end. A date includes that day in `timezone`",
  ),
  skipHolidays: z
    .boolean()
    .describe("Send nothing on public holidays of the recipient's country, otherwise of `holidayCountry`"),
  holidayCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be an ISO 3166 code of two capital letters, like DE")
    .meta({ examples: ["DE"] })
    .nullable()
    .describe("The country whose holidays count if the recipient's country is unknown: ISO 3166, two letters"),
  customHolidays: z
    .array(z.iso.date())
    .max(366)
    .describe("Other dates on which nothing is sent, `YYYY-MM-DD`, at most 366"),

  dailyLimit: limit.describe("Emails of the campaign per day, at least 1; null: no limit"),
  maxNewLeadsPerDay: limit.describe("People who get a first email per day, at least 1; null: no limit"),
  prioritizeNewLeads: z
    .boolean()
    .describe("Send first emails before follow-ups that are due; otherwise follow-ups come first"),
  rampEnabled: z
    .boolean()
    .describe("Start with `rampStart` emails per day and add `rampIncrement` after each day on which emails were sent"),
  rampStart: z.number().int().min(1).describe("Emails on the first day of the ramp"),
  rampIncrement: z.number().int().min(1).describe("Emails that each sending day adds to the ramp"),
  companyDailyLimit: limit.describe("Emails per day to one company, identified by its email domain; null: no limit"),
  companyLimitScope: z
    .enum(["WORKSPACE", "CAMPAIGN"])
    .describe("Whether `companyDailyLimit` counts the emails of the whole workspace or of this campaign"),
  recipientDomainHourlyLimit: limit.describe("Emails per hour to one domain; null: no limit"),
  senderDomainHourlyLimit: limit.describe("Emails per hour from one of your domains; null: no limit"),

  mailboxIds: z
    .array(z.string())
    .max(1_000)
    .describe("The mailboxes that send, at most 1,000; mailboxes with one of `mailboxTags` also send"),
  mailboxTags: z
    .array(z.string().min(1).max(50))
    .max(50)
    .describe("Mailboxes with one of these tags also send, at most 50"),
  rotation: z
    .enum(["LEAST_RECENT", "ROUND_ROBIN", "WEIGHTED"])
    .describe(
      "Which mailbox sends the next first email: the one that has waited longest, each in turn, or in proportion to each mailbox's remaining emails",
    ),
  perMailboxDailyLimit: z
    .number()
    .int()
    .min(0)
    .describe("Emails of this campaign per day from one mailbox; 0: only the mailbox's own limit"),
  minGapSeconds: gap.describe(
    "The shortest wait in seconds between two emails of a mailbox, 0 to 86,400, at most `maxGapSeconds`. Each gap is a random number between both limits",
  ),
  maxGapSeconds: gap.describe("The longest wait in seconds between two emails of a mailbox, 0 to 86,400"),
  providerMatching: z
    .enum(["OFF", "PREFER", "STRICT"])
    .describe(
      "OFF: any mailbox sends. PREFER: use a mailbox at the recipient's provider if there is one. STRICT: use only such a mailbox",
    ),
  mailboxFailover: z
    .enum(["WAIT", "REASSIGN"])
    .describe(
      "What happens to recipients of a lost mailbox: they wait for it, or continue from another mailbox in a new thread",
    ),
  mailboxFailoverAfterHours: z
    .number()
    .int()
    .min(1)
    .describe("Hours that a mailbox must be lost before `mailboxFailover` applies"),

  stopOnReply: z.boolean().describe("A reply ends the sequence"),
  stopOnReplyScope: z
    .enum(["WORKSPACE", "CAMPAIGN"])
    .describe("Whether a reply ends the sequence in every campaign of the workspace, or only in this one"),
  stopOnAutoReply: z.boolean().describe("An automatic reply also ends the sequence"),
  stopOnOpen: z.boolean().describe("An open ends the sequence; needs `trackOpens`"),
  stopOnClick: z.boolean().describe("A click ends the sequence; needs `trackClicks`"),
  stopForCompany: z.boolean().describe("When one person replies, pause the others at the same company"),
  stopOnMeetingBooked: z.boolean().describe("A booked meeting ends the sequence"),
  stopOnConversion: z.boolean().describe("A conversion ends the sequence"),
  outOfOfficeMode: z
    .enum(["PAUSE_AND_RESUME", "IGNORE", "STOP"])
    .describe("What an out-of-office reply does: pause until the person is back, nothing, or end the sequence"),
  outOfOfficeFallbackDays: z
    .number()
    .int()
    .min(1)
    .max(180)
    .describe("Days to pause when the reply names no return date, 1 to 180"),

  textOnly: z.boolean().describe("Send every email as plain text only"),
  firstEmailTextOnly: z.boolean().describe("Send first emails as plain text only"),
  missingVariablePolicy: z
    .enum(["PAUSE", "SKIP_STEP", "FALLBACK"])
    .describe(
      "If a lead lacks a value that a text needs: pause the recipient, skip the step, or use the value from `variableFallbacks`, otherwise pause",
    ),
  variableFallbacks: z
    .record(z.string(), z.string().max(2_000))
    .describe("With FALLBACK: the value of each variable that a lead lacks; `leadSource` for `lead.source`"),
  ccList: z.array(z.email()).max(20).describe("Addresses that get a visible copy of every email, at most 20"),
  bccList: z.array(z.email()).max(20).describe("Addresses that get a hidden copy of every email, at most 20"),
  signatureMode: z.enum(["MAILBOX", "NONE"]).describe("Whether emails end with their mailbox's signature"),

  trackOpens: z.boolean().describe("Count opens; needs a verified tracking domain"),
  trackClicks: z.boolean().describe("Count clicks; needs a verified tracking domain"),
  conversionLinks: z.boolean().describe("Mark links to `conversionDomains`, so that conversions there are counted"),
  conversionDomains: z
    .array(
      z
        .string()
        .min(1)
        .max(253)
        .refine(isDomain, { message: "must be a domain, like example.com", params: { code: "INVALID_FORMAT" } }),
    )
    .max(100)
    .meta({ examples: [["example.com"]] })
    .describe("Your domains, such as `example.com`. Links to them and to their subdomains are marked; at most 100"),
  attributionWindowDays: z
    .number()
    .int()
    .min(1)
    .max(365)
    .describe("Days after a click in which a conversion counts, 1 to 365"),

  holdOut: z
    .number()
    .min(0)
    .max(MOST_HELD_OUT)
    .describe(
      "The share of people who are never contacted, to measure the effect of the emails, 0 to 0.2. People are chosen at random at admission, so a change applies only to people admitted later",
    ),

  unsubscribeHeader: z
    .boolean()
    .describe("Send `List-Unsubscribe`, so that the recipient's mail program offers one-click unsubscribe"),
  unsubscribeLink: z.boolean().describe("Put an unsubscribe link under every email"),
  unsubscribeText: headerText
    .nullable()
    .describe("The text of the unsubscribe link, at most 2,000 characters on one line; null: the default text"),
  allowRiskyRecipients: z.boolean().describe("Send to addresses that verification found RISKY"),
  skipDuplicatesInOtherCampaigns: z.boolean().describe("Skip people who are open in another running campaign"),

  bounceGuard: guardSchema({
    windowDays: z.number().int().min(1).max(90).describe("Days that the guard looks back, 1 to 90"),
  }).describe("Pauses the campaign when too many emails bounce"),
  complaintGuard: guardSchema({
    minComplaints: z.number().int().min(1).describe("Complaints before the guard may pause the campaign"),
  }).describe("Pauses the campaign when too many people complain"),
  replyRateFloor: share
    .nullable()
    .describe(
      "Pauses the campaign if less than this share of people reply, 0 to 1, once 200 people were contacted; null: never",
    ),
  approvalMode: z
    .enum(["NONE", "FIRST_SEND", "ALL"])
    .describe("Which emails wait for an approval: none, the first to each person, or all"),
  launchBlockers: z
    .array(z.enum(CAMPAIGN_WARNINGS))
    .max(50)
    .describe("Codes of warnings that block a launch, at most 50"),
  autoRefreshAudience: z
    .boolean()
    .describe("Add new members of attached lists every 15 minutes; the campaign then never completes by itself"),
};

export type Settings = { [K in keyof typeof settingsShape]: z.output<(typeof settingsShape)[K]> };

export const DEFAULT_SETTINGS: Settings = defaultSettings;

/** The settings, each with its default in words. */
export const describedSettings = Object.fromEntries(
  Object.entries(settingsShape).map(([key, schema]): [string, z.ZodType] => [
    key,
    schema.describe(withDefault(key, schema.description)),
  ]),
);

/** What a patch may contain: any setting, null for its default, and any part of a guard. */
export const settingsPatch = z.looseObject(
  Object.fromEntries(
    Object.entries(settingsShape).map(([key, schema]): [string, z.ZodType] => {
      const part: z.ZodType = schema instanceof z.ZodObject ? z.strictObject(nullableShape(schema.shape)) : schema;
      return [key, part.nullable().optional().describe(withDefault(key, schema.description))];
    }),
  ),
);

function nullableShape(shape: z.ZodRawShape): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => {
      const { description = "" } = z.globalRegistry.get(schema) ?? {};
      return [key, z.nullable(schema).optional().describe(description)];
    }),
  );
}

function withDefault(key: string, description = ""): string {
  return `${description}. Default: \`${JSON.stringify(Object.entries(DEFAULT_SETTINGS).find(([name]) => name === key)?.[1])}\``;
}

/**
 * The settings in force for a campaign: its stored patches over the defaults. Objects are merged deeply, arrays are
 * replaced, and null means the default.
 */
export function settingsOf(stored: Record<string, unknown>): Settings {
  return mergeSettings(DEFAULT_SETTINGS, stored) as unknown as Settings; // every stored known key has passed its schema
}

/**
 * Merges `patch` over `base` by our own code (rules/security 3.1), into null-prototype objects. Null returns a key to
 * its default.
 */
function mergeSettings(base: object, patch: object): Record<string, unknown> {
  const result: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue;
    const current = result[key];
    result[key] = isPlain(current) && isPlain(value) ? mergeSettings(current, value) : value;
  }
  return { ...result };
}

/** What to store after a patch: keys set to null are removed at every depth, and objects are merged. */
export function patchSettings(
  stored: Record<string, unknown>,
  patch: Record<string, unknown>,
): Record<string, unknown> {
  const entries = Object.entries(stored).filter(([key]) => patch[key] !== null);
  const inner = Object.entries(patch).flatMap(([key, value]): [string, unknown][] => {
    if (value === null) return [];
    const current = stored[key];
    return [[key, isPlain(value) ? patchSettings(isPlain(current) ? { ...current } : {}, { ...value }) : value]];
  });
  return Object.fromEntries([...entries, ...inner]);
}

/** Checks every known key that a patch names with the value it would get. Each issue has the key as its path. */
export function issuesOfPatch(after: Record<string, unknown>, patch: Record<string, unknown>): Issue[] {
  const named = Object.keys(settingsShape).filter((key) => (patch[key] ?? null) !== null);
  const shape = Object.fromEntries(Object.entries(settingsShape).filter(([key]) => named.includes(key)));
  const whole = settingsOf(after);
  return issuesBy(z.object(shape), Object.fromEntries(named.map((key) => [key, Reflect.get(whole, key)])));
}

/** The stored keys that no code reads. */
export function unknownSettings(stored: Record<string, unknown>): string[] {
  return Object.keys(stored).filter((key) => !Object.hasOwn(settingsShape, key));
}

/** A bare host name, which may have non-ASCII letters. */
function isDomain(value: string): boolean {
  return !/[\s/:?#@\\*]/.test(value) && URL.canParse(`https://${value}`);
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
