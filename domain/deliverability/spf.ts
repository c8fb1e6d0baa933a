import { type Finding, finding, noAnswerTo, type RecordToPublish } from "./finding.ts";
import { mailHostOf, spfTermOf } from "./mail-hosts.ts";

/** The most DNS lookups in one evaluation, and the most lookups without an answer (RFC 7208 4.6.4). */
export const SPF_LIMITS = { lookups: 10, voids: 2 } as const;

export interface SpfFacts {
  /** Every SPF record of the domain itself. */
  records: string[];
  /**
   * The result for an IP address that no one sends from. It shows how the policy treats all servers that it does not
   * name.
   */
  result: "pass" | "neutral" | "softfail" | "fail" | "none" | "permerror";
  /** Why the record cannot be evaluated; null if it can. */
  error: string | null;
  /** DNS lookups and void lookups of a whole evaluation, as RFC 7208 4.6.4 counts them. */
  lookups: number;
  voids: number;
  /** False if the evaluation ended before all lookups were counted. */
  isCounted: boolean;
  /** How many lookups each term of the record causes; filled only if there are too many. */
  costs: { term: string; lookups: number }[];
  /** The names whose records were read: the domain and all its direct and indirect includes. */
  read: string[];
}

const STRICTNESS = ["-all", "~all", "?all", "+all"];

/**
 * Judges the SPF record of a domain. `facts` is null if a name server did not answer; `servers` are the domain's
 * submission servers.
 */
export function judgeSpf(domain: string, facts: SpfFacts | null, servers: readonly string[]): Finding {
  if (facts === null) return noAnswerTo("SPF");
  const { records, result, error, lookups, voids } = facts;
  const found = records;
  const with_ = (record: string) => ({ found, publish: [txtRecord(domain, record)] });
  if (records.length === 0) {
    const detail = "The domain has no SPF record, so receivers do not know which hosts send its email.";
    return finding("SPF", "FAIL", "SPF_ABSENT", detail, with_(recordFor(servers)));
  }
  if (records.length > 1) {
    const detail = "The domain has several SPF records, so receivers ignore all of them. Replace them with one.";
    return finding("SPF", "FAIL", "SPF_SEVERAL", detail, with_(mergeRecords(records)));
  }
  const [record = ""] = records;
  if (lookups > SPF_LIMITS.lookups) {
    const many = facts.isCounted ? `${lookups}` : `more than ${lookups - 1}`;
    const costs = facts.costs.map(({ term, lookups }) => `${term} ${lookups}`).join(", ");
    const detail = `Evaluating the record takes ${many} DNS lookups, and receivers give up after ${SPF_LIMITS.lookups}. Remove what no longer sends${costs === "" ? "" : `: ${costs}`}.`;
    return finding("SPF", "FAIL", "SPF_TOO_MANY_LOOKUPS", detail, { found });
  }
  if (voids > SPF_LIMITS.voids) {
    const detail = `${voids} names in the record do not resolve, and receivers give up after ${SPF_LIMITS.voids}. Remove the terms whose names have no record.`;
    return finding("SPF", "FAIL", "SPF_TOO_MANY_VOID_LOOKUPS", detail, { found });
  }
  if (result === "permerror" || result === "none") {
    return finding(
      "SPF",
      "FAIL",
      "SPF_UNUSABLE",
      `Receivers cannot evaluate the record: ${error ?? "it is malformed"}.`,
      { found },
    );
  }
  const missing = servers.find((server) => !isNamed(record, facts.read, server));
  if (missing !== undefined) {
    const term = spfTermOf(missing);
    const detail = `The record does not name the server through which mailboxes of the domain send (${missing}), unless it lists the server's addresses: add ${term}.`;
    return finding("SPF", "WARN", "SPF_SERVER_NOT_NAMED", detail, with_(withTerm(record, term)));
  }
  if (result === "pass" || result === "neutral") {
    const detail = "The record lets anyone send in the name of the domain. End it with ~all.";
    return finding("SPF", "WARN", "SPF_OPEN", detail, with_(recordWithSoftFail(record)));
  }
  return finding(
    "SPF",
    "PASS",
    "SPF_USABLE",
    `The record is sound and takes ${lookups} of ${SPF_LIMITS.lookups} DNS lookups.`,
    { found },
  );
}

/** An SPF record that allows all of these servers, with a soft fail for all others. */
export function recordFor(servers: readonly string[]): string {
  return ["v=spf1", ...new Set(servers.map(spfTermOf)), "~all"].join(" ");
}

/** One record with the terms of several records. Its `all` term is the strictest `all` term of these records. */
function mergeRecords(records: readonly string[]): string {
  const terms = records.flatMap(termsOf);
  const ends = STRICTNESS.filter((end) => terms.some((term) => allOf(term) === end));
  const mechanisms = terms
    .filter((term) => allOf(term) === null)
    .map((term) => term.replace(/^redirect=/i, "include:"));
  return ["v=spf1", ...new Set(mechanisms), ends[0] ?? "~all"].join(" ");
}

function withTerm(record: string, term: string): string {
  const [version = "v=spf1", ...terms] = record.split(/\s+/).filter(Boolean);
  return [version, term, ...terms].join(" ");
}

function recordWithSoftFail(record: string): string {
  return ["v=spf1", ...termsOf(record).filter((term) => allOf(term) === null), "~all"].join(" ");
}

function termsOf(record: string): string[] {
  return record.split(/\s+/).filter(Boolean).slice(1);
}

/** An `all` term with its qualifier; null for any other term. */
function allOf(term: string): string | null {
  const [, qualifier = "", name] = /^([-~?+]?)(all)$/i.exec(term) ?? [];
  return name === undefined ? null : `${qualifier === "" ? "+" : qualifier}all`;
}

/**
 * Whether the record allows a server: it includes the server's mail host somewhere, or it names the server. A domain's
 * own server may be allowed by its IP address, so any term that could match it counts.
 */
function isNamed(record: string, read: readonly string[], server: string): boolean {
  const host = mailHostOf(server);
  if (host === null) return /(?:^|\s)[+?~-]?(?:ip[46]:|a\b|mx\b|include:|redirect=|exists:)/i.test(record);
  return read.includes(host.spf) || /(?:^|\s)\+?ip[46]:/i.test(record);
}

function txtRecord(name: string, value: string): RecordToPublish {
  return { type: "TXT", name, value };
}
