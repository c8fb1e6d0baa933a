import { MINUTE_MS } from "../time/durations.ts";

/** Names, types and limits that the warmup workflow and its activities share. It is part of the workflow bundle. */

export interface WarmupIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
}

export interface WarmupSendIds extends WarmupIds {
  mailId: string;
}

/**
 * The next step of a mailbox's warmup, and the plan that an operator can read in the workflow. Instants are in epoch
 * milliseconds.
 */
export type WarmupTurn = { plan: WarmupPlan } & (
  | { kind: "send"; at: number; mailId: string }
  | { kind: "engage"; at: number }
  /** The local day ends. */
  | { kind: "close"; at: number }
  /** The warmup waits until the mailbox is connected again. */
  | { kind: "parked" }
  /** The warmup of the mailbox was removed or stopped. */
  | { kind: "gone" }
);

/**
 * Today's target, how many emails of it are sent, and when the next email and the next engagement are due, as ISO
 * texts.
 */
export interface WarmupPlan {
  target: number;
  sent: number;
  nextSlotAt: string | null;
  nextEngagementAt: string | null;
}

/** The limits of one step. A partner's IMAP server may be slow, but must not occupy a worker for long. */
export const WARMUP_TURN = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "5s", backoffCoefficient: 2, maximumInterval: "2m", maximumAttempts: 4 },
} as const;

/** Milliseconds after which a step that failed at every attempt is tried again. */
export const AFTER_FAILED_TURN_MS = 15 * MINUTE_MS;

/** The limits of planning a day for all mailboxes. */
export const WARMUP_PLAN = {
  startToCloseTimeout: "2h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
} as const;
