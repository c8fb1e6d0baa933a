/**
 * Names, types and limits that a workspace's calendar workflows, their activities and their callers share. This file
 * imports nothing, because it is part of the workflow bundle.
 */

export interface CalendarConsentIds {
  v: 1;
  workspaceId: string;
  consentId: string;
}

export interface CalendarReadIds {
  v: 1;
  workspaceId: string;
  /** The period of the question, in epoch milliseconds. */
  from: number;
  to: number;
}

/** Why a calendar was not connected, by code and in our own words. */
export const CALENDAR_REFUSALS = {
  GONE: "This consent has been used already",
  CODE_REFUSED: "The provider did not accept the consent: start again",
  CLIENT_REFUSED: "The provider does not accept this service: its operator must check the client id and its secret",
  PERMISSION_MISSING: "The provider gave only some of the permissions: start again and allow all of them",
  NO_LASTING_TOKEN: "The provider gave no lasting permission: start again and allow all requested permissions",
  NO_ADDRESS: "The provider did not state the owner of the calendar",
  AWAY: "The provider did not answer: start again in a moment",
} as const;
type CalendarRefusal = keyof typeof CALENDAR_REFUSALS;

export type CalendarConsentOutcome = { kind: "connected" } | { kind: "refused"; reason: CalendarRefusal };

/**
 * `LOST`: the consent is no longer valid, and a person must connect the calendar again. The busy times themselves are
 * stored for the caller.
 */
export type CalendarReadOutcome = { kind: "read" } | { kind: "refused"; code: "LOST" | "RATE_LIMITED" | "AWAY" };

/** An authorization code can be redeemed only once, so nothing is tried again. */
export const CALENDAR_CONSENT = {
  workflow: "connectCalendar",
  startToCloseTimeout: "45s",
  deadlineMs: 48_000,
} as const;
export const CALENDAR_READ = {
  workflow: "readCalendar",
  startToCloseTimeout: "24s",
  callMs: 10_000,
  callerMs: 25_000,
} as const;
