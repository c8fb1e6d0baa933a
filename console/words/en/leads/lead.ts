import type { HistoryEvent } from "../../../../domain/states.ts";
import type { VerificationReason } from "../../../../domain/verification-evidence.ts";
import { counted } from "../../format.ts";
import { wordFor } from "../../states.ts";
import { LEAD_STATUS, SUPPRESSION_REASON } from "./leads.ts";

/** What the page of one lead says. */
export const leadWords = {
  facts: "What is known",
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
  nothingKnown: "Nothing but the address.",
  others: "Other addresses",
  colleagues: "Colleagues",
  sameDomain: (domain: string) => `Everybody at ${domain}`,
  tags: "Tags",
  lists: "Lists",
  source: "Came from",
  createdAt: "Since",
  lastContactedAt: "Last mail",
  lastRepliedAt: "Last reply",
  status: "Status",
  mayBeWritten: "May be written to",
  suppressed: "Nothing is sent to this person",
  verification: "Verification",
  server: (host: string, code: string) => `${host} answered ${code}`,
  suggestion: (address: string) => `Perhaps ${address} was meant.`,
  disposable: "an address for an hour",
  role: "nobody in particular reads it",
  freeMail: "free mail",
  campaigns: "Campaigns",
  inNone: "In no campaign.",
  mails: (count: number) => counted(count, "mail", "mails"),
  lastMail: "the last",
  promises: "Announced",
  dueAt: "due",
  refersTo: (address: string) => `names ${address}`,
  isDue: "is due now",
  parts: "Parts of this page",
  history: "History",
  notes: "Notes",
  notesWith: (count: string) => `Notes ${count}`,
  nothingHappened: "Nothing has happened yet.",
  noNotes: "There is no note.",
  nothingEarlier: "Nothing is earlier.",
  earlier: "Earlier",
  later: "Later",
  inCampaign: "in",
  conversations: "Their conversations",
  conversation: "the conversation",
  kept: "That is as far back as one can page.",
} as const;

export const VERIFICATION_REASON: Record<VerificationReason, string> = {
  ACCEPTED: "its server takes it",
  ACCEPTS_ANY: "its server takes any address",
  BOUNCED: "a mail came back",
  BOUNCES_OF_DOMAIN: "mails to others there came back",
  DISPOSABLE: "its domain gives addresses for an hour",
  DNS_UNANSWERED: "its domain's records could not be read",
  FREE_MAIL_NOT_PROBED: "its provider is not asked",
  GREYLISTED: "its server asks to come again",
  HOST_REFUSES: "its server refuses questions",
  HOST_UNREACHABLE: "its server does not answer",
  KEPT: "known from before",
  MAILBOX_FULL: "its mailbox is full",
  NO_MAIL_HOST: "its domain takes no mail",
  NOT_PROBED: "its server was not asked",
  NULL_MX: "its domain says that it takes no mail",
  PROBE_LOST: "the question was lost",
  ROLE: "nobody in particular reads it",
  SYNTAX: "it is no address",
  UNCLEAR: "its server's answer says nothing",
  USER_UNKNOWN: "its server does not know it",
};

/** What happened, each kind of it. */
export const EVENT: Record<HistoryEvent, string> = {
  SENT: "got a mail",
  OPEN: "opened a mail",
  CLICK: "followed a link",
  REPLIED: "replied",
  AUTO_REPLIED: "an automatic reply came",
  BOUNCED: "a mail came back",
  UNSUBSCRIBE: "unsubscribed",
  CONVERTED: "converted",
  LEAD_CREATED: "was made",
  LEAD_UPDATED: "was changed",
  IMPORTED: "was imported",
  ADDED_TO_CAMPAIGN: "joined a campaign",
  STATUS_CHANGED: "status changed",
  SUPPRESSED: "was suppressed",
  UNSUPPRESSED: "may be written to again",
  CATEGORY_SET: "a reply was sorted",
  NOTE_ADDED: "a note was written",
  DEAL_ADDED: "a deal was added",
  PAUSED: "was paused",
  MOVED: "moved to another campaign",
  MOVE_REFUSED: "could not move to another campaign",
  TASK_ADDED: "a task for somebody",
  WEBHOOK_CALLED: "another system was told",
  WEBHOOK_FAILED: "another system could not be told",
  APPROVAL_REQUESTED: "somebody was asked to approve",
  AGENT_REPLIED: "the agent replied",
  PROMISE_NOTED: "announced something",
  PROMISE_DUE: "what was announced is due",
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

/** What more an event has to say, by its kind. */
const DETAILS: Partial<Record<HistoryEvent, (data: Data) => readonly unknown[]>> = {
  CLICK: ({ url }) => [url],
  REPLIED: ({ from }) => [from],
  AUTO_REPLIED: ({ subKind, returnDate }) => [plain(subKind), returnDate],
  BOUNCED: ({ type, reason, code, diagnostic }) => [plain(type), plain(reason), code, diagnostic],
  CONVERTED: ({ type, value, currency, url }) => [plain(type), [value, currency].filter(isSaid).join(" "), url],
  LEAD_CREATED: ({ source }) => [source],
  LEAD_UPDATED: ({ fields, tagsAdded }) => [names(fields), tagsAdded],
  IMPORTED: ({ source, fileName }) => [fileName ?? source],
  STATUS_CHANGED: ({ from, to }) => [isSaid(from) ? `“${status(to)}”, after “${status(from)}”` : `“${status(to)}”`],
  SUPPRESSED: ({ reason }) => [wordFor(SUPPRESSION_REASON, String(reason ?? ""))],
  CATEGORY_SET: ({ category }) => [plain(category)],
  DEAL_ADDED: ({ name, stage }) => [name, stage],
  PAUSED: ({ reason, names }) => [plain(reason), names],
  MOVE_REFUSED: ({ reason }) => [plain(reason)],
  TASK_ADDED: ({ title, note, assignee }) => [title, note, assignee],
  WEBHOOK_CALLED: ({ statusCode }) => [statusCode],
  WEBHOOK_FAILED: ({ failure }) => [failure],
  APPROVAL_REQUESTED: ({ note }) => [note],
  PROMISE_NOTED: ({ kind }) => [plain(kind)],
};

/** The details of an event as one text; empty where it has none. A service that is newer than this page tells kinds that it does not know. */
export function detailOf(type: string, data: Data): string {
  const known: Readonly<Record<string, ((data: Data) => readonly unknown[]) | undefined>> = DETAILS;
  return (known[type]?.(data) ?? []).flat().filter(isSaid).map(String).join(", ");
}

function isSaid(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "";
}

/** Fields as this page calls them; what follows from them, such as the domain of an address, is not worth a word. */
function names(fields: unknown): unknown[] {
  const known: Readonly<Record<string, string>> = FIELDS;
  return Array.isArray(fields) ? fields.flatMap((name) => known[String(name)]?.toLowerCase() ?? []) : [];
}

function status(value: unknown): string {
  return wordFor(LEAD_STATUS, String(value));
}

/** A name of the service that has no words of its own, such as a category of replies. */
function plain(value: unknown): string | null {
  return isSaid(value) ? wordFor({}, String(value)) : null;
}
