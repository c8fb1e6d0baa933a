/** The custom tracking domain of a mailbox (B38). Imports nothing: rules alone. */

export const TRACKING_STATES = ["NONE", "PENDING", "VERIFIED", "FAILED"] as const;
export type TrackingState = (typeof TRACKING_STATES)[number];

/** What a look at the domain found: HELD, a fault of the domain, or a name server that did not say. */
export type TrackingFinding = "HELD" | "NO_CNAME" | "OTHER_CNAME" | "NO_CERTIFICATE" | "IN_USE" | "NOT_ANSWERED" | "FRONT_UNREACHABLE";

/** In our own words: nothing a name server said leaves. */
export const TRACKING_ERRORS: Record<Exclude<TrackingFinding, "HELD">, string> = {
  NO_CNAME: "The domain has no CNAME record yet",
  OTHER_CNAME: "The CNAME record of the domain leads elsewhere",
  NO_CERTIFICATE: "No valid certificate is served for the domain yet",
  IN_USE: "The domain is in use",
  NOT_ANSWERED: "The name servers did not answer: the check will be repeated",
  FRONT_UNREACHABLE: "The certificate could not be checked: the check will be repeated",
};

/** Failed daily checks in a row after which tracking stops (behaviours 3). */
export const MOST_FAILED_CHECKS = 3;

/**
 * The state after a check. Asked for by hand, a fault of the domain fails it at once; found by the daily check, the third time in a
 * row. A name server that does not answer changes nothing but the error.
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
 * What the links of a mailbox's mail start with (mail.md 3.1): its own domain once verified, else the service's. Scheme and port are
 * the service's.
 */
export function trackUrlOf(trackUrl: string, trackingDomain: { domain: string; status: string } | null): string {
  if (trackingDomain?.status !== "VERIFIED") return trackUrl;
  const url = new URL(trackUrl);
  url.hostname = trackingDomain.domain;
  return url.href.replace(/\/+$/, "");
}

/** Names that one alias may lead through; a ring of aliases ends here. */
export const MOST_ALIASES = 8;
