import type { GoogleCredentials } from "../access/google-credentials.ts";
import { DAY_MS } from "../time/durations.ts";
import { utcDay } from "../time/schedule.ts";

/** How this deployment reaches Postmaster Tools. */
export interface PostmasterAccess {
  credentials: GoogleCredentials;
  /** The base URL of the API, without a slash at its end. */
  url: string;
}

/**
 * For how many days Google keeps figures, and how many of the last days are read again each day, because Google adds
 * figures late.
 */
export const POSTMASTER_DAYS = { kept: 120, anew: 10 } as const;

/**
 * What Google reports about a domain for one day: shares of 0 to 1. Null means that Google gives no share, which is
 * different from zero (rules/deliverability 7.3).
 */
export interface PostmasterShares {
  spamRate: number | null;
  spfRate: number | null;
  dkimRate: number | null;
  dmarcRate: number | null;
  tlsRate: number | null;
  deliveryErrorRate: number | null;
}

/** How often emails of one Feedback-ID were reported as spam. */
interface FeedbackLoop {
  id: string;
  spamRate: number | null;
}

export interface PostmasterPoint extends PostmasterShares {
  feedbackLoops: FeedbackLoop[];
}

/** One query: a metric of Google's with a filter, and our own name for it, which Google returns with each value. */
export interface MetricDefinition {
  name: string;
  baseMetric: { standardMetric: string };
  filter?: string;
}

/** One value that Google returned: a share, or a list of texts. Null where it could not be read. */
export interface DomainStat {
  metric: string;
  day: string;
  value: number | string[] | null;
}

const LOOPS = "feedbackLoops";
/** The most feedback loops whose figures are read. Google's own pages show the others. */
const MOST_LOOPS = 20;

/** The metrics that are read for each domain. SPF, DKIM and DMARC are one metric of Google's with different filters. */
export const POSTMASTER_METRICS: readonly MetricDefinition[] = [
  definition("spamRate", "SPAM_RATE"),
  definition("spfRate", "AUTH_SUCCESS_RATE", 'auth_type = "spf"'),
  definition("dkimRate", "AUTH_SUCCESS_RATE", 'auth_type = "dkim"'),
  definition("dmarcRate", "AUTH_SUCCESS_RATE", 'auth_type = "dmarc"'),
  definition("tlsRate", "TLS_ENCRYPTION_RATE", 'traffic_direction = "inbound"'),
  definition("deliveryErrorRate", "DELIVERY_ERROR_RATE"),
  definition(LOOPS, "FEEDBACK_LOOP_ID"),
];

/** Why Google's figures of a domain could not be read. */
export const POSTMASTER_ERRORS = [
  ...(["NOT_LISTED", "UNVERIFIED", "FORBIDDEN", "NOT_FOUND", "REFUSED"] as const),
  ...(["CREDENTIALS_REFUSED", "RATE_LIMITED", "UNAVAILABLE", "ANSWER_INVALID"] as const),
] as const;
export type PostmasterError = (typeof POSTMASTER_ERRORS)[number];

export const COMPLIANCE_STATUSES = ["COMPLIANT", "NEEDS_WORK", "UNKNOWN"] as const;
/** Whether Google says that a requirement of its sender guidelines is met. */
export interface ComplianceRow {
  requirement: string;
  status: (typeof COMPLIANCE_STATUSES)[number];
}

/**
 * The queries for how often emails of each feedback loop were reported as spam, and the loop's id by query name; null
 * if there is no loop.
 */
export function loopDefinitions(
  stats: readonly DomainStat[],
): { definitions: MetricDefinition[]; idOf: Map<string, string> } | null {
  // The ids come from email senders, so an id must not contain characters that would end the filter's text
  const ids = stats.flatMap(({ metric, value }) =>
    metric === LOOPS && Array.isArray(value) ? value.filter(isPlainId) : [],
  );
  const idOf = new Map([...new Set(ids)].slice(0, MOST_LOOPS).map((id, number) => [`loop${number}`, id]));
  if (idOf.size === 0) return null;
  const definitions = [...idOf].map(([name, id]) =>
    definition(name, "FEEDBACK_LOOP_SPAM_RATE", `feedback_loop_id = "${id}"`),
  );
  return { definitions, idOf };
}

/** The values by day, the oldest first. Days without values are left out. */
export function pointsOf(
  stats: readonly DomainStat[],
  ofLoops: readonly DomainStat[] = [],
  idOf = new Map<string, string>(),
) {
  const points = new Map<string, PostmasterPoint>();
  const pointOn = (day: string) => {
    const point = points.get(day) ?? noPoint();
    points.set(day, point);
    return point;
  };
  for (const { metric, day, value } of stats) {
    if (isShareName(metric) && typeof value === "number") pointOn(day)[metric] = value;
  }
  for (const { metric, day, value } of ofLoops) {
    const id = idOf.get(metric);
    if (id !== undefined && typeof value === "number") pointOn(day).feedbackLoops.push({ id, spamRate: value });
  }
  return new Map([...points].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The days to read: the first time all days that Google keeps, later the days that were not read yet and some days
 * before them.
 */
export function daysToRead(readAt: Date | null, now: number): { since: string; until: string } {
  const missed = readAt === null ? POSTMASTER_DAYS.kept : Math.floor((now - readAt.getTime()) / DAY_MS);
  const days = Math.min(POSTMASTER_DAYS.kept, missed + POSTMASTER_DAYS.anew);
  // Today's figures are not complete yet, so the last day is yesterday
  return { since: utcDay(now - days * DAY_MS), until: utcDay(now - DAY_MS) };
}

/** A day without any report. */
function noPoint(): PostmasterPoint {
  const none = {
    spamRate: null,
    spfRate: null,
    dkimRate: null,
    dmarcRate: null,
    tlsRate: null,
    deliveryErrorRate: null,
  };
  return { ...none, feedbackLoops: [] };
}

const SHARES: ReadonlySet<string> = new Set(Object.keys(noPoint()).filter((name) => name !== LOOPS));

function isShareName(metric: string): metric is keyof PostmasterShares {
  return SHARES.has(metric);
}

function isPlainId(id: string): boolean {
  return /^[\w.@:+/ -]{1,200}$/.test(id);
}

function definition(name: string, standardMetric: string, filter?: string): MetricDefinition {
  return { name, baseMetric: { standardMetric }, ...(filter !== undefined && { filter }) };
}
