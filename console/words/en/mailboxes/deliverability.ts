import type { AlertSeverity, AlertStatus, AlertType, SubjectType } from "../../../../domain/deliverability/alerts.ts";
import type { FindingVerdict } from "../../../../domain/deliverability/finding.ts";
import type { SENDER_RULES } from "../../../../domain/deliverability/sender-rules.ts";
import { counted, formatCount, formatShare } from "../../format.ts";

/** The texts of the page about deliverability. */
export const deliverabilityWords = {
  title: "Deliverability",
  lead: "Whether your emails reach the inbox: the DNS records of your domains, block lists, and alerts.",
  sections: "Parts of deliverability",
  parts: { domains: "Domains", placement: "Placement tests", alerts: "Alerts" },
  domain: "Domain",
  mailboxes: "Mailboxes",
  monitored: "monitored only",
  records: "DNS records",
  blockLists: "Block lists",
  notListed: "not listed",
  noLists: "–",
  listed: (count: number) => counted(count, "listing", "listings"),
  score: "Score",
  unscored: "not enough emails yet",
  ofHundred: (score: number) => `${formatCount(score)} of 100`,
  inJunk: "In Junk",
  share: formatShare,
  checked: "Last checked",
  never: "not yet",
  details: "Details",
  show: "Show",
  hide: "Hide",
  showOf: (domain: string) => `Show the records of ${domain}`,
  hideOf: (domain: string) => `Hide the records of ${domain}`,
  noDomains: "No sending domains yet. Connect a mailbox, and its domain is checked every day.",
  connect: "Connect a mailbox",
  listedOn: (subject: string, zone: string) => `${subject} is on the block list ${zone}.`,
  unlist: "Find out what was sent to addresses that never asked for it, then ask the list for removal.",
  rules: "Requirements of mail services for bulk senders",
  rulesMet: "Google, Yahoo and Microsoft: no requirement is broken.",
  rule: (host: string, rule: string, detail: string) => `${host}, ${rule}: ${detail}`,
  noAlerts: "No alerts. A problem of a domain or mailbox appears here as soon as a check finds it.",
  alert: "Problem",
  about: "About",
  severity: "Severity",
  opened: "Since",
  acknowledge: "Mark as seen",
  saidAcknowledged: "Marked as seen. The alert ends by itself when the cause is gone.",
} as const;

/** The result of a check of a domain: `word` for narrow columns, `text` for the full meaning. */
export const FINDING: Record<FindingVerdict, { word: string; text: string }> = {
  PASS: { word: "ok", text: "correct" },
  WARN: { word: "weak", text: "could be better" },
  FAIL: { word: "wrong", text: "missing or wrong" },
  UNKNOWN: { word: "?", text: "unknown" },
  ABSENT: { word: "–", text: "optional, not published" },
};

/** The requirements of mail services for bulk senders. */
export const RULE: Record<(typeof SENDER_RULES)[number], string> = {
  SPF: "SPF",
  DKIM: "DKIM",
  DMARC: "DMARC",
  PTR: "reverse DNS",
  TLS: "encryption",
  ONE_CLICK: "one-click unsubscribe",
  COMPLAINTS: "spam reports",
};

export const ALERT: Record<AlertType, string> = {
  MX_FAILED: "MX record missing or wrong",
  SPF_FAILED: "SPF record missing or wrong",
  DKIM_FAILED: "DKIM missing or wrong",
  DMARC_FAILED: "DMARC record missing or wrong",
  BLOCK_LISTED: "On a block list",
  SENDER_RULES_BROKEN: "Requirement of a mail service not met",
  BOUNCE_RATE: "Many bounces",
  COMPLAINT_RATE: "Many spam reports",
  GOOGLE_SPAM_RATE: "Many spam reports at Google",
  SPAM_PLACEMENT: "Emails land in Junk",
  MAILBOX_LOST: "Mailbox lost its connection",
  MAILBOX_BAND: "Mailbox sends less because of its reputation",
  NO_WARMUP_PARTNER: "Warmup without a partner",
  CRM_CONNECTION_LOST: "CRM lost its connection",
  OPT_OUT_UNDECIDED: "Opt-out waits for a decision",
};

export const SEVERITY: Record<AlertSeverity, string> = { INFO: "info", WARNING: "warning", CRITICAL: "critical" };

export const ALERT_STATUS: Record<AlertStatus, string> = { OPEN: "open", ACKNOWLEDGED: "seen", RESOLVED: "ended" };

/** What an alert is about, if the console has no page for it or no longer knows it. */
export const SUBJECT: Record<SubjectType, string> = {
  DOMAIN: "a domain",
  MAILBOX: "a mailbox",
  CRM_CONNECTION: "a CRM connection",
  APPROVAL: "an approval",
};
