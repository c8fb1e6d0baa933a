import { MINUTE_MS } from "./time/durations.ts";

/** What the workflows and their activities agree on. Imports nothing: it is part of the workflow bundle. */

export interface RecipientIds {
  v: 1;
  workspaceId: string;
  campaignId: string;
  recipientId: string;
}

export interface CampaignIds {
  v: 1;
  workspaceId: string;
  campaignId: string;
}

export interface SendIds {
  v: 1;
  workspaceId: string;
  sendId: string;
}

/** Who does a step: `mail` over SMTP, `act` in MongoDB alone, `post` over HTTP. */
export type StepVerb = "mail" | "act" | "post";

/** What became of one try of a step. Instants are epoch milliseconds. */
export type StepOutcome =
  /** `nextAt` null: the sequence has ended. `by`: who looks next, mail when it is absent. */
  | { kind: "sent"; nextAt: number | null; next: string | null; by?: StepVerb }
  /** The gate is closed since this epoch. */
  | { kind: "parked"; epoch: number }
  | { kind: "replan"; at: number; why: string; by?: StepVerb }
  /** Nobody knows until when; whoever changes that says so. */
  | { kind: "held"; why: string }
  /** The step is due now, and another does it. */
  | { kind: "over"; to: StepVerb }
  | { kind: "stop"; reason: string };

/** What became of a mail that somebody asked for. */
export type SingleEnd = { kind: "sent"; messageId: string } | { kind: "failed"; reason: string; code: string | null };
/** `later`: another attempt may still be at it until then, in epoch milliseconds. */
export type SingleOutcome = SingleEnd | { kind: "later"; at: number };

export interface ScheduledReplyIds {
  v: 1;
  workspaceId: string;
  scheduledId: string;
  /** Epoch milliseconds; it never changes. */
  sendAt: number;
}

export type ScheduledOutcome = { kind: "ended"; status: string } | { kind: "later"; at: number };

const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 15 * MINUTE_MS;

/** One attempt at a step: its limits, and the retries of what is worth retrying (engine.md 5). */
export const SEND_STEP = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "30s",
  retry: { initialInterval: FIRST_RETRY_MS, backoffCoefficient: 2, maximumInterval: LONGEST_RETRY_MS, maximumAttempts: 6 },
} as const;

/** How long after an attempt that failed the next one begins; the first attempt is 1. */
export function retryDelayMs(attempt: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1));
}

export const LAST_ATTEMPT = SEND_STEP.retry.maximumAttempts;

/** A step that is no mail, in MongoDB alone. */
export const ACT_STEP = {
  startToCloseTimeout: "20s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m", maximumAttempts: 20 },
} as const;

/** A WEBHOOK step: six requests within about a quarter of an hour, then the sequence goes on without it. */
export const POST_STEP = { startToCloseTimeout: "30s", retry: SEND_STEP.retry } as const;

/** MongoDB work of the engine: it may wait for the database, not for people. */
export const RECORDS = {
  startToCloseTimeout: "5m",
  heartbeatTimeout: "15s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" },
} as const;

export const QUEUES = ["engine", "smtp", "imap", "webhook", "jobs"] as const;
export type Queue = (typeof QUEUES)[number];
