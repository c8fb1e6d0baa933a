import type { MailboxStatus } from "../states.ts";

/**
 * Whether the servers of a mailbox respond: GOOD: the last try did not fail. FAILING: the last try failed, or the
 * mailbox is cooling down. DOWN: the last three tries failed. OFF: the mailbox is disconnected, so nothing is tried.
 * The mailbox list, the mailbox's page and the operator's status page all use this one function.
 */
export const CONDITIONS = ["GOOD", "FAILING", "DOWN", "OFF"] as const;
export type MailboxCondition = (typeof CONDITIONS)[number];

/** After this many failed tries in a row a mailbox is DOWN. */
export const DOWN_AFTER = 3;

/** Statuses that decide the condition by themselves, however the last tries ended. */
const BY_STATUS: Partial<Record<MailboxStatus, MailboxCondition>> = {
  DISCONNECTED: "OFF",
  RECONNECT_REQUIRED: "DOWN",
  SENDING_ERROR: "DOWN",
};

export function conditionOf({ status, failedTries }: { status: MailboxStatus; failedTries: number }): MailboxCondition {
  const fault = BY_STATUS[status];
  if (fault !== undefined) return fault;
  if (failedTries >= DOWN_AFTER) return "DOWN";
  return failedTries > 0 || status === "COOLING_DOWN" ? "FAILING" : "GOOD";
}

/** The failed tries in a row: at login, at the server for sending, and at the server for reading. */
export interface FailedTries {
  authFailures: number;
  hostFailures: number;
  /** Mailboxes that an earlier version created do not have this field. */
  readFailures?: number;
}

/** The highest of the three counts of failed tries. A success at one server says nothing about the other one. */
export function failedTriesOf({ authFailures, hostFailures, readFailures = 0 }: FailedTries): number {
  return Math.max(authFailures, hostFailures, readFailures);
}
