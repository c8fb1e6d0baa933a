/** What the DNS checks and their workflows agree on. Imports nothing: it is part of the workflow bundle. */

export interface DnsCheckIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
  /** The send of a probe mail from the mailbox to itself; null without one. */
  probeId: string | null;
}

export interface TrackingCheckIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
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

/** A name server that fails or hangs holds nobody longer than this. */
export const DNS_LIMIT_MS = 3_000;

/** The check of a tracking domain, for a caller who waits. */
export const TRACKING_CHECK = { workflow: "checkTrackingDomain", startToCloseTimeout: "6s", deadlineMs: 7_000 } as const;
export const DNS_CHECK = { startToCloseTimeout: "30s" } as const;
/** A mail from the mailbox to itself, and how long its arrival is waited for. */
export const PROBE = {
  send: { startToCloseTimeout: "2m", heartbeatTimeout: "30s" },
  read: { startToCloseTimeout: "90s" },
  arrivalMs: 30_000,
} as const;

/** DKIM alone may stay unknown: no record tells which selectors a domain uses. What could not be asked changes no verdict. */
export function verificationAfter(checks: DnsChecks, before: VerificationState): VerificationState {
  const verdicts = Object.values(checks);
  if (verdicts.includes("FAIL")) return "FAILED";
  const needed = [checks.mx, checks.spf, checks.dmarc];
  return needed.includes("UNKNOWN") ? before : "VERIFIED";
}
