import type { MailboxStatus } from "../states.ts";

/**
 * Whether the servers of a mailbox respond: GOOD, FAILING since the last try, DOWN after three tries in a row. OFF: a
 * disconnected mailbox is not tried. The mailbox list, the mailbox's page and the operator's status page all use this
 * one function.
 */
export const CONDITIONS = ["GOOD", "FAILING", "DOWN", "OFF"] as const;
export type MailboxCondition = (typeof CONDITIONS)[number];

/** After this many failed tries in a row a mailbox is DOWN. */
export const DOWN_AFTER = 3;

/** Statuses that are a fault by themselves, whatever was tried since. */
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

/**
 * Tries in a row without success, counted by where they failed: at login, at the sending server, at the reading server.
 */
export interface FailedTries {
  authFailures: number;
  hostFailures: number;
  /** Mailboxes of earlier versions have none. */
  readFailures?: number;
}

/** The failed tries in a row of the side that has most of them. A success of one side says nothing about the other. */
export function failedTriesOf({ authFailures, hostFailures, readFailures = 0 }: FailedTries): number {
  return Math.max(authFailures, hostFailures, readFailures);
}
