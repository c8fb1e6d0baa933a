import type { AlertThresholds } from "../alert-thresholds.ts";
import type { MailboxHealth } from "../mailboxes/band.ts";
import { ACCESS_FAULTS, isAccessFault } from "../mailboxes/connection-error.ts";
import { type MeasuredPlaces, SCORE_FLOORS } from "../mailboxes/score.ts";
import type { MailboxStatus } from "../states.ts";
import { DAY_MS } from "../time/durations.ts";
import type { ListedSubject } from "./block-lists.ts";
import type { Finding } from "./finding.ts";
import { type GoogleRate, percentWords, rateWords, recentRate } from "./google-rate.ts";
import type { MailFigures } from "./score.ts";
import { COMPLAINT_LIMITS, type HostRules } from "./sender-rules.ts";

export const ALERT_TYPES = [
  ...(["MX_FAILED", "SPF_FAILED", "DKIM_FAILED", "DMARC_FAILED", "BLOCK_LISTED", "SENDER_RULES_BROKEN"] as const),
  ...([
    "BOUNCE_RATE",
    "COMPLAINT_RATE",
    "GOOGLE_SPAM_RATE",
    "SPAM_PLACEMENT",
    "MAILBOX_LOST",
    "MAILBOX_BAND",
    "NO_WARMUP_PARTNER",
    "CRM_CONNECTION_LOST",
    "OPT_OUT_UNDECIDED",
  ] as const),
] as const;
export type AlertType = (typeof ALERT_TYPES)[number];
export const ALERT_SEVERITIES = ["INFO", "WARNING", "CRITICAL"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];
export const ALERT_STATUSES = ["OPEN", "ACKNOWLEDGED", "RESOLVED"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];
export const SUBJECT_TYPES = ["DOMAIN", "MAILBOX", "CRM_CONNECTION", "APPROVAL"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The measurement behind an alert. A share is `numerator / denominator`. */
export interface AlertNumbers {
  measure: string;
  numerator: number;
  denominator: number;
  threshold: number;
}

/**
 * Whether the condition of an alert holds now. UNKNOWN: the condition could not be measured, so an existing alert stays
 * unchanged (rules/deliverability 5.1).
 */
export interface AlertCondition {
  type: AlertType;
  subjectType: SubjectType;
  subjectId: string;
  state: "HOLDS" | "GONE" | "UNKNOWN";
  severity: AlertSeverity;
  message: string;
  /** Null if the condition does not depend on a rate. */
  numbers: AlertNumbers | null;
}

const CHECKED = { MX: "MX_FAILED", SPF: "SPF_FAILED", DKIM: "DKIM_FAILED", DMARC: "DMARC_FAILED" } as const;
/** A rate that reaches its threshold this many times is critical. */
const CRITICAL_TIMES = 2;
/** The fewest complaints for an alert, because one complaint in a hundred emails may be chance. */
const FEWEST_COMPLAINTS = 2;

export interface DomainState {
  domain: string;
  findings: readonly Finding[];
  listings: readonly ListedSubject[];
  rules: readonly HostRules[];
}

/** The conditions of all alerts about a domain's records and block lists. */
export function domainConditions({ domain, findings, listings, rules }: DomainState): AlertCondition[] {
  const of = { subjectType: "DOMAIN" as const, subjectId: domain, numbers: null };
  const records = findings.flatMap(({ check, verdict, detail }): AlertCondition[] => {
    if (check !== "MX" && check !== "SPF" && check !== "DKIM" && check !== "DMARC") return [];
    const state = verdict === "FAIL" ? "HOLDS" : verdict === "UNKNOWN" ? "UNKNOWN" : "GONE";
    return [
      {
        ...of,
        type: CHECKED[check],
        state,
        severity: check === "MX" ? "WARNING" : "CRITICAL",
        message: `${domain}: ${detail}`,
      },
    ];
  });
  return [...records, ...blockListAlert(domain, listings), ...broken(domain, rules)];
}

/**
 * The condition of a block list alert. If a list does not answer, its listing may still exist, so the alert resolves
 * only when every list has answered that the domain is not listed.
 */
function blockListAlert(domain: string, listings: DomainState["listings"]): AlertCondition[] {
  const on = listings.filter(({ status }) => status === "LISTED");
  const isUnsure = listings.some(({ status }) => status === "UNKNOWN");
  const state = on.length > 0 ? "HOLDS" : isUnsure ? "UNKNOWN" : "GONE";
  const names = on
    .map(({ list, subject }) => (subject === domain ? list.zone : `${list.zone} (${subject})`))
    .join(", ");
  const message =
    on.length > 0 ? `${domain} is on a block list: ${names}` : `${domain} is on none of ${listings.length} block lists`;
  return [
    {
      type: "BLOCK_LISTED",
      subjectType: "DOMAIN",
      subjectId: domain,
      state,
      severity: "CRITICAL",
      message,
      numbers: null,
    },
  ];
}

function broken(domain: string, rules: readonly HostRules[]): AlertCondition[] {
  const failing = rules.filter(({ isBulk, rules }) => isBulk && rules.some(({ verdict }) => verdict === "FAIL"));
  const isUnsure = rules.some(({ isBulk, rules }) => isBulk && rules.some(({ verdict }) => verdict === "UNKNOWN"));
  const [worst] = failing;
  const lacks = failing.map(({ host, rules }) => {
    const names = rules.flatMap(({ rule, verdict }) => (verdict === "FAIL" ? [rule] : []));
    return `${host} (${names.join(", ")})`;
  });
  const numbers = worst
    ? {
        measure: `emails a day to ${worst.host}`,
        numerator: worst.mailsADay,
        denominator: 1,
        threshold: worst.bulkFrom ?? 0,
      }
    : null;
  const message =
    failing.length > 0
      ? `${domain} sends like a bulk sender but does not meet the rules of ${lacks.join(" and ")}`
      : `${domain} meets the rules for the emails that it sends`;
  const state = failing.length > 0 ? "HOLDS" : isUnsure ? "UNKNOWN" : "GONE";
  return [
    {
      type: "SENDER_RULES_BROKEN",
      subjectType: "DOMAIN",
      subjectId: domain,
      state,
      severity: "CRITICAL",
      message,
      numbers,
    },
  ];
}

/**
 * Whether too many emails of seven days bounced or were reported as spam. With too few emails no alert is raised, and
 * an open alert resolves.
 */
export function rateConditions(
  subject: { subjectType: SubjectType; subjectId: string; name: string },
  { sent, bounced, complained }: MailFigures,
  { bounceRate, complaintRate }: AlertThresholds,
): AlertCondition[] {
  const { name, ...of } = subject;
  const rate = (type: AlertType, words: string, count: number, threshold: number, critical: number): AlertCondition => {
    const share = sent === 0 ? 0 : count / sent;
    const isEnough = sent >= SCORE_FLOORS.mails && (type !== "COMPLAINT_RATE" || count >= FEWEST_COMPLAINTS);
    const message = `${name}: ${count} of ${sent} emails in the last seven days ${words} (${percentOf(share)}; alert from ${percentOf(threshold)})`;
    const numbers = { measure: type, numerator: count, denominator: sent, threshold };
    const holds = isEnough && share >= threshold;
    return {
      ...of,
      type,
      state: holds ? "HOLDS" : "GONE",
      severity: share >= critical ? "CRITICAL" : "WARNING",
      message,
      numbers,
    };
  };
  return [
    rate("BOUNCE_RATE", "bounced", bounced, bounceRate, CRITICAL_TIMES * bounceRate),
    rate(
      "COMPLAINT_RATE",
      "were reported as spam",
      complained,
      complaintRate,
      Math.max(complaintRate, COMPLAINT_LIMITS.most),
    ),
  ];
}

/**
 * Whether too many measured emails of seven days landed in Junk. With too few measured emails no alert is raised, and
 * an open alert resolves.
 */
export function placeCondition(
  subject: { subjectType: SubjectType; subjectId: string; name: string },
  { seen, inSpam }: MeasuredPlaces,
  { spamRate }: AlertThresholds,
): AlertCondition {
  const { name, ...of } = subject;
  const share = seen === 0 ? 0 : inSpam / seen;
  const holds = seen >= SCORE_FLOORS.places && share >= spamRate;
  const message = `${name}: ${inSpam} of ${seen} measured emails in the last seven days landed in Junk (${percentOf(share)}; alert from ${percentOf(spamRate)})`;
  const numbers = { measure: "SPAM_PLACEMENT", numerator: inSpam, denominator: seen, threshold: spamRate };
  const severity = share >= CRITICAL_TIMES * spamRate ? "CRITICAL" : "WARNING";
  return { ...of, type: "SPAM_PLACEMENT", state: holds ? "HOLDS" : "GONE", severity, message, numbers };
}

function percentOf(share: number): string {
  return `${Math.round(share * 10_000) / 100} %`;
}

/**
 * Whether Gmail users report too much of a domain's email as spam (rules/deliverability 7.5). Without a rate from
 * Google there is no condition.
 */
export function googleConditions(domain: string, newest: GoogleRate | null, now: number): AlertCondition[] {
  if (newest === null) return [];
  const { rate } = newest;
  const { advised, most } = COMPLAINT_LIMITS;
  const state = recentRate(newest, now) === null ? "UNKNOWN" : rate >= advised ? "HOLDS" : "GONE";
  const message = `${domain}: ${rateWords(newest)} (alert from ${percentWords(advised)})`;
  const numbers = { measure: "GOOGLE_SPAM_RATE", numerator: rate, denominator: 1, threshold: advised };
  const of = { type: "GOOGLE_SPAM_RATE" as const, subjectType: "DOMAIN" as const, subjectId: domain };
  return [{ ...of, state, severity: rate >= most ? "CRITICAL" : "WARNING", message, numbers }];
}

/** Whether a mailbox has lost its access, so that someone has to act before it can send. */
export function mailboxCondition(mailbox: {
  mailboxId: string;
  email: string;
  status: MailboxStatus;
  statusReason: string | null;
}): AlertCondition {
  const { mailboxId, email, status, statusReason } = mailbox;
  const fault = isAccessFault(statusReason) ? statusReason : null;
  const isLost = status === "RECONNECT_REQUIRED" || (status === "SENDING_ERROR" && fault !== null);
  const reason = statusReason === null ? "" : ` (${statusReason})`;
  const cause = fault === null ? "connect it again" : ACCESS_FAULTS[fault].text.replace(/\.$/, "");
  const message = isLost ? `${email} can no longer log in${reason}: ${cause}` : `${email} can log in again`;
  const of = { type: "MAILBOX_LOST" as const, subjectType: "MAILBOX" as const, subjectId: mailboxId, numbers: null };
  return { ...of, state: isLost ? "HOLDS" : "GONE", severity: "CRITICAL", message };
}

/** Whether a connection to a CRM stopped and needs a person to act (rules/crm 1.5). */
export function crmCondition(connection: {
  connectionId: string;
  name: string;
  isLost: boolean;
  statusReason: string | null;
}): AlertCondition {
  const { connectionId, name, isLost, statusReason } = connection;
  const message = isLost
    ? `The CRM ${name} no longer accepts its connection${statusReason === null ? "" : ` (${statusReason})`}: connect it again`
    : `The CRM ${name} is connected`;
  const of = {
    type: "CRM_CONNECTION_LOST" as const,
    subjectType: "CRM_CONNECTION" as const,
    subjectId: connectionId,
    numbers: null,
  };
  return { ...of, state: isLost ? "HOLDS" : "GONE", severity: "WARNING", message };
}

/** Mail providers expect that an opt-out takes effect within two days (rules/deliverability 5.4). */
export const UNDECIDED_MS = 2 * DAY_MS;

/** Whether the question if a person wants no more email has been open for too long. */
export function undecidedCondition({ approvalId, since }: { approvalId: string; since: Date }): AlertCondition {
  const message = `Someone may have asked for no more emails on ${since.toISOString().slice(0, 10)}, and no one has decided yet: see Approvals`;
  const of = {
    type: "OPT_OUT_UNDECIDED" as const,
    subjectType: "APPROVAL" as const,
    subjectId: approvalId,
    numbers: null,
  };
  return { ...of, state: "HOLDS", severity: "CRITICAL", message };
}

/** Whether a mailbox that warms up has no possible warmup partner (rules/warmup 2.9). */
export function partnerCondition(
  { mailboxId, email }: { mailboxId: string; email: string },
  isAlone: boolean,
): AlertCondition {
  const message = isAlone
    ? `${email} warms up without a partner: no mailbox of another domain takes part in its pools`
    : `${email} has partners for its warmup, or no longer warms up`;
  const of = {
    type: "NO_WARMUP_PARTNER" as const,
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    numbers: null,
  };
  return { ...of, state: isAlone ? "HOLDS" : "GONE", severity: "WARNING", message };
}

const BAND_SEVERITY = {
  HEALTHY: "INFO",
  WATCH: "INFO",
  THROTTLED: "WARNING",
  QUARANTINED: "CRITICAL",
  BLOCKED: "CRITICAL",
} as const;

/** Whether the band of a mailbox is other than HEALTHY (rules/health 1). */
export function bandCondition(
  { mailboxId, email }: { mailboxId: string; email: string },
  health: MailboxHealth | null,
): AlertCondition {
  const band = health?.band ?? "HEALTHY";
  const of = {
    type: "MAILBOX_BAND" as const,
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    severity: BAND_SEVERITY[band],
  };
  if (health === null || band === "HEALTHY")
    return { ...of, state: "GONE", message: `${email} is HEALTHY`, numbers: null };
  const { measure, numerator, denominator, threshold } = health;
  const numbers =
    measure === null
      ? null
      : { measure, numerator: numerator ?? 0, denominator: denominator ?? 0, threshold: threshold ?? 0 };
  return { ...of, state: "HOLDS", message: bandMessage(email, health), numbers };
}

/** The text that says what a mailbox's health band means for its email, why it has this band, and until when. */
export function bandMessage(
  email: string,
  { band, step, until, measure, numerator, denominator }: MailboxHealth,
): string {
  const why = measure === null ? "" : ` because of ${measure}: ${numerator} of ${denominator} emails`;
  const end = until === null ? "" : ` until ${until.toISOString()}`;
  const effect = {
    HEALTHY: "sends as usual",
    WATCH: "sends as usual, and is watched",
    THROTTLED: `sends ${step ?? 100} % of its campaign emails`,
    QUARANTINED: "sends no campaign emails",
    BLOCKED: "sends no emails at all",
  }[band];
  return `${email} is ${band}${why}. It ${effect}${end}`;
}

/** An alert that is not resolved. */
export interface StandingAlert {
  id: string;
  type: AlertType;
  subjectType: SubjectType;
  subjectId: string;
  status: "OPEN" | "ACKNOWLEDGED";
  severity: AlertSeverity;
}

export type AlertChange =
  | { kind: "open"; condition: AlertCondition }
  | { kind: "update"; id: string; condition: AlertCondition; isWorse: boolean }
  | { kind: "resolve"; id: string; condition: AlertCondition | null };

/**
 * The changes that bring the open alerts in line with the current conditions. An alert that got worse opens again, even
 * if it was acknowledged. An alert whose subject no longer exists resolves.
 */
export function alertChanges(conditions: readonly AlertCondition[], standing: readonly StandingAlert[]): AlertChange[] {
  const keyOf = ({ type, subjectType, subjectId }: Pick<AlertCondition, "type" | "subjectType" | "subjectId">) =>
    `${type} ${subjectType} ${subjectId}`;
  const alertOf = new Map(standing.map((alert) => [keyOf(alert), alert]));
  const measured = new Set(conditions.map(keyOf));
  const changes = conditions.flatMap((condition): AlertChange[] => {
    const alert = alertOf.get(keyOf(condition));
    if (condition.state === "UNKNOWN") return [];
    if (condition.state === "GONE") return alert === undefined ? [] : [{ kind: "resolve", id: alert.id, condition }];
    if (alert === undefined) return [{ kind: "open", condition }];
    const rank = (severity: AlertSeverity) => ALERT_SEVERITIES.indexOf(severity);
    return [{ kind: "update", id: alert.id, condition, isWorse: rank(condition.severity) > rank(alert.severity) }];
  });
  const orphans = standing.filter((alert) => !measured.has(keyOf(alert)));
  return [...changes, ...orphans.map(({ id }): AlertChange => ({ kind: "resolve", id, condition: null }))];
}
