import { Temporal } from "temporal-polyfill";
import { type LeadSource, sentencePartOf } from "../lead-source.ts";

/** A variable of the catalogue (rules/mail 4.3). A preview without a lead shows `sample`. */
export interface BuiltIn {
  key: string;
  label: string;
  type: "TEXT" | "URL" | "DATE" | "HTML";
  sample: string;
}

export const BUILT_INS: BuiltIn[] = [
  { key: "firstName", label: "First name", type: "TEXT", sample: "Ada" },
  { key: "lastName", label: "Last name", type: "TEXT", sample: "Lovelace" },
  { key: "fullName", label: "Full name", type: "TEXT", sample: "Ada Lovelace" },
  { key: "email", label: "E-mail address", type: "TEXT", sample: "ada@example.com" },
  { key: "emailDomain", label: "E-mail domain", type: "TEXT", sample: "example.com" },
  { key: "company", label: "Company", type: "TEXT", sample: "Analytical Engines" },
  { key: "website", label: "Website", type: "URL", sample: "https://example.com" },
  { key: "jobTitle", label: "Job title", type: "TEXT", sample: "Head of Engineering" },
  { key: "phone", label: "Phone", type: "TEXT", sample: "+442079460000" },
  { key: "city", label: "City", type: "TEXT", sample: "London" },
  { key: "state", label: "State", type: "TEXT", sample: "England" },
  { key: "country", label: "Country", type: "TEXT", sample: "GB" },
  { key: "timezone", label: "Time zone", type: "TEXT", sample: "Europe/London" },
  {
    key: "lead.source",
    label: "Source of the lead",
    type: "TEXT",
    sample: "an import of contacts.csv on 3 March 2026",
  },
  { key: "senderName", label: "Sender's name", type: "TEXT", sample: "Grace Hopper" },
  { key: "senderFirstName", label: "Sender's first name", type: "TEXT", sample: "Grace" },
  { key: "senderEmail", label: "Sender's address", type: "TEXT", sample: "grace@example.org" },
  { key: "senderCompany", label: "Sender's company", type: "TEXT", sample: "Example Ltd" },
  { key: "signature", label: "Signature of the mailbox", type: "HTML", sample: "<p>Grace Hopper</p>" },
  { key: "unsubscribeLink", label: "Unsubscribe link", type: "URL", sample: "https://example.org/u/sample" },
  { key: "cid", label: "Conversion id", type: "TEXT", sample: "4fJ9sK2mQ7xB1c" },
  { key: "campaignName", label: "Campaign", type: "TEXT", sample: "Spring outreach" },
  { key: "today", label: "Today", type: "DATE", sample: "2026-01-15" },
  { key: "weekday", label: "Day of the week", type: "TEXT", sample: "Thursday" },
];

export interface VariableSources {
  lead: LeadValues;
  mailbox: { email: string; name: string | null; signatureHtml: string | null };
  campaign: { name: string };
  /** `name` is the sender's company. */
  workspace: { name: string };
  now: Date;
  /** The IANA zone of the recipient. */
  zone: string;
  unsubscribeLink: string;
  cid: string;
}

export type LeadValues = Partial<Record<LeadKey, string | null>> & {
  customFields?: Record<string, unknown>;
  createdFrom?: LeadSource | null;
  /** The source in words, in place of `createdFrom`, for a lead of examples. */
  "lead.source"?: string | null;
};
type LeadKey = (typeof LEAD_KEYS)[number];

const LEAD_KEYS = [
  ...([
    "firstName",
    "lastName",
    "fullName",
    "email",
    "emailDomain",
    "company",
    "website",
    "jobTitle",
    "phone",
  ] as const),
  ...(["city", "state", "country", "timezone"] as const),
];

/**
 * The record for `render`. `today` is YYYY-MM-DD and `weekday` is the English name, both in the recipient's time zone.
 */
export function variablesOf(sources: VariableSources): Record<string, unknown> {
  const { lead, mailbox, campaign, workspace, now, zone, unsubscribeLink, cid } = sources;
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const names = [lead.firstName, lead.lastName].filter((name) => name).join(" ");
  return {
    ...Object.fromEntries(LEAD_KEYS.map((key) => [key, lead[key] ?? null])),
    fullName: lead.fullName || names || null,
    customFields: lead.customFields ?? {},
    "lead.source": lead.createdFrom ? sentencePartOf(lead.createdFrom, zone) : (lead["lead.source"] ?? null),
    senderName: mailbox.name,
    senderFirstName: mailbox.name?.trim().split(/\s+/)[0] ?? null,
    senderEmail: mailbox.email,
    senderCompany: workspace.name,
    signature: mailbox.signatureHtml ?? "",
    unsubscribeLink,
    cid,
    campaignName: campaign.name,
    today: day.toString(),
    weekday: WEEKDAYS[day.dayOfWeek - 1],
  };
}

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** The sample of a built-in variable. */
export function sampleOf(key: string): string {
  return BUILT_INS.find((builtIn) => builtIn.key === key)?.sample ?? "";
}

/** The variables of a preview without a lead: the samples of the catalogue. */
export function sampleVariables(): Record<string, unknown> {
  return { ...Object.fromEntries(BUILT_INS.map(({ key, sample }) => [key, sample])), customFields: {} };
}
