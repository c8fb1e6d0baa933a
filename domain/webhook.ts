import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time/durations.ts";

/** The event types a subscription may name (rules/webhooks 1.4). */
export const WEBHOOK_EVENTS = ["SENT", "OPEN", "CLICK", "REPLIED", "BOUNCED", "UNSUBSCRIBE", "TEST"] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/**
 * The retry schedule of the API (6.2): 1 min, doubling up to 6 h, at most ten attempts. Inside the activity each
 * attempt ends after 15 s.
 */
export const WEBHOOK_DELIVERY = {
  startToCloseTimeout: "30s", // leaves room for worker latency; the limit of 15 s is inside the activity
  retry: { initialInterval: "1m", backoffCoefficient: 2, maximumInterval: "6h", maximumAttempts: 10 },
} as const;

/** The ids with which a delivery's workflow is started. */
export interface DeliveryIds {
  v: 1;
  workspaceId: string;
  deliveryId: string;
  /**
   * The attempt that the run begins with, 2 to 10. A run without it is older than the feed and makes all ten attempts
   * itself.
   */
  attempt?: number;
}

/** `waiting`: the delivery was requeued, and the feed makes its first attempt again. */
export type DeliveryEnd = "delivered" | "dead-lettered" | "waiting";

/** The ids with which the feed of a subscription is started. */
export interface FeedIds {
  v: 1;
  workspaceId: string;
  subscriptionId: string;
}

/** What one turn of a feed did. */
export interface FeedTurn {
  /** First attempts made. */
  posted: number;
  delivered: number;
  /** Whether nothing has waited for some seconds. */
  isEmpty: boolean;
}

/** The limits of one turn of a feed (rules/webhooks 3.1). It ends by itself well before the first of them. */
export const WEBHOOK_FEED = {
  startToCloseTimeout: "2m",
  heartbeatTimeout: "60s",
  retry: { initialInterval: "1s", backoffCoefficient: 2, maximumInterval: "1m" },
} as const;

/**
 * After this many milliseconds or rows a feed gives its slot to another one. After this many without a row it ends
 * (rules/webhooks 3.1).
 */
export const FEED_TURN = { ms: 30_000, rows: 1_000, lingerMs: 5_000 } as const;

/** After so many milliseconds a feed is started again even if it is at work, because it may have been about to end. */
const FEED_SURE_MS = 4_000;
/** Milliseconds between two starts of a feed whose rows no one takes. */
const FEED_AGAIN_MS = 1_000;
/** Milliseconds in which a feed with nothing else to do takes a row. */
const FEED_TAKES_MS = 500;

/**
 * Whether a process should start the feed of a subscription with waiting rows, given when it last did so. Starting a
 * feed that is at work changes nothing, but costs Temporal a call. Instants are epoch milliseconds.
 */
export function isFeedDue(
  now: number,
  { startedAt, waitingSince }: { startedAt: number | undefined; waitingSince: number },
): boolean {
  if (startedAt === undefined || now - startedAt >= FEED_SURE_MS) return true;
  return now - startedAt >= FEED_AGAIN_MS && now - waitingSince >= FEED_TAKES_MS;
}

/**
 * Milliseconds that Temporal waits after failed attempt `attempt` (1 to 9) before the next one: the schedule of
 * rules/webhooks 2.1.
 */
export function gapAfter(attempt: number): number {
  return Math.min(2 ** (attempt - 1) * MINUTE_MS, 6 * HOUR_MS);
}

/**
 * The retries of a run that begins with this attempt. They keep the schedule, and there is never an eleventh
 * (rules/webhooks 2.1).
 */
export function retriesFrom(attempt: number) {
  const { retry } = WEBHOOK_DELIVERY;
  return {
    ...retry,
    initialInterval: gapAfter(attempt),
    maximumAttempts: Math.max(1, retry.maximumAttempts + 1 - attempt),
  };
}

/**
 * A subscription is switched off after five days in which every attempt failed, with at least 20 attempts
 * (rules/webhooks 6.1).
 */
export const FAILING_AFTER = { ms: 5 * DAY_MS, attempts: 20 } as const;

/** How the service names itself to receivers. */
export const USER_AGENT = "outreach/1.0";

/** Milliseconds for one whole attempt: resolve, connect, TLS, headers and body (rules/webhooks 1.1). */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/**
 * First attempts that a subscription may have in flight while nothing is known about its receiver (rules/webhooks 3.1).
 */
export const FIRST_WINDOW = 4;
/** First attempts in flight at once, for one subscription and towards one host (rules/webhooks 3.1). */
export const MAX_WINDOW = 32;

/** How many first attempts a subscription may have in flight, and how many have failed in a row so far. */
export interface Admission {
  window: number;
  failuresInRow: number;
}

/**
 * The admission rule of rules/webhooks 3.1: a success opens the window by one, up to 32; a failure halves it; three
 * failures in a row set it to one. `failuresInRow` counts the failures before this outcome; the result contains both
 * numbers after it.
 */
export function nextWindow(window: number, failuresInRow: number, outcome: "success" | "failure"): Admission {
  if (outcome === "success") return { window: Math.min(window + 1, MAX_WINDOW), failuresInRow: 0 };
  const failures = failuresInRow + 1;
  return { window: failures >= 3 ? 1 : Math.max(1, Math.floor(window / 2)), failuresInRow: failures };
}
