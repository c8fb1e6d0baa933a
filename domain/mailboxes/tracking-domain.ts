/** The custom tracking domain of a mailbox (rules/states 6.4). It imports nothing and holds only rules. */

export const TRACKING_STATES = ["NONE", "PENDING", "VERIFIED", "FAILED"] as const;
export type TrackingState = (typeof TRACKING_STATES)[number];

/** What a check of the domain found: HELD, a fault of the domain, or a name server that did not answer. */
export type TrackingFinding = "HELD" | "NO_CNAME" | "OTHER_CNAME" | "NO_CERTIFICATE" | "IN_USE" | "NOT_ANSWERED" | "FRONT_UNREACHABLE";

/** The findings in our own words. Nothing that a name server said is shown. */
export const TRACKING_ERRORS: Record<Exclude<TrackingFinding, "HELD">, string> = {
  NO_CNAME: "The domain has no CNAME record yet",
  OTHER_CNAME: "The CNAME record of the domain leads elsewhere",
  NO_CERTIFICATE: "No valid certificate is served for the domain yet",
  IN_USE: "The domain is in use",
  NOT_ANSWERED: "The name servers did not answer: the check will be repeated",
  FRONT_UNREACHABLE: "The certificate could not be checked: the check will be repeated",
};

/** Daily checks that may fail in a row before tracking stops (rules/states 6.4). */
export const MOST_FAILED_CHECKS = 3;

/**
 * The state after a check. In a check requested by hand, a fault of the domain fails it at once; in the daily check, only the third fault
 * in a row does. A name server that does not answer changes only the error.
 */
export function trackingAfter(
  before: { status: TrackingState; failedChecks: number },
  finding: TrackingFinding,
  by: "hand" | "daily",
): { status: TrackingState; failedChecks: number; error: string | null } {
  if (finding === "HELD") return { status: "VERIFIED", failedChecks: 0, error: null };
  const error = TRACKING_ERRORS[finding];
  if (finding === "NOT_ANSWERED" || finding === "FRONT_UNREACHABLE") return { ...before, error };
  const failedChecks = before.failedChecks + 1;
  const isFailed = by === "hand" || failedChecks >= MOST_FAILED_CHECKS;
  return { status: isFailed ? "FAILED" : before.status, failedChecks, error };
}

/**
 * The base URL of the links in a mailbox's mail (rules/mail 3.2): the mailbox's own domain once it is verified, otherwise the service's.
 * The
 * scheme and port are always the service's.
 */
export function trackUrlOf(trackUrl: string, trackingDomain: { domain: string; status: string } | null): string {
  if (trackingDomain?.status !== "VERIFIED") return trackUrl;
  const url = new URL(trackUrl);
  url.hostname = trackingDomain.domain;
  return url.href.replace(/\/+$/, "");
}

/** CNAME records that one name may lead through, so that a loop of aliases ends. */
export const MOST_ALIASES = 8;
