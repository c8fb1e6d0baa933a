import { MINUTE_MS } from "../time/durations.ts";

/** What the warmup workflow and its activities agree on. It is part of the workflow bundle. */

export interface WarmupIds {
  v: 1;
  workspaceId: string;
  mailboxId: string;
}

export interface WarmupSendIds extends WarmupIds {
  mailId: string;
}

/** What a mailbox's warmup does next, and what an operator reads about it. Instants are in epoch milliseconds. */
export type WarmupTurn = { plan: WarmupPlan } & (
  | { kind: "send"; at: number; mailId: string }
  | { kind: "engage"; at: number }
  /** The local day ends. */
  | { kind: "close"; at: number }
  /** Nothing until something changes: the mailbox has to be connected again. */
  | { kind: "parked" }
  /** There is no enrolment any longer, or it was stopped. */
  | { kind: "gone" }
);

/** Today's target and how much of it is sent; when its next email and its next engagement are due, as ISO texts. */
export interface WarmupPlan {
  target: number;
  sent: number;
  nextSlotAt: string | null;
  nextEngagementAt: string | null;
}

/** The limits of one turn. A partner's IMAP server may be slow, but must not keep a worker for long. */
export const WARMUP_TURN = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: "5s", backoffCoefficient: 2, maximumInterval: "2m", maximumAttempts: 4 },
} as const;

/** Milliseconds after which a turn that failed at every attempt is tried again. */
export const AFTER_FAILED_TURN_MS = 15 * MINUTE_MS;

/** The limits of planning a day for all mailboxes. */
export const WARMUP_PLAN = {
  startToCloseTimeout: "2h",
  heartbeatTimeout: "3m",
  retry: { initialInterval: "10s", maximumAttempts: 20 },
} as const;
