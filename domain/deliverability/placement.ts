import type { PlacementSchedule } from "../alert-thresholds.ts";
import { DAY_MS, MINUTE_MS } from "../time/durations.ts";

/**
 * Names, types and limits that placement tests, their workflow and their activities share. This file imports only
 * numbers, because it is part of the workflow bundle.
 */

export const PLACEMENT_STATUSES = [
  "QUEUED",
  "RUNNING",
  "COMPLETED",
  "COMPLETED_WITH_ERRORS",
  "FAILED",
  "CANCELLED",
] as const;
export type PlacementStatus = (typeof PLACEMENT_STATUSES)[number];

/**
 * The folder in which an email of a test was first found. MISSING: it was not found in time (rules/deliverability 6.4).
 */
export const PLACEMENT_FOLDERS = ["INBOX", "SPAM", "OTHER", "MISSING"] as const;
export type PlacementFolder = (typeof PLACEMENT_FOLDERS)[number];

/** The providers of the mailboxes that receive test emails. */
export const RECEIVERS = ["PROVIDERA", "PROVIDERB", "OTHER"] as const;
export type MailReceiver = (typeof RECEIVERS)[number];

/** The most emails of one test: senders times test mailboxes. */
export const MOST_PLACEMENT_MAILS = 200;

export interface PlacementIds {
  v: 1;
  workspaceId: string;
  testId: string;
}

/** One test mailbox in which a test looks for its emails. */
export interface PlacementSeat extends PlacementIds {
  mailboxId: string;
}

/** The remaining work of a test: the sends of each sender in their order, and the test mailboxes to search. */
export interface PlacementWork {
  lanes: string[][];
  mailboxIds: string[];
}

/** How many senders send at the same time, so that a test does not crowd out other email. */
export const LANES_AT_ONCE = 5;

/**
 * The limits of sending one email. domain/sending/placement-attempts.ts says how often an email is tried again after a
 * temporary refusal.
 */
export const PLACEMENT_SEND = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "1m", backoffCoefficient: 2, maximumInterval: "4m" },
} as const;

/**
 * The limits of searching one test mailbox. The search lasts as long as the test; an attempt that ends sooner is
 * started again.
 */
export const PLACEMENT_LOOK = {
  startToCloseTimeout: "6h",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "5s", backoffCoefficient: 2, maximumInterval: "1m" },
} as const;

/** Milliseconds of looking. */
export interface PlacementLimits {
  /** After this many milliseconds, a sent email that was not found is MISSING. */
  missingAfterMs: number;
  /** For how many more milliseconds a test mailbox that cannot be read is tried before its emails get an error. */
  graceMs: number;
  /** The milliseconds between two searches: the first pause, and the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
}

export const PLACEMENT_LIMITS: PlacementLimits = {
  missingAfterMs: 30 * MINUTE_MS,
  graceMs: 10 * MINUTE_MS,
  firstPauseMs: 5_000,
  longestPauseMs: MINUTE_MS / 2,
};

/** How many emails of a test were found in each folder, and how many could not be sent or searched for. */
export interface PlacementTally {
  total: number;
  inbox: number;
  spam: number;
  other: number;
  missing: number;
  errors: number;
}

export const NO_PLACES: PlacementTally = { total: 0, inbox: 0, spam: 0, other: 0, missing: 0, errors: 0 };

/** The share of each folder among the emails with a result; null if no email has one yet. */
export function placementRatesOf({ inbox, spam, other, missing }: PlacementTally) {
  const placedCount = inbox + spam + other + missing;
  const share = (part: number) => (placedCount === 0 ? null : Math.round((part / placedCount) * 10_000) / 10_000);
  return { inboxRate: share(inbox), spamRate: share(spam), missingRate: share(missing) };
}

/** The final status of a test in which no email is open any more. */
export function placementEndOf({ total, errors }: PlacementTally): PlacementStatus {
  if (errors === 0) return "COMPLETED";
  return errors < total ? "COMPLETED_WITH_ERRORS" : "FAILED";
}

/**
 * The name of the day or ISO week in which a scheduled test is due. There is one test for each name
 * (rules/deliverability 6.6).
 */
export function placementPeriodOf(schedule: PlacementSchedule, at: number): string {
  const day = new Date(at).toISOString().slice(0, 10);
  if (schedule === "DAILY") return `DAILY:${day}`;
  const weekday = (new Date(at).getUTCDay() + 6) % 7;
  return `WEEKLY:${new Date(at - weekday * DAY_MS).toISOString().slice(0, 10)}`;
}
