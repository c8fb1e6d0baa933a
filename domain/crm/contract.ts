/**
 * Names, types and limits that the CRM workflows, their activities and their callers share. This file imports nothing,
 * because it is part of the workflow bundle.
 */

export interface CrmConsentIds {
  v: 1;
  workspaceId: string;
  consentId: string;
}

export interface CrmConnectionIds {
  v: 1;
  workspaceId: string;
  connectionId: string;
}

/** Why a CRM was not connected, by code and in our own words. */
export const CRM_REFUSALS = {
  GONE: "This consent has been used already",
  CODE_REFUSED: "The CRM did not accept the consent: start again",
  TOKEN_REFUSED: "The CRM does not accept this token",
  NO_LASTING_TOKEN: "The CRM gave no lasting permission: start again and allow all requested permissions",
  FORBIDDEN: "The CRM does not let this connection read its account: allow all requested permissions",
  NO_BASE: "The CRM did not say where its API is, or that address is not allowed",
  AWAY: "The CRM did not answer: start again in a moment",
  LIMIT_EXCEEDED: "This workspace has reached its limit of CRM connections",
} as const;
export type CrmRefusal = keyof typeof CRM_REFUSALS;

export type CrmConsentOutcome = { kind: "connected"; connectionId: string } | { kind: "refused"; reason: CrmRefusal };

/** An authorization code can be redeemed only once, so nothing is tried again. */
export const CRM_CONSENT = { workflow: "connectCrm", startToCloseTimeout: "45s", deadlineMs: 48_000 } as const;

/** The limits of reading the segments of a CRM while a caller waits. */
export const CRM_SEGMENTS = {
  workflow: "readCrmSegments",
  startToCloseTimeout: "24s",
  callerMs: 25_000,
  readMs: 22_000,
} as const;

export type CrmSegmentsOutcome =
  | { kind: "read" }
  | { kind: "refused"; code: "LOST" | "FORBIDDEN" | "RATE_LIMITED" | "AWAY"; waitSeconds: number };

/** The hourly task that synchronises lists with their segments, and the task that writes activities to the CRM. */
export const CRM_ROUND = {
  startToCloseTimeout: "1h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
} as const;
