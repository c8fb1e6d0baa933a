/**
 * Names, types and limits that the DNS checks and their workflows share. This file imports nothing, because it is part
 * of the workflow bundle.
 */

export interface DnsCheckIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
  /** The id of the send of a probe email from the mailbox to itself; null when there is none. */
  probeId: string | null;
}

export interface TrackingCheckIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
}

/** A workspace's domain that is checked, and the field that contains it. */
export interface WorkspaceDomainIds {
  v: 1;
  workspaceId: string;
  field: "trackingDomain" | "portalDomain";
}

export const DNS_VERDICTS = ["PASS", "WARN", "FAIL", "UNKNOWN"] as const;
export type DnsVerdict = (typeof DNS_VERDICTS)[number];

export interface DnsChecks {
  mx: DnsVerdict;
  spf: DnsVerdict;
  dkim: DnsVerdict;
  dmarc: DnsVerdict;
}

export const VERIFICATION_STATES = ["PENDING", "VERIFIED", "FAILED", "SKIPPED"] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** Milliseconds after which a query to a name server is given up. */
export const DNS_LIMIT_MS = 3_000;

/** The limits of checking a tracking domain while a caller waits. */
export const TRACKING_CHECK = {
  workflow: "checkTrackingDomain",
  startToCloseTimeout: "6s",
  deadlineMs: 25_000,
} as const;
export const DNS_CHECK = { startToCloseTimeout: "30s" } as const;
/** The limits of sending a probe email from a mailbox to itself and of waiting for its arrival. */
export const PROBE = {
  send: { startToCloseTimeout: "2m", heartbeatTimeout: "30s" },
  read: { startToCloseTimeout: "90s" },
  arrivalMs: 30_000,
} as const;

/**
 * The verification state after a check. Only DKIM may stay unknown, because no record shows which selectors a domain
 * uses. If any other check could not be made, the earlier state stays.
 */
export function verificationAfter(checks: DnsChecks, before: VerificationState): VerificationState {
  const verdicts = Object.values(checks);
  if (verdicts.includes("FAIL")) return "FAILED";
  const neededChecks = [checks.mx, checks.spf, checks.dmarc];
  return neededChecks.includes("UNKNOWN") ? before : "VERIFIED";
}
