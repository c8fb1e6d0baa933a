import type { HistoryEvent, LeadSourceKind } from "../../../../domain/states.ts";
import type { VerificationReason } from "../../../../domain/verification.ts";
import { counted } from "../../format.ts";
import { wordFor } from "../../states.ts";
import { LEAD_STATUS, SUPPRESSION_REASON } from "./leads.ts";

/** The texts of the page of one lead. */
export const leadWords = {
  facts: "Details",
  fields: {
    fullName: "Name",
    company: "Company",
    jobTitle: "Job title",
    website: "Website",
    phone: "Phone",
    city: "City",
    state: "State or region",
    country: "Country",
    timezone: "Time zone",
  },
  nothingKnown: "No details yet.",
  others: "Other addresses",
  colleagues: "Colleagues",
  sameDomain: (domain: string) => `Everyone at ${domain}`,
  tags: "Tags",
  lists: "Lists",
  source: "Source",
  createdFrom: "Created from",
  notRecorded: "Not recorded for leads of earlier versions",
  by: "by",
  createdAt: "Since",
  lastContactedAt: "Last email",
  lastRepliedAt: "Last reply",
  status: "Status",
  mayBeWritten: "Can be contacted",
  suppressed: "Do not contact",
  verification: "Verification",
  server: (host: string, code: string) => `${host} answered ${code}`,
  suggestion: (address: string) => `Did you mean ${address}?`,
  disposable: "disposable address",
  role: "role address",
  freeMail: "free mail",
  campaigns: "Campaigns",
  inNone: "In no campaign.",
  mails: (count: number) => counted(count, "email", "emails"),
  lastMail: "the last",
  promises: "Promises",
  dueAt: "due",
  refersTo: (address: string) => `refers to ${address}`,
  isDue: "is due now",
  parts: "Parts of this page",
  history: "History",
  notes: "Notes",
  nothingHappened: "No activity yet.",
  noNotes: "No notes yet.",
  nothingEarlier: "No earlier entries.",
  earlier: "Earlier",
  later: "Later",
  inCampaign: "in",
  conversations: "Their conversations",
  conversation: "the conversation",
  kept: "The history ends here.",
} as const;

/** What a lead was created from. `name` is that of the file, campaign, CRM or prospect list. */
export const CREATED_FROM: Record<LeadSourceKind, (name: string | null) => string> = {
  API: () => "A call to the API",
  MANUAL: () => "An entry by hand",
  IMPORT: (name) => (name === null ? "An import" : `The import of ${name}`),
  CAMPAIGN: (name) => (name === null ? "The recipients of a campaign" : `The recipients of ${name}`),
  CRM: (name) => (name === null ? "An import from a CRM" : `An import from ${name}`),
  PROSPECT: (name) => (name === null ? "A prospect list" : `The prospect list ${name}`),
  REFERRAL: () => "A referral in a reply",
};

export const VERIFICATION_REASON: Record<VerificationReason, string> = {
  ACCEPTED: "the mail server accepts it",
  ACCEPTS_ANY: "the mail server accepts any address",
  BOUNCED: "an email bounced",
  BOUNCES_OF_DOMAIN: "emails to others at this domain bounced",
  DISPOSABLE: "disposable domain",
  DNS_UNANSWERED: "its DNS records could not be read",
  FREE_MAIL_NOT_PROBED: "its provider cannot be asked",
  GREYLISTED: "the mail server asks to try again later",
  HOST_REFUSES: "the mail server refuses verification",
  HOST_UNREACHABLE: "its server does not answer",
  KEPT: "known from before",
  MAILBOX_FULL: "its mailbox is full",
  NO_MAIL_HOST: "its domain has no mail server",
  NOT_PROBED: "the mail server was not asked",
  NULL_MX: "its domain accepts no email",
  PROBE_LOST: "the question was lost",
  ROLE: "role address",
  SYNTAX: "it is no address",
  UNCLEAR: "the mail server's answer is unclear",
  USER_UNKNOWN: "the mail server does not know this address",
};

/** The name of each kind of event. */
export const EVENT: Record<HistoryEvent, string> = {
  SENT: "email sent",
  OPEN: "email opened",
  CLICK: "link clicked",
  REPLIED: "replied",
  AUTO_REPLIED: "automatic reply",
  BOUNCED: "an email bounced",
  UNSUBSCRIBE: "unsubscribed",
  CONVERTED: "converted",
  LEAD_CREATED: "lead created",
  LEAD_UPDATED: "lead changed",
  IMPORTED: "lead imported",
  ADDED_TO_CAMPAIGN: "added to a campaign",
  STATUS_CHANGED: "status changed",
  SUPPRESSED: "lead suppressed",
  UNSUPPRESSED: "suppression removed",
  CATEGORY_SET: "reply category set",
  NOTE_ADDED: "note added",
  DEAL_ADDED: "deal added",
  PAUSED: "paused",
  MOVED: "moved to another campaign",
  MOVE_REFUSED: "could not move to another campaign",
  TASK_ADDED: "task added",
  WEBHOOK_CALLED: "webhook called",
  WEBHOOK_FAILED: "webhook failed",
  APPROVAL_REQUESTED: "approval requested",
  AGENT_REPLIED: "the agent replied",
  PROMISE_NOTED: "promise noted",
  PROMISE_DUE: "promise due",
};

const FIELDS = {
  ...leadWords.fields,
  email: "address",
  firstName: "first name",
  lastName: "last name",
  tags: leadWords.tags,
  customFields: "own fields",
};

type Data = Readonly<Record<string, unknown>>;

/** The details of an event, by its kind. */
const DETAILS: Partial<Record<HistoryEvent, (data: Data) => readonly unknown[]>> = {
  CLICK: ({ url }) => [url],
  REPLIED: ({ from }) => [from],
  AUTO_REPLIED: ({ subKind, returnDate }) => [fallbackWord(subKind), returnDate],
  BOUNCED: ({ type, reason, code, diagnostic }) => [fallbackWord(type), fallbackWord(reason), code, diagnostic],
  CONVERTED: ({ type, value, currency, url }) => [fallbackWord(type), [value, currency].filter(isSaid).join(" "), url],
  LEAD_CREATED: ({ source }) => [source],
  LEAD_UPDATED: ({ fields, tagsAdded }) => [fieldNames(fields), tagsAdded],
  IMPORTED: ({ source, fileName }) => [fileName ?? source],
  STATUS_CHANGED: ({ from, to }) => [
    isSaid(from) ? `“${statusWord(to)}”, after “${statusWord(from)}”` : `“${statusWord(to)}”`,
  ],
  SUPPRESSED: ({ reason }) => [wordFor(SUPPRESSION_REASON, String(reason ?? ""))],
  CATEGORY_SET: ({ category }) => [fallbackWord(category)],
  DEAL_ADDED: ({ name, stage }) => [name, stage],
  PAUSED: ({ reason, names }) => [fallbackWord(reason), names],
  MOVE_REFUSED: ({ reason }) => [fallbackWord(reason)],
  TASK_ADDED: ({ title, note, assignee }) => [title, note, assignee],
  WEBHOOK_CALLED: ({ statusCode }) => [statusCode],
  WEBHOOK_FAILED: ({ failure }) => [failure],
  APPROVAL_REQUESTED: ({ note }) => [note],
  PROMISE_NOTED: ({ kind }) => [fallbackWord(kind)],
};

/**
 * The details of an event as one text; empty if it has none, or if its type is from a newer server and not known here.
 */
export function detailOf(type: string, data: Data): string {
  const known: Readonly<Record<string, ((data: Data) => readonly unknown[]) | undefined>> = DETAILS;
  return (known[type]?.(data) ?? []).flat().filter(isSaid).map(String).join(", ");
}

function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "";
}

/** The labels of fields. A field that is derived from another, such as the domain of an address, is left out. */
function fieldNames(fields: unknown): unknown[] {
  const known: Readonly<Record<string, string>> = FIELDS;
  return Array.isArray(fields) ? fields.flatMap((name) => known[String(name)]?.toLowerCase() ?? []) : [];
}

function statusWord(value: unknown): string {
  return wordFor(LEAD_STATUS, String(value));
}

/** A name from the server without a text of its own here, such as a reply category. */
function fallbackWord(value: unknown): string | null {
  return isSaid(value) ? wordFor({}, String(value)) : null;
}
