import { CONSUMER_HOSTS, type ConsumerHost } from "./consumer-mail.ts";
import type { DomainCheckName, Finding, FindingVerdict } from "./finding.ts";
import { type GoogleRate, rateWords } from "./google-rate.ts";

/**
 * The number of emails a day to consumer addresses from which on a host's rules for bulk senders apply; null if the
 * host names no number.
 */
const BULK_FROM: Record<ConsumerHost, number | null> = { GOOGLE: 5_000, YAHOO: null, MICROSOFT: 5_000 };
/**
 * Google's limits for the share of emails that recipients report as spam: stay under `advised`, and never reach `most`.
 */
export const COMPLAINT_LIMITS = { advised: 0.001, most: 0.003 } as const;

export const SENDER_RULES = ["SPF", "DKIM", "DMARC", "PTR", "TLS", "ONE_CLICK", "COMPLAINTS"] as const;
type SenderRule = (typeof SENDER_RULES)[number];

/**
 * What each host requires of bulk senders, as published: Google and Yahoo since February 2024, Microsoft since May
 * 2025.
 */
const ASKED: Record<ConsumerHost, readonly SenderRule[]> = {
  GOOGLE: SENDER_RULES,
  YAHOO: ["SPF", "DKIM", "DMARC", "PTR", "ONE_CLICK", "COMPLAINTS"],
  MICROSOFT: ["SPF", "DKIM", "DMARC"],
};

export interface SenderFacts {
  findings: readonly Finding[];
  /** Whether email of the domain can pass DMARC; null if the records could not be queried. */
  isAligned: boolean | null;
  /** Whether every mailbox of the domain submits by TLS. */
  usesTls: boolean;
  /** Over seven days. */
  sent: number;
  complained: number;
  /** The spam rate that Google reports, if it is recent; otherwise null. */
  google: GoogleRate | null;
  /**
   * The most emails to consumer addresses on one of the last seven days, for the whole registrable domain, which is how
   * Google counts.
   */
  daily: Record<ConsumerHost, number>;
}

interface RuleRow {
  rule: SenderRule;
  verdict: Exclude<FindingVerdict, "ABSENT">;
  detail: string;
}

export interface HostRules {
  host: ConsumerHost;
  mailsADay: number;
  bulkFrom: number | null;
  isBulk: boolean;
  rules: RuleRow[];
}

/** A domain compared with the rules of each host (rules/deliverability 3). */
export function senderRules(facts: SenderFacts): HostRules[] {
  return CONSUMER_HOSTS.map((host) => {
    const bulkFrom = BULK_FROM[host];
    const mailsADay = facts.daily[host];
    return {
      host,
      mailsADay,
      bulkFrom,
      isBulk: bulkFrom !== null && mailsADay >= bulkFrom,
      rules: ASKED[host].map((rule) => ({ rule, ...judgeRule(rule, host, facts) })),
    };
  });
}

/** The fewest emails in seven days for a meaningful complaint rate. */
const FEWEST_SENT = 100;

function judgeRule(rule: SenderRule, host: ConsumerHost, facts: SenderFacts): Omit<RuleRow, "rule"> {
  switch (rule) {
    case "TLS":
      return facts.usesTls
        ? { verdict: "PASS", detail: "Every mailbox of the domain sends over TLS." }
        : { verdict: "FAIL", detail: "A mailbox of the domain sends without TLS." };
    case "ONE_CLICK":
      return { verdict: "PASS", detail: "Campaign emails have List-Unsubscribe and List-Unsubscribe-Post headers." };
    case "COMPLAINTS":
      return host === "GOOGLE" && facts.google !== null ? judgeGoogleRate(facts.google) : complaints(facts);
    case "DMARC":
      return dmarc(facts);
    default:
      return ofFinding(facts.findings, rule);
  }
}

function complaints({ sent, complained }: SenderFacts): Omit<RuleRow, "rule"> {
  const counts = `${complained} of ${sent} emails of seven days were reported to us as spam`;
  if (sent < FEWEST_SENT)
    return { verdict: "UNKNOWN", detail: `${counts}: fewer than ${FEWEST_SENT} emails are not enough to judge.` };
  return withinLimits(complained / sent, counts);
}

/** Google sees more complaints than we do, so its own count takes precedence (rules/deliverability 3.3). */
function judgeGoogleRate(google: GoogleRate): Omit<RuleRow, "rule"> {
  const words = rateWords(google);
  return withinLimits(google.rate, `${words.charAt(0).toUpperCase()}${words.slice(1)}`);
}

function withinLimits(share: number, counts: string): Omit<RuleRow, "rule"> {
  if (share >= COMPLAINT_LIMITS.most) return { verdict: "FAIL", detail: `${counts}: 0.3 % must never be reached.` };
  if (share >= COMPLAINT_LIMITS.advised) return { verdict: "WARN", detail: `${counts}: stay under 0.1 %.` };
  return { verdict: "PASS", detail: `${counts}.` };
}

/**
 * Judges DMARC by the hosts' rules. The policy `p=none` is enough for the hosts, so a finding that only warns about the
 * policy passes here.
 */
function dmarc({ findings, isAligned }: SenderFacts): Omit<RuleRow, "rule"> {
  const found = findings.find(({ check }) => check === "DMARC");
  if (found === undefined || found.verdict === "UNKNOWN" || isAligned === null)
    return { verdict: "UNKNOWN", detail: UNASKED };
  if (found.reason === "DMARC_ABSENT") return { verdict: "FAIL", detail: found.detail };
  return isAligned
    ? { verdict: "PASS", detail: "The domain has a DMARC record, and its email can pass it." }
    : { verdict: "FAIL", detail: "The domain has a DMARC record, but as far as known its email cannot pass it." };
}

function ofFinding(findings: readonly Finding[], check: DomainCheckName): Omit<RuleRow, "rule"> {
  const found = findings.find((one) => one.check === check);
  if (found === undefined || found.verdict === "ABSENT") return { verdict: "UNKNOWN", detail: UNASKED };
  return { verdict: found.verdict, detail: found.detail };
}

const UNASKED = "The check has no result yet.";
