import { getDomain } from "tldts";
import { isAddress, isLocalName } from "../access/allowed-hosts.ts";

/** The rules of a mailbox's custom tracking domain (rules/states 6.4). */

export const TRACKING_STATES = ["NONE", "PENDING", "VERIFIED", "FAILED"] as const;
export type TrackingState = (typeof TRACKING_STATES)[number];

/**
 * What a check of the domain found: HELD if the domain is set up correctly, otherwise a fault of the domain or a server
 * that did not answer.
 */
export type TrackingFinding =
  | "HELD"
  | "HELD_WITHOUT_TLS"
  | "PLAIN_HTTP"
  | "NO_CNAME"
  | "OTHER_CNAME"
  | "NO_CERTIFICATE"
  | "IN_USE"
  | "NOT_ANSWERED"
  | "FRONT_UNREACHABLE";

/** The findings in our own words. Nothing that a name server said is shown. */
const TRACKING_ERRORS: Record<Exclude<TrackingFinding, "HELD">, string> = {
  HELD_WITHOUT_TLS:
    "Links of this domain use plain http, which is for development only: no proxy in front of it handles TLS",
  PLAIN_HTTP: "The service is reached by plain http: a tracking domain needs a proxy in front of it that handles TLS",
  NO_CNAME: "The domain has no CNAME record yet",
  OTHER_CNAME: "The CNAME record of the domain points elsewhere",
  NO_CERTIFICATE: "No valid certificate is served for the domain yet",
  IN_USE: "The domain is in use",
  NOT_ANSWERED: "The name servers did not answer: the check will be repeated",
  FRONT_UNREACHABLE: "The certificate could not be checked: the check will be repeated",
};

/** Daily checks that may fail in a row before tracking stops (rules/states 6.4). */
const MOST_FAILED_CHECKS = 3;

/**
 * The state after a check. If a person requested the check, a fault of the domain makes the domain FAILED immediately;
 * in the daily check, only the third fault in a row does. Whatever the state was, a domain that passes its check is
 * VERIFIED again. A server that does not answer changes only the error.
 */
export function trackingAfter<S extends TrackingState>(
  before: { status: S; failedChecks: number },
  finding: TrackingFinding,
  by: "hand" | "daily",
): { status: S | "VERIFIED" | "FAILED"; failedChecks: number; error: string | null } {
  if (finding === "HELD") return { status: "VERIFIED", failedChecks: 0, error: null };
  const error = TRACKING_ERRORS[finding];
  if (finding === "HELD_WITHOUT_TLS") return { status: "VERIFIED", failedChecks: 0, error };
  if (finding === "NOT_ANSWERED" || finding === "FRONT_UNREACHABLE")
    return { status: before.status, failedChecks: before.failedChecks, error };
  const failedChecks = before.failedChecks + 1;
  const isFailed = by === "hand" || failedChecks >= MOST_FAILED_CHECKS;
  return { status: isFailed ? "FAILED" : before.status, failedChecks, error };
}

/**
 * The base URL of the links in a mailbox's emails (rules/mail 3.2): the mailbox's own domain once it is verified,
 * otherwise the service's. The scheme and port are always the service's.
 */
export function trackUrlOf(trackUrl: string, trackingDomain: { domain: string; status: string } | null): string {
  if (trackingDomain?.status !== "VERIFIED") return trackUrl;
  const url = new URL(trackUrl);
  url.hostname = trackingDomain.domain;
  return url.href.replace(/\/+$/, "");
}

interface NamedDomain {
  domain: string;
  status: string;
}

/**
 * The verified domain under which a mailbox's emails are tracked (rules/tracking 1.1). It is the mailbox's own,
 * otherwise the workspace's if both have one registrable domain; null for none. Names under a domain that a provider
 * gives to unrelated customers, such as github.io, do not count as one registrable domain.
 */
export function trackingDomainOf(
  { email, trackingDomain }: { email: string; trackingDomain: NamedDomain | null },
  workspace: { trackingDomain: NamedDomain | null },
): NamedDomain | null {
  if (trackingDomain?.status === "VERIFIED") return trackingDomain;
  const shared = workspace.trackingDomain;
  return shared?.status === "VERIFIED" && isKindred(email, shared.domain) ? shared : null;
}

/** Whether an address and a domain have one registrable domain. */
export function isKindred(email: string, domain: string): boolean {
  const own = registrableOf(email.slice(email.lastIndexOf("@") + 1));
  return own !== null && own === registrableOf(domain);
}

function registrableOf(host: string): string | null {
  return getDomain(host, { allowPrivateDomains: true });
}

/** The most CNAME records that are followed for one name, so that a loop of aliases ends. */
export const MOST_ALIASES = 8;

/**
 * Whether the name pointed to this service when it was checked (rules/tracking 4.1); null if the check could not find
 * out.
 */
export function pointsHere(finding: TrackingFinding): boolean | null {
  if (finding === "NOT_ANSWERED") return null;
  return finding !== "NO_CNAME" && finding !== "OTHER_CNAME";
}

/** Whether a host belongs to a development machine: an address, or a name that only a local network or a test knows. */
export function isDevelopmentHost(host: string): boolean {
  return isAddress(host) || !host.includes(".") || isLocalName(host) || host.endsWith(".test");
}
