export const DOMAIN_CHECKS = ["MX", "SPF", "DKIM", "DMARC", "PTR", "MTA_STS", "TLS_RPT", "BIMI"] as const;
export type DomainCheckName = (typeof DOMAIN_CHECKS)[number];

/**
 * ABSENT: an optional record is missing. UNKNOWN: the record could not be queried, or its state could not be determined
 * (rules/deliverability 1.1).
 */
export const FINDING_VERDICTS = ["PASS", "WARN", "FAIL", "UNKNOWN", "ABSENT"] as const;
export type FindingVerdict = (typeof FINDING_VERDICTS)[number];

/**
 * A DNS record in the form in which it is entered at a DNS provider. The domain's owner replaces parts in angle
 * brackets.
 */
export interface RecordToPublish {
  type: "TXT" | "MX" | "CNAME" | "PTR";
  /** The whole name, without a final dot. */
  name: string;
  value: string;
}

/** The result of one check of a sending domain. */
export interface Finding {
  check: DomainCheckName;
  verdict: FindingVerdict;
  /** The cause, as a code. */
  reason: string;
  /** One or two sentences that explain the finding and say what to do. */
  detail: string;
  /** The records that were found, unchanged. They are text of the domain's owner. */
  found: string[];
  /**
   * The records to publish instead, ready to copy; empty if nothing is wrong, or if only the domain's owner can know
   * them.
   */
  publish: RecordToPublish[];
}

const MOST_FOUND = 10;
const LONGEST_FOUND = 500;

/** The finding of a check. At most 10 found records are kept, each cut to 500 characters. */
export function finding(
  check: DomainCheckName,
  verdict: FindingVerdict,
  reason: string,
  detail: string,
  { found = [], publish = [] }: Partial<Pick<Finding, "found" | "publish">> = {},
): Finding {
  return {
    check,
    verdict,
    reason,
    detail,
    found: found.slice(0, MOST_FOUND).map((text) => text.slice(0, LONGEST_FOUND)),
    publish,
  };
}

/** The finding UNKNOWN, for a check in which the name server did not answer. */
export function noAnswerTo(check: DomainCheckName): Finding {
  return finding(
    check,
    "UNKNOWN",
    "NO_ANSWER",
    "The name server did not answer. The check repeats every day, and whenever you start it.",
  );
}
