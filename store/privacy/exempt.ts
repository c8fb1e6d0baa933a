import type { Workspaced } from "../../models/scoped.ts";
import type { Entries } from "./holding.ts";

const OWN_WORDS = "settings and texts of the workspace itself";
const COUNTS = "counts and states without people";
const SIGN_IN = "credentials and members of the workspace";

/** The collections of a workspace from which no person's data is erased, each with the reason. */
export const EXEMPT = {
  AuditDeed: { kept: { what: "audit log", why: "who did what, with ids instead of addresses" }, plain: ["facts"] },
  AuditEntry: {
    kept: { what: "audit log", why: "who did what, with ids instead of addresses. Its entries prove each other" },
    plain: ["actor", "action", "target", "fields", "code", "before", "after", "changed", "ip", "prevHash", "hash"],
  },
  AuditHead: { holdsNobody: COUNTS, plain: ["hash", "deletedHash"] },
  AuditRefusals: { holdsNobody: COUNTS, plain: ["actor", "action", "codes"] },
  ConnectorGrant: { holdsNobody: SIGN_IN, plain: ["clientName", "scopes", "policy"] },
  IdempotencyKey: {
    kept: { what: "stored responses", why: "encrypted, for one day: a repeated request must not run twice" },
    plain: ["bodyHash", "answer"],
  },
  Invite: {
    kept: { what: "invites", why: "the member who invited someone can revoke the invite" },
    plain: ["email", "invitedBy"],
  },
  SendBudget: { holdsNobody: COUNTS, plain: ["day"] },
  ToolCall: {
    holdsNobody: "calls of tools, in which texts are replaced by their lengths",
    plain: ["kind", "client", "method", "tool", "action", "code", "keyHash", "arguments"],
  },
  AddressGuard: {
    kept: { what: "suppressions", why: "a keyed hash of the address, so that a later import cannot write to it" },
    plain: ["reasons", "heldBy"],
  },
  AgentDay: { holdsNobody: COUNTS, plain: ["day"] },
  AgentSetup: { holdsNobody: OWN_WORDS, plain: ["own"] },
  AgentTask: { holdsNobody: "ids and codes of results", plain: ["result"] },
  CalendarConsent: { holdsNobody: SIGN_IN, plain: ["redirectUri"] },
  MeetingCalendar: {
    holdsNobody: "when the workspace itself has time",
    plain: ["timezone", "workingHours", "bookingUrl", "address", "busy"],
  },
  ChangedDay: { holdsNobody: COUNTS, plain: [] },
  ReportDay: { holdsNobody: COUNTS, plain: ["zone", "lists"] },
  ReportedDays: { holdsNobody: COUNTS, plain: ["zone"] },
  BillingAccount: {
    kept: { what: "invoices", why: "bookkeeping needs them" },
    plain: ["status", "paymentMethodLast4", "invoices"],
  },
  BillingOrder: { holdsNobody: "pages of the payment service", plain: ["price", "successUrl", "cancelUrl"] },
  CreditBalance: { holdsNobody: COUNTS, plain: ["month"] },
  CreditEntry: {
    kept: { what: "ledger of credits", why: "what was paid for, by the id of the prospect" },
    plain: ["key", "detail", "reason", "actor"],
  },
  Campaign: { holdsNobody: OWN_WORDS, plain: ["name", "description", "goal", "settings", "unsettled"] },
  CampaignCounter: { holdsNobody: COUNTS, plain: ["counts", "revenue"] },
  CampaignDay: { holdsNobody: COUNTS, plain: ["day"] },
  Gate: { holdsNobody: COUNTS, plain: [] },
  CrmConnection: {
    holdsNobody: SIGN_IN,
    plain: ["statusReason", "accountName", "base", "writeBack", "toldFrom"],
  },
  CrmConsent: { holdsNobody: SIGN_IN, plain: ["redirectUri"] },
  CrmImport: { holdsNobody: OWN_WORDS, plain: ["mapping", "actor", "by", "stoppedBy"] },
  CrmSegments: { holdsNobody: "names of segments", plain: ["segments"] },
  DeliverabilityAlert: {
    holdsNobody: "problems of the workspace's own domains and mailboxes",
    plain: ["message", "numbers", "acknowledgedBy", "resolution"],
  },
  DomainCheck: { holdsNobody: "DNS of the workspace's own domains", plain: ["domain", "day", "findings", "listings"] },
  MailFiguresDay: { holdsNobody: COUNTS, plain: ["day"] },
  PlacementMail: { holdsNobody: "emails to the workspace's own test mailboxes", plain: ["address", "error"] },
  PlacementTest: { holdsNobody: OWN_WORDS, plain: ["name", "requestKey", "period"] },
  PostmasterDay: { holdsNobody: COUNTS, plain: ["domain", "day", "feedbackLoops"] },
  PostmasterDomain: { holdsNobody: COUNTS, plain: ["domain", "compliance"] },
  FileChunk: { erasedWith: "messages", plain: ["files_id", "data"] },
  StoredFile: { erasedWith: "messages", plain: ["filename", "metadata"] },
  MailboxCursor: {
    holdsNobody: "how far folders were read",
    plain: ["folder", "uidValidity", "highestModseq", "history", "stuck", "watchedAs", "counted", "troubled"],
  },
  SentFolderCheck: { holdsNobody: COUNTS, plain: [] },
  JobChunk: {
    kept: {
      what: "rows and errors of running jobs",
      why: "rows are encrypted until the job ends, and a lead that they create starts suppressed; errors stay for 30 days. Repeat the erasure when the job has ended",
    },
    plain: [],
  },
  SavedSearch: { holdsNobody: OWN_WORDS, plain: ["name", "filters"] },
  SearchList: { holdsNobody: OWN_WORDS, plain: ["name", "description"] },
  CustomField: { holdsNobody: OWN_WORDS, plain: ["key", "name", "label", "options"] },
  LeadList: { holdsNobody: OWN_WORDS, plain: ["name", "description", "filterRules"] },
  ConnectionBatch: { holdsNobody: SIGN_IN, plain: [] },
  ConnectionTest: { holdsNobody: SIGN_IN, plain: ["username", "smtpUsername", "smtp", "imap"] },
  MailboxDay: { holdsNobody: COUNTS, plain: ["day", "taken", "sentBy"] },
  MailboxFacts: { holdsNobody: COUNTS, plain: ["day", "points"] },
  MailboxGrant: { holdsNobody: SIGN_IN, plain: ["delegatedTo", "email"] },
  MailboxHealthChange: { holdsNobody: COUNTS, plain: ["actor"] },
  OAuthState: { holdsNobody: SIGN_IN, plain: ["redirectUri", "returnTo", "sharedMailbox"] },
  RefusalEvidence: {
    holdsNobody: "answers of organisations, by domain and with hashes of texts",
    plain: ["organisation", "domain", "provider", "recent"],
  },
  SendingCap: { holdsNobody: COUNTS, plain: ["by", "day"] },
  ThrottleCount: { holdsNobody: COUNTS, plain: ["scope", "kind"] },
  CampaignVersion: { holdsNobody: OWN_WORDS, plain: ["by", "changes", "steps"] },
  PlanCommit: { holdsNobody: COUNTS, plain: ["verb"] },
  Sequence: { holdsNobody: OWN_WORDS, plain: ["steps"] },
  Template: { holdsNobody: OWN_WORDS, plain: ["name", "subject", "bodyHtml", "bodyText", "steps", "variables"] },
  VerificationDay: { holdsNobody: COUNTS, plain: ["day"] },
  VerificationSchedule: { holdsNobody: OWN_WORDS, plain: [] },
  WarmupDay: { holdsNobody: COUNTS, plain: ["date"] },
  WarmupEnrolment: {
    holdsNobody: "warmup of the workspace's own mailboxes",
    plain: ["email", "statusReason", "config", "pools", "closedDay", "restDay"],
  },
  WarmupPool: { holdsNobody: OWN_WORDS, plain: ["name"] },
  WebhookSubscription: { holdsNobody: OWN_WORDS, plain: ["url", "events", "disabledReason", "lastDeliveryStatus"] },
} satisfies Partial<Entries<keyof Workspaced>>;
